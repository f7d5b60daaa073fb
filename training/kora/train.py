"""Learn to play Kora Battle against itself: regularised policy gradients (PPO) with a critic that sees both hands.

Entropy and the distance to a slow average of the policy are part of the objective. Their weight falls during the
training, so that the policies approach an equilibrium instead of running in circles. The average is what is kept.

    python3 training/kora/train.py OUT --rounds 2560
"""

from __future__ import annotations

import argparse
import copy
import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from deals import CHOICES, Deals, Policy, draw, play_out
from network import Actor, Critic
from torch import Tensor, nn

LAMBDA = 0.95
CLIP = 0.2
MAGNET = 0.05
MEMORY = 1 / 200
"""How fast the average policy follows, for each round."""


class Batch:
    """What one round of self-play gathered, one row for each decision with a choice."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Tensor]] = {}

    def add(self, **rows: Tensor) -> None:
        for name, row in rows.items():
            self.rows.setdefault(name, []).append(row)

    def joined(self) -> dict[str, Tensor]:
        return {name: torch.cat(rows) for name, rows in self.rows.items()}


@torch.no_grad()
def gather(deals: Deals, actor: Actor, critic: Critic, magnet: Actor, other: Policy | None) -> tuple[Batch, Tensor]:
    """Play deals; with another policy in seat 1, only the decisions of seat 0 are gathered."""
    steps, values = [], []
    for _ in range(CHOICES):
        seat, planes, known, legal = deals.seat, deals.planes(), deals.globals(), deals.legal()
        hidden = deals.hands[deals.at, 1 - seat]
        with torch.autocast(planes.device.type, torch.bfloat16):
            logs = actor(planes, known, legal)
            value = critic(planes, known, hidden)
            aim = magnet(planes, known, legal)
        played = logs if other is None else torch.where((seat == 0)[:, None], logs, other(planes, known, legal))
        card = draw(played, deals.dice)
        steps.append((seat, planes, known, legal, hidden, logs.gather(1, card[:, None])[:, 0], aim, card))
        values.append(torch.where(seat == 0, value, -value))
        deals.play(card)
    result = deals.finish()
    batch, gain, after = Batch(), torch.zeros_like(result), result
    for (seat, planes, known, legal, hidden, log, aim, card), value in reversed(list(zip(steps, values, strict=True))):
        gain = after - value + LAMBDA * gain
        after = value
        sign = 1.0 - 2.0 * seat
        kept = (legal.sum(1) > 1) & ((seat == 0) if other is not None else torch.ones_like(seat, dtype=torch.bool))
        batch.add(planes=planes[kept], known=known[kept], legal=legal[kept], hidden=hidden[kept], log=log[kept])
        batch.add(aim=aim[kept], card=card[kept], gain=(sign * gain)[kept], value=(sign * (gain + value))[kept])
    return batch, result


class Learner:
    """An actor and a critic, and the steps that improve them."""

    def __init__(self, device: str, rate: float, actor: Actor | None = None) -> None:
        self.actor = actor or Actor().to(device)
        self.critic = Critic().to(device)
        self.average = copy.deepcopy(self.actor)
        self.rate = rate
        both = [*self.actor.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(both, rate, eps=1e-5, fused=device == "cuda")

    def improve(self, rows: dict[str, Tensor], size: int, entropy: float, magnet: float) -> tuple[float, float]:
        """Take one step for each part of the batch; return the mean entropy and the critic's loss."""
        order = torch.randperm(len(rows["card"]), device=rows["card"].device)
        spread, off = [], []
        for part in order.split(size):
            planes, known, legal = rows["planes"][part], rows["known"][part], rows["legal"][part]
            with torch.autocast(planes.device.type, torch.bfloat16):
                logs = self.actor(planes, known, legal)
                value = self.critic(planes, known, rows["hidden"][part])
            gain = rows["gain"][part]
            ratio = (logs.gather(1, rows["card"][part, None])[:, 0] - rows["log"][part]).exp()
            surrogate = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            chances = logs.exp()
            disorder = -(chances * logs.masked_fill(~legal, 0.0)).sum(1)
            apart = (chances * (logs - rows["aim"][part]).masked_fill(~legal, 0.0)).sum(1)
            wrong = (value - rows["value"][part]).square()
            loss = (-surrogate - entropy * disorder + magnet * apart + 0.5 * wrong).mean()
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.actor.parameters(), 0.5)
            nn.utils.clip_grad_norm_(self.critic.parameters(), 2.0)
            self.optimizer.step()
            spread.append(disorder.detach().mean())
            off.append(wrong.detach().mean())
        return float(torch.stack(spread).mean()), float(torch.stack(off).mean())

    @torch.no_grad()
    def follow(self, share: float) -> None:
        """Move the average policy towards the present one."""
        for slow, fast in zip(self.average.parameters(), self.actor.parameters(), strict=True):
            slow.lerp_(fast, share)


def learn(
    device: str,
    rounds: int,
    seed: int,
    *,
    count: int = 1 << 16,
    size: int = 1 << 15,
    rates: tuple[float, float] = (1e-3, 3e-5),
    entropies: tuple[float, float] = (0.12, 0.004),
    start: Actor | None = None,
    other: Policy | None = None,
    capped: float = 0.4,
) -> tuple[Actor, list[dict[str, float]]]:
    """Train for some rounds and return the averaged actor and a log."""
    torch.manual_seed(seed)
    dice = torch.Generator(device).manual_seed(seed)
    learner = Learner(device, rates[0], start)
    log: list[dict[str, float]] = []
    for number in range(rounds):
        share = number / rounds
        rate = rates[0] * (rates[1] / rates[0]) ** share
        entropy = entropies[0] * (entropies[1] / entropies[0]) ** share
        for group in learner.optimizer.param_groups:
            group["lr"] = rate
        deals = Deals(count, device, dice, capped)
        batch, result = gather(deals, learner.actor, learner.critic, learner.average, other)
        spread, off = learner.improve(batch.joined(), size, entropy, MAGNET)
        learner.follow(max(1 / (number + 1), MEMORY))
        if number % max(1, rounds // 25) == 0 or number == rounds - 1:
            won = float(result.mean())
            log.append({"round": number, "entropy": spread, "critic": off, "won": won})
            bar = "#" * round(40 * (number + 1) / rounds)
            print(f"[{bar:40}] {number} entropy {spread:.3f} critic {off:.3f} won {won:+.4f}", flush=True)
    return learner.average, log


@torch.no_grad()
def compare(
    mine: Policy, theirs: Policy, device: str, seed: int, rounds: int = 64, count: int = 1 << 16
) -> list[float]:
    """Play every deal twice, with the seats swapped; return the mean stakes of the first policy and its error."""
    dice = torch.Generator(device).manual_seed(seed)
    sums = []
    for _ in range(rounds):
        deals = Deals(count, device, dice, capped=0.0)
        swapped = deals.copy()
        sums.append((play_out(deals, mine, theirs) - play_out(swapped, theirs, mine)) / 2)
    all_sums = torch.cat(sums)
    return [float(all_sums.mean()), float(all_sums.std() / len(all_sums) ** 0.5)]


def read(path: Path, device: str) -> Actor:
    actor = Actor()
    with np.load(path) as stored:
        actor.load_state_dict({f"suits.{name}": torch.tensor(stored[name]).float() for name in stored.files})
    return actor.to(device)


def write(actor: Actor, path: Path) -> None:
    stored = {name.replace("suits.", ""): value.half().cpu().numpy() for name, value in actor.state_dict().items()}
    np.savez(path, **stored)


def save(actor: Actor, out: Path, report: dict[str, object]) -> None:
    """Write the weights and their report. Each can be checked by the other: the name has the hash of the report."""
    write(actor, out / "weights.npz")
    report["weights"] = sha256((out / "weights.npz").read_bytes()).hexdigest()
    text = json.dumps(report, indent=1) + "\n"
    (out / "report.json").write_text(text)
    (out / "weights.npz").rename(out / f"policy-{sha256(text.encode()).hexdigest()[:12]}.npz")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=2560)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--count", type=int, default=1 << 16, help="deals in a round")
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    args.out.mkdir(parents=True, exist_ok=True)
    actor, log = learn(args.device, args.rounds, args.seed, count=args.count)
    save(actor, args.out, {"seed": args.seed, "rounds": args.rounds, "deals in a round": args.count, "log": log})


if __name__ == "__main__":
    main()
