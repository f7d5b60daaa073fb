"""Train the network of Ojyx by deep Monte Carlo: play against itself, learn how the manches end.

    python3 training/ojyx/train.py --seconds 500 --out DIRECTORY
    python3 training/ojyx/train.py --smoke --out DIRECTORY

Every decision of a manche becomes a sample: what the seat saw, what it did, and the scores at the end. The network
learns both its own score and that of the others; it plays the action with the best difference, sometimes a random one.
Weights and the report are written every minute, so an interrupted training keeps what it had.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from network import UNIT, Average, Network

from table import Tables, compile_rules

MOST = 100.0
"""Higher scores count as this one: curses on curses make scores that no network should remember."""


@dataclass
class Plan:
    """The sizes of a training."""

    seconds: float
    games: int
    memory: int
    batch: int
    matches: int
    every: float
    """The seconds between two checkpoints."""
    kept: float
    """The share of the decisions that become samples."""
    wait: int = 150
    """The steps of play before the first update."""
    first: int = 256
    second: int = 128


class Memory:
    """Samples of the latest manches. A sample counts once its manche is over."""

    def __init__(self, tables: Tables, room: int) -> None:
        half = {"dtype": torch.float16, "device": tables.device}
        whole = {"dtype": torch.int64, "device": tables.device}
        self.room, self.next, self.filled, self.tables = room, 0, 0, tables
        self.positions = torch.zeros(room, tables.positions.shape[1], **half)
        self.actions = torch.zeros(room, tables.actions.shape[1], **half)
        self.numbers, self.seats, self.players = (torch.zeros(room, **whole) for _ in range(3))

    def add(self, share: float, seats_at: int) -> int:
        """Keep a share of the decisions just made, without forced ones."""
        tables = self.tables
        wanted = (torch.rand(tables.count, device=tables.device) < share) & (tables.counts > 1)
        rows = wanted.nonzero().squeeze(1)[: self.room]
        places = (torch.arange(len(rows), device=tables.device) + self.next) % self.room
        self.positions[places] = tables.positions[rows].half()
        self.actions[places] = tables.actions[tables.chosen[rows]].half()
        self.numbers[places] = tables.numbers[rows]
        self.seats[places] = tables.seats[rows]
        self.players[places] = tables.games[rows, seats_at].long()
        self.next = (self.next + len(rows)) % self.room
        self.filled = min(self.room, self.filled + len(rows))
        return len(rows)

    def sample(self, count: int):
        """Return positions, actions, targets, and weights that are 0 for manches that are not over."""
        results = self.tables.results
        rows = torch.randint(self.filled, (count,), device=self.tables.device)
        numbers, seats = self.numbers[rows], self.seats[rows]
        places = numbers % results.room
        over = (results.done[places] == numbers).float()
        scores = results.scores[places].clamp(max=MOST)
        own = scores.gather(1, seats[:, None]).squeeze(1)
        others = (scores.sum(1) - own) / (self.players[rows] - 1).clamp(min=1)
        targets = torch.stack((own, others), 1) / UNIT
        return self.positions[rows].float(), self.actions[rows].float(), targets, over


class Training:
    SEATS = 491
    """The place of the number of players in a manche; see rules.h."""

    def __init__(self, plan: Plan, seed: int, out: Path, cpu: bool, start: Path | None) -> None:
        self.began = time.monotonic()
        self.plan, self.seed, self.out = plan, seed, out
        torch.manual_seed(seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        with tempfile.TemporaryDirectory() as work:
            self.library, self.device = compile_rules(Path(work), cpu)
        self.note(f"compiled for {self.device}")
        self.tables = Tables(self.library, self.device, plan.games, seed, 0, 1 << 21)
        self.game = torch.arange(plan.games, device=self.device)
        self.memory = Memory(self.tables, plan.memory)
        self.network = self.new_network()
        self.rate, self.taught = 1e-3, 1.0
        if start is not None:
            weights = {name: torch.from_numpy(one).float() for name, one in np.load(start).items()}
            self.network.load_state_dict(weights)
            self.rate, self.taught = 5e-4, 0.06
        self.average = Average(self.network, 0.999)
        self.learner = torch.optim.Adam(self.network.parameters(), lr=self.rate, fused=self.device.type == "cuda")
        self.earlier: Network | None = None
        self.report = {
            "seed": seed,
            "start": None if start is None else start.name,
            "plan": vars(plan),
            "device": torch.cuda.get_device_name() if self.device.type == "cuda" else "cpu",
            "inputs": {"position": self.library.ojyx_position(), "action": self.library.ojyx_action()},
            "checkpoints": [],
        }
        self.steps = self.samples = self.rows = self.updates = 0
        self.losses: list[torch.Tensor] = []

    def new_network(self) -> Network:
        sizes = self.library.ojyx_position(), self.library.ojyx_action(), self.plan.first, self.plan.second
        return Network(*sizes).to(self.device)

    @property
    def spent(self) -> float:
        return time.monotonic() - self.began

    def note(self, text: str) -> None:
        print(f"{self.spent:7.1f} s  {text}", flush=True)

    # Play and learn

    @torch.no_grad()
    def play(self, part: float) -> None:
        """Play one action in every manche; `part` of the training is over."""
        tables = self.tables
        self.rows += (rows := tables.look())
        owners = tables.owners[:rows]
        values = self.network.values(tables.positions, tables.actions[:rows], owners)
        # In some manches, at first in all, every second seat follows the rule of thumb, so that manches end.
        share = max(0.06, self.taught - 10 * part)
        taught = ((tables.seats + self.game) % 2 == 0) & (self.game < share * tables.count)
        values = torch.where(taught[owners], tables.thumbs[:rows], values)
        tables.choose(values, 0.06 * (1 - part) ** 2 + 0.004, 0.2 * (1 - part) + 0.03, 1.5)
        self.samples += self.memory.add(self.plan.kept, self.SEATS)
        tables.step(again=True)
        self.steps += 1

    def learn(self, part: float) -> None:
        for group in self.learner.param_groups:
            group["lr"] = self.rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part))) * min(1, self.updates / 200)
        positions, actions, targets, over = self.memory.sample(self.plan.batch)
        found = self.network(positions, actions)
        errors = ((found - targets) ** 2).mean(1) + 0.5 * ((found - targets)[:, 0] - (found - targets)[:, 1]) ** 2
        loss = (errors * over).sum() / over.sum().clamp(min=1)
        self.learner.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.learner.step()
        self.average.follow(self.network)
        self.updates += 1
        self.losses.append(loss.detach())

    # Matches

    def averaged(self) -> Network:
        network = self.new_network()
        network.load_state_dict(self.average.weights)
        return network

    @torch.no_grad()
    def match(self, mine: Network, theirs: Network | None, players: int, count: int, until: float) -> dict:
        """Play manches of two players' types in alternate seats; `theirs` None is the rule of thumb."""
        tables = Tables(self.library, self.device, count, self.seed * 7919 + players + self.updates, players, count)
        game = torch.arange(count, device=self.device)
        while self.spent < until:
            rows = tables.look()
            if rows == 0:
                break
            owners = tables.owners[:rows]
            values = mine.values(tables.positions, tables.actions[:rows], owners)
            if theirs is None:
                others = tables.thumbs[:rows]
            else:
                others = theirs.values(tables.positions, tables.actions[:rows], owners)
            own = ((tables.seats + game) % 2 == 0)[owners]
            tables.choose(torch.where(own, values, others))
            tables.step(again=False)
        over = tables.results.done >= 0
        if not over.any():
            return {"manches": 0}
        scores = tables.results.scores[over][:, :players].clamp(max=MOST)
        own = (torch.arange(players, device=self.device)[None, :] + game[over][:, None]) % 2 == 0
        mean = (scores * own).sum(1) / own.sum(1)
        other = (scores * ~own).sum(1) / (~own).sum(1)
        fewer = other - mean
        return {
            "manches": int(over.sum()),
            "points": round(float(mean.mean()), 2),
            "points_of_others": round(float(other.mean()), 2),
            "fewer": round(float(fewer.mean()), 2),
            "error": round(float(fewer.std(correction=0) / max(1, len(fewer)) ** 0.5), 3),
        }

    def compare(self, count: int, until: float) -> dict:
        """Play against the rule of thumb and against the network of an earlier checkpoint."""
        network = self.averaged()
        found = {}
        for players in (2, 4):
            found[f"thumb_{players}"] = self.match(network, None, players, count, until)
            if self.earlier is not None:
                found[f"earlier_{players}"] = self.match(network, self.earlier, players, count, until)
        return found

    # Files

    def weights(self) -> dict[str, np.ndarray]:
        return {name: value.cpu().numpy().astype(np.float16) for name, value in self.average.weights.items()}

    def checkpoint(self, compared: dict) -> None:
        recent = self.losses[-500:]
        entry = {
            "seconds": round(self.spent, 1),
            "decisions": self.steps * self.plan.games,
            "actions_valued": self.rows,
            "samples": self.samples,
            "updates": self.updates,
            "manches": int((self.tables.numbers // self.plan.games).sum()),
            "loss": round(float(torch.stack(recent).mean()), 4) if recent else None,
            **compared,
        }
        self.losses = recent
        self.report["checkpoints"].append(entry)
        np.savez(self.out / "weights.npz", **self.weights())
        (self.out / "report.json").write_text(json.dumps(self.report, indent=1) + "\n")
        self.note(json.dumps(entry))

    @torch.no_grad()
    def golden(self, count: int) -> list[dict]:
        """Return positions with the outputs of the rounded weights, for the test of the product."""
        network = self.new_network().cpu()
        network.load_state_dict({name: torch.from_numpy(value).float() for name, value in self.weights().items()})
        tables = Tables(self.library, self.device, 256, self.seed + 1, 0, 1 << 14)
        cases = []
        for turn in range(40 + count):
            if self.spent > self.plan.seconds - 2:
                break
            rows = tables.look()
            tables.choose(self.network.values(tables.positions, tables.actions[:rows], tables.owners[:rows]), 0.05)
            if turn >= 40 or turn == 0:
                at = (turn * 37) % tables.count
                low, high = int(tables.ends[at] - tables.counts[at]), int(tables.ends[at])
                position, actions = tables.positions[at : at + 1].cpu(), tables.actions[low:high].cpu()
                both = network(position.expand(len(actions), -1), actions)
                cases.append(
                    {
                        "state": tables.games[at].tolist(),
                        "seat": int(tables.seats[at]),
                        "codes": tables.codes[low:high].tolist()[:40],
                        "outputs": [[round(one, 5) for one in row] for row in both.tolist()[:40]],
                        "position_sum": round(float(position.sum()), 4),
                        "action_sums": [round(float(one), 4) for one in actions.sum(1)[:40]],
                    }
                )
            tables.step(again=True)
        return cases

    def finish(self) -> None:
        """Write the last files: the weights get the hash of the report, the report that of the weights."""
        (self.out / "golden.json").write_text(json.dumps({"unit": UNIT, "cases": self.golden(60)}) + "\n")
        np.savez(self.out / "weights.npz", **self.weights())
        self.report["weights_sha256"] = hashlib.sha256((self.out / "weights.npz").read_bytes()).hexdigest()
        self.report["seconds"] = round(self.spent, 1)
        text = json.dumps(self.report, indent=1) + "\n"
        (self.out / "report.json").write_text(text)
        name = f"network-{hashlib.sha256(text.encode()).hexdigest()[:12]}.npz"
        (self.out / "weights.npz").rename(self.out / name)
        self.note(f"wrote {name}")

    def run(self) -> None:
        plan = self.plan
        start, end = self.spent, plan.seconds * 0.93 - 6
        due = start + plan.every
        self.report["seconds_compiling"] = round(start, 1)
        while self.spent < end:
            part = min(1.0, (self.spent - start) / max(1.0, end - start))
            self.play(part)
            if self.steps > plan.wait:
                self.learn(part)
            if self.steps in (1, 50):
                self.tables.check()
            if self.spent > due and self.updates:
                due += plan.every
                self.checkpoint(self.compare(plan.matches, min(end, self.spent + plan.every / 3)))
                if self.earlier is None or len(self.report["checkpoints"]) % 3 == 0:
                    self.earlier = self.averaged()
        self.tables.check()
        self.checkpoint(self.compare(4 * plan.matches, self.spent + 0.55 * (plan.seconds - self.spent)))
        self.finish()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--games", type=int, default=16384)
    parser.add_argument("--hidden", type=int, nargs=2, default=(256, 128), help="the sizes of the two hidden layers")
    parser.add_argument("--start", type=Path, help="weights of an earlier training with the same sizes")
    parser.add_argument("--smoke", action="store_true", help="a minute on the CPU, to find mistakes")
    parser.add_argument("--cpu", action="store_true", help="a small training without a GPU")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.smoke:
        torch.set_num_threads(1)
        plan = Plan(min(asked.seconds, 60), 64, 20_000, 256, 32, 12, 0.5, wait=30, first=64, second=32)
    elif asked.cpu:
        torch.set_num_threads(1)
        plan = Plan(asked.seconds, 256, 200_000, 1024, 400, 60, 0.5)
    else:
        plan = Plan(
            asked.seconds, asked.games, 8_000_000, 16384, 4096, 50, 0.25, first=asked.hidden[0], second=asked.hidden[1]
        )
    Training(plan, asked.seed, asked.out, asked.cpu or asked.smoke, asked.start).run()


if __name__ == "__main__":
    main()
