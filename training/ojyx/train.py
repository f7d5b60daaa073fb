"""Train the network of Ojyx in one go: what a manche is worth to the seat whose turn begins.

    python3 train.py --out DIRECTORY
    python3 train.py --rows 200000 --passes 2 --out DIRECTORY

The players of maître's playouts play many manches on all cores, with the product's own kernel. Until a random turn they
try an unusual action now and then; after it, turns are noted, with the lead that the seat had in the end. The network
learns to predict that lead. It fits on a GPU in seconds and on a CPU in minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MIX = (2,) * 5 + (3,) * 3 + (4,) * 6 + (5, 5, 6, 6, 7, 8)
"""How often each number of seats is played."""
PART = 50_000
"""Rows that one call gathers."""
BATCH = 16_384
RATE = 4e-3
HELD = 20
"""One row in so many is held out of the training, to measure it."""

Floats = NDArray[np.float32]


class Rows(NamedTuple):
    """Turns of manches: what the seat saw, and the lead that it had in the end."""

    seats: int
    inputs: NDArray[np.float16]
    leads: Floats
    manches: int


def gather(seed: int, number: int) -> Rows:
    """Play manches until a part is full."""
    from tablee.games.ojyx import manche_kernel as kernel

    seats = MIX[number % len(MIX)]
    inputs, leads = np.empty(PART * kernel.INPUTS, np.float32), np.empty(PART, np.float32)
    dice = np.array([kernel.mix((seed << 32) + number)], np.int64)
    manches = kernel.gather(seats, number % 3 > 0, kernel.TUNED, dice, inputs, leads)
    return Rows(seats, inputs.reshape(PART, -1).astype(np.float16), leads, manches)


def gather_all(seed: int, rows: int) -> list[Rows]:
    """Play on all cores."""
    found: list[Rows] = []
    count, began = max(len(MIX), rows // PART), time.monotonic()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for part in pool.map(gather, [seed] * count, range(count)):
            found.append(part)
            if len(found) % 20 == 0:
                print(f"{len(found) * PART:,} of {count * PART:,} rows, {time.monotonic() - began:.0f} s", flush=True)
    return found


def fit(parts: list[Rows], seed: int, passes: int, units: int) -> tuple[list[Floats], dict[str, object]]:
    """Fit the network; return the weights and biases of its layers, and what it explains of the rows held out."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.from_numpy(np.concatenate([part.inputs for part in parts])).to(device)
    leads = torch.from_numpy(np.concatenate([part.leads for part in parts])).to(device) / 10
    seats = torch.from_numpy(np.repeat([part.seats for part in parts], PART)).to(device)
    order = torch.randperm(len(leads), device=device)
    held, learnt = order[: len(leads) // HELD], order[len(leads) // HELD :]
    layers = [nn.Linear(inputs.shape[1], units), nn.Linear(units, units), nn.Linear(units, 1)]
    net = nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2]).to(device)
    steps = passes * len(learnt) // BATCH
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps)
    began = time.monotonic()
    for step in range(steps):
        at = learnt[torch.randint(len(learnt), (BATCH,), device=device)]
        loss = nn.functional.mse_loss(net(inputs[at].float())[:, 0], leads[at])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 1000 == 0:
            print(f"step {step:,} of {steps:,}: loss {loss.item():.4f}, {time.monotonic() - began:.0f} s", flush=True)
    with torch.no_grad():
        missed = (torch.cat([net(inputs[some].float())[:, 0] for some in held.split(BATCH)]) - leads[held]) ** 2
    explained = {}
    for count in sorted(set(MIX)):
        these = seats[held] == count
        part = 1 - missed[these].mean() / leads[held][these].var()
        explained[count] = {
            "explained": round(part.item(), 4),
            "spread": round(10 * leads[held][these].std().item(), 2),
        }
        print(f"{count} seats: {explained[count]}", flush=True)
    arrays = [array.detach().cpu().numpy() for layer in layers for array in (layer.weight.T, layer.bias)]
    report = {
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "steps": steps,
        "seconds_fitting": round(time.monotonic() - began, 1),
        "held_out": explained,
    }
    return arrays, report


def write(out: Path, arrays: list[Floats], report: dict[str, object]) -> None:
    """Write the weights and the report; the name of the weights carries the hash of the report."""
    out.mkdir(parents=True, exist_ok=True)
    part = out / "foresight.npz"
    np.savez(part, *arrays)
    report["weights_sha256"] = hashlib.sha256(part.read_bytes()).hexdigest()
    report["weights_bytes"] = part.stat().st_size
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    digest = hashlib.sha256((out / "report.json").read_bytes()).hexdigest()[:12]
    part.replace(out / f"foresight-{digest}.npz")
    print(f"wrote foresight-{digest}.npz, {report['weights_bytes']} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=16_000_000, help="turns to learn from")
    parser.add_argument("--passes", type=int, default=10, help="how often each is seen")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the results")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    from tablee.games.ojyx.manche_kernel import UNITS

    began = time.monotonic()
    parts = gather_all(options.seed, options.rows)
    report: dict[str, object] = {
        "seed": options.seed,
        "mix": MIX,
        "rows": PART * len(parts),
        "manches": sum(part.manches for part in parts),
        "passes": options.passes,
        "cores": os.cpu_count(),
        "seconds_gathering": round(time.monotonic() - began, 1),
    }
    arrays, found = fit(parts, options.seed, options.passes, UNITS)
    write(options.out, arrays, report | found)


if __name__ == "__main__":
    main()
