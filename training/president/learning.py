"""Self-play and learning: the judge from results, the small network from the judge."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

import tables as simulation
from networks import Judge, Small, evaluated, exported
from tables import COUNT, MATCHES, PLAYERS, POINTS, SEAT, SEATS, TALLIES, TITLES, Tables

MIX = {4: 0.35, 5: 0.12, 6: 0.12, 7: 0.11, 8: 0.30}
"""How often each number of seats is played."""
FIRST, SECOND, HEURISTIC = 0, 1, 2
GUESTS = 4
"""In one of so many games, the heuristic plays every other seat, so that the judge knows other players as well."""
TEMPERATURE = 0.15
"""The small network learns the judge's values divided by this, as a softmax."""


@dataclass
class Plan:
    """Sizes and times of a training."""

    seconds: float
    games: int
    ring: int
    batch: int
    hidden: tuple[int, ...]
    small: int
    pupils: int
    """The small network learns from the options of so many games in each step."""
    pairs: int
    """The number of paired matches in a comparison."""
    checks: float
    """Seconds between two checkpoints."""
    rate: float = 1e-3
    last_rate: float = 1e-5
    epsilon: float = 0.10
    last_epsilon: float = 0.01
    distil_from: float = 0.5
    """The part of the time after which the small network starts to learn."""


@dataclass
class Progress:
    """The report and the clock."""

    out: Path
    report: dict
    began: float

    def spent(self) -> float:
        return time.monotonic() - self.began

    def note(self, text: str) -> None:
        print(f"{self.spent():7.1f} s  {text}", flush=True)

    def save(self, arrays: dict[str, np.ndarray], name: str = "weights.npz") -> None:
        """Write the weights and the report; a reader never finds half a file."""
        path = self.out / name
        with tempfile.TemporaryDirectory(dir=self.out) as work:
            part = Path(work) / "part.npz"
            np.savez_compressed(part, **arrays)
            self.report["weights_sha256"] = hashlib.sha256(part.read_bytes()).hexdigest()
            self.report["weights_bytes"] = part.stat().st_size
            part.replace(path)
            self.report["seconds_spent"] = round(self.spent(), 1)
            note = Path(work) / "report.json"
            note.write_text(json.dumps(self.report, indent=1) + "\n")
            note.replace(self.out / "report.json")


def half(device: torch.device, play: bool) -> torch.dtype:
    """Return the type of numbers: playing needs exact values, learning a wide range."""
    if device.type == "cpu":
        return torch.float32
    return torch.float16 if play else torch.bfloat16


def precision(device: torch.device, play: bool) -> torch.autocast:
    return torch.autocast(device.type, dtype=half(device, play), enabled=device.type == "cuda")


def values_of(network: Judge | Small, game: Tables, rows: torch.Tensor) -> torch.Tensor:
    with torch.no_grad(), precision(game.device, True):
        return network.values(game.spread(rows, half(game.device, True))).float()


def match(
    lib: object,
    device: torch.device,
    first: Judge | Small,
    second: Judge | Small | None,
    seats: int,
    pairs: int,
    seed: int,
    limit: float,
) -> dict:
    """Play paired matches of five manches, alternating seats, and compare; without a second network, the heuristic."""
    other = HEURISTIC if second is None else SECOND
    alternate = (FIRST, other) * 5
    line_ups = [sum(alternate[seat + turn] << 4 * seat for seat in range(seats)) for turn in (0, 1)]
    game = Tables(
        lib, device, [seats] * 2 * pairs, seed, players=line_ups * pairs, numbers=[at // 2 for at in range(2 * pairs)]
    )
    began = time.monotonic()
    while time.monotonic() - began < limit:
        rows = game.step()
        if game.total == 0:
            break
        values = values_of(first, game, rows)
        if second is not None:
            counts, seat = game.games[:, COUNT], game.games[:, SEAT]
            player = (game.games[:, PLAYERS] >> 4 * seat) & 15
            player = torch.repeat_interleave(player, counts)
            values = torch.where(player == FIRST, values, values_of(second, game, rows))
        game.choose(values)
    return compared(game, seats, pairs)


def compared(game: Tables, seats: int, pairs: int) -> dict:
    """Return the first player's share of beaten opponents and its points, with 95 % confidence intervals."""
    games = game.games.cpu()
    points = games[:, POINTS : POINTS + seats].double()
    mine, theirs = points[:, :, None], points[:, None, :]
    shares = ((mine > theirs).double() + (mine == theirs).double() / 2).sum(2).sub(0.5) / (seats - 1)
    first = torch.stack([(games[:, PLAYERS] >> 4 * seat & 15) == FIRST for seat in range(seats)], 1)
    done = (games[:, MATCHES] > 0).view(pairs, 2).all(1)
    found: dict = {"seats": seats, "matches": 2 * int(done.sum()), "unfinished": 2 * int((~done).sum())}
    if done.sum() < 2:
        return found
    for name, one in (("share", shares), ("points", points)):
        each = ((one * first).sum(1) / first.sum(1)).view(pairs, 2).mean(1)[done]
        error = 1.96 * float(each.std()) / math.sqrt(len(each))
        found[name] = [round(float(each.mean()), 4), round(error, 4)]
    return found


class Training:
    """Self-play, the two networks and what they learned so far."""

    def __init__(self, plan: Plan, seed: int, device: torch.device, lib: object, progress: Progress) -> None:
        self.plan, self.seed, self.device, self.lib, self.progress = plan, seed, device, lib, progress
        torch.manual_seed(seed)
        self.judge, self.small = Judge(plan.hidden).to(device), Small(plan.small).to(device)
        self.mean = copy.deepcopy(self.judge).requires_grad_(False)
        """The judge's weights, averaged over the last steps."""
        fused = {"fused": True} if device.type == "cuda" else {}
        self.learn = torch.optim.Adam(self.judge.parameters(), plan.rate, **fused)
        self.distil = torch.optim.Adam(self.small.parameters(), 2e-3, **fused)
        seats = np.random.default_rng(seed).choice(list(MIX), plan.games, p=list(MIX.values())).tolist()
        guests = sum(HEURISTIC << 8 * pair for pair in range(4))
        players = [guests << 4 * (at & 1) if at // 2 % GUESTS == 0 else 0 for at in range(plan.games)]
        self.game = Tables(lib, device, seats, seed, players=players, ring=plan.ring)
        self.kept = torch.zeros(plan.ring, plan.games, simulation.WORDS, dtype=torch.int32, device=device)
        self.steps = self.lessons = self.decisions = 0
        self.loss = torch.zeros((), device=device)
        self.small_loss = torch.zeros((), device=device)
        self.losses: list[dict] = []

    def play(self, part: float) -> None:
        """Make one choice in every game."""
        rows = self.game.step()
        values = values_of(self.judge, self.game, rows)
        epsilon = self.plan.last_epsilon + (self.plan.epsilon - self.plan.last_epsilon) * max(0.0, 1 - 1.5 * part)
        self.game.choose(values, epsilon)
        self.kept[self.steps % self.plan.ring] = rows[self.game.picked]
        self.steps += 1
        self.decisions += self.plan.games
        if part >= self.plan.distil_from:
            self.teach(rows, values, part)

    def lesson(self, part: float) -> None:
        """Let the judge learn from choices of the last steps whose manches are over."""
        plan = self.plan
        at = torch.randint(min(self.steps, plan.ring) * plan.games, (plan.batch,), device=self.device)
        rows, labels = self.kept.view(-1, simulation.WORDS)[at], self.game.labels.view(-1)[at].long()
        for group in self.learn.param_groups:
            group["lr"] = rate(plan.rate, plan.last_rate, part)
        with precision(self.device, False):
            logits = self.judge(self.game.spread(rows, half(self.device, False)))
        loss = functional.cross_entropy(logits.float(), labels, ignore_index=-1, reduction="sum")
        loss = loss / (labels >= 0).sum().clamp(min=1)
        self.learn.zero_grad(set_to_none=True)
        loss.backward()
        self.learn.step()
        self.lessons += 1
        self.loss.lerp_(loss.detach(), 0.02)
        ours, theirs = list(self.mean.parameters()), list(self.judge.parameters())
        torch._foreach_lerp_(ours, [one.detach() for one in theirs], min(0.002 + 1 / self.lessons, 1.0))

    def teach(self, rows: torch.Tensor, values: torch.Tensor, part: float) -> None:
        """Let the small network learn the judge's preferences among the options of some games."""
        count = min(self.plan.pupils, self.plan.games)
        end = int(self.game.ends[count - 1])
        counts = self.game.games[:count, COUNT]
        group = torch.repeat_interleave(torch.arange(count, device=self.device), counts, output_size=end)
        for one in self.distil.param_groups:
            one["lr"] = rate(2e-3, 2e-5, (part - self.plan.distil_from) / (1 - self.plan.distil_from))
        wanted = torch.exp(log_softmax(values[:end] / TEMPERATURE, group, count))
        with precision(self.device, False):
            scores = self.small(self.game.spread(rows[:end], half(self.device, False))).float()
        loss = -(wanted * log_softmax(scores, group, count)).sum() / count
        self.distil.zero_grad(set_to_none=True)
        loss.backward()
        self.distil.step()
        self.small_loss.lerp_(loss.detach(), 0.02)

    def run(self, until: float) -> None:
        """Play and learn until a time, with checkpoints."""
        began, checked = self.progress.spent(), self.progress.spent()
        earlier: Judge | None = None
        while (now := self.progress.spent()) < until:
            part = (now - began) / (until - began)
            self.play(part)
            if self.steps > self.plan.ring // 2:
                self.lesson(part)
            if now - checked > self.plan.checks:
                self.check(part, earlier)
                earlier = copy.deepcopy(self.mean)
                checked = self.progress.spent()

    def check(self, part: float, earlier: Judge | None) -> None:
        """Compare the judge with the heuristic and its earlier self; write a checkpoint."""
        found = {
            "seconds": round(self.progress.spent(), 1),
            "part": round(part, 3),
            "steps": self.steps,
            "lessons": self.lessons,
            "loss": round(float(self.loss), 4),
            "small_loss": round(float(self.small_loss), 4),
            "heuristic": [self.match(None, seats, 4.0) for seats in (4, 8)],
        }
        if earlier is not None:
            found["earlier"] = [self.match(earlier, 4, 4.0)]
        self.losses.append(found)
        self.progress.note(json.dumps(found))
        if not math.isfinite(found["loss"]):
            raise SystemExit("the loss is not a number: the last checkpoint stays as it is")
        self.summarise()
        self.progress.save(exported(self.mean, self.small))

    def match(self, second: Judge | Small | None, seats: int, limit: float, first: Judge | Small | None = None) -> dict:
        seed = self.seed + 1000 + self.steps
        return match(self.lib, self.device, first or self.mean, second, seats, self.plan.pairs, seed, limit)

    def summarise(self) -> None:
        tallies = self.game.tallies.cpu()
        self.progress.report.update(
            decisions=self.decisions,
            manches=int(tallies[TALLIES]),
            actions=int(tallies[TALLIES + 1]),
            matches_played=int(self.game.games[:, MATCHES].sum()),
            lessons=self.lessons,
            samples_learned=self.lessons * self.plan.batch,
            places_by_seats_and_title=tallies[:TALLIES].view(5, 8, 8)[:, :5].tolist(),
            checks=self.losses,
        )

    def finish(self, until: float) -> None:
        """Play the last matches and write all files."""
        progress = self.progress
        final: dict = {}
        contests = {
            "judge_heuristic": (self.mean, None),
            "small_heuristic": (self.small, None),
            "judge_small": (self.mean, self.small),
        }
        left = 2 * len(contests)
        for name, (first, second) in contests.items():
            for seats in (4, 8):
                limit = (until - progress.spent() - 3) / left
                left -= 1
                final.setdefault(name, []).append(self.match(second, seats, limit, first))
                progress.note(f"{name}: {final[name][-1]}")
        progress.report["matches"] = final
        self.summarise()
        arrays = exported(self.mean, self.small)
        progress.save(arrays)
        sample = self.golden(arrays)
        (progress.out / "golden.json").write_text(json.dumps(sample) + "\n")
        progress.report["golden_difference"] = sample["difference"]
        progress.save(arrays)
        digest = hashlib.sha256((progress.out / "report.json").read_bytes()).hexdigest()[:12]
        (progress.out / "weights.npz").replace(progress.out / f"networks-{digest}.npz")
        progress.note(f"wrote networks-{digest}.npz, {progress.report['weights_bytes']} bytes")

    def golden(self, arrays: dict[str, np.ndarray], most: int = 40) -> dict:
        """Return choices with what the networks say, by NumPy and the exported weights."""
        rows = self.game.step()
        with torch.no_grad():
            exact = self.mean.values(self.game.spread(rows, half(self.device, True)).float())
        counts = self.game.games[:, COUNT].tolist()
        games, options = self.game.games.cpu().tolist(), self.game.options.cpu().tolist()
        few = [at for seats in MIX for at in range(len(games)) if games[at][SEATS] == seats and 1 < counts[at] < 9]
        chosen = few[:: max(1, len(few) // most)]
        ends = self.game.ends.cpu().tolist()
        choices, difference = [], 0.0
        for at in chosen:
            span = slice(ends[at] - counts[at], ends[at])
            words = rows[span].cpu().numpy().view(np.uint32)
            bits = (words[:, :, None] >> np.arange(32, dtype=np.uint32) & 1).reshape(len(words), -1)
            odds, values, scores = evaluated(arrays, bits)
            difference = max(difference, float(np.abs(values - exact[span].cpu().numpy()).max()))
            choices.append(
                {
                    "state": games[at][:40],
                    "titles": games[at][TITLES],
                    "seat": games[at][SEAT],
                    "actions": options[at][: counts[at]],
                    "rows": ["".join(f"{word:08x}" for word in row) for row in words.tolist()],
                    "odds": np.round(odds, 5).tolist(),
                    "values": np.round(values, 5).tolist(),
                    "scores": np.round(scores, 4).tolist(),
                }
            )
        return {"difference": difference, "choices": choices}


def rate(first: float, last: float, part: float) -> float:
    """Return the learning rate: it falls along a cosine."""
    return last + (first - last) * (1 + math.cos(math.pi * min(max(part, 0.0), 1.0))) / 2


def log_softmax(values: torch.Tensor, group: torch.Tensor, count: int) -> torch.Tensor:
    """Return the logarithm of the softmax inside each group."""
    most = torch.full((count,), -1e9, device=values.device).scatter_reduce(0, group, values.detach(), "amax")
    shifted = values - most[group]
    sums = torch.zeros(count, device=values.device).index_add(0, group, torch.exp(shifted))
    return shifted - torch.log(sums.clamp(min=1e-30))[group]


def plan_for(seconds: float, smoke: bool, device: torch.device) -> Plan:
    if smoke:
        return Plan(min(seconds, 60.0), 512, 96, 1024, (64, 32), 32, 128, 24, 15.0)
    if device.type == "cpu":
        return Plan(seconds, 2048, 128, 2048, (256, 192, 128), 128, 256, 64, 60.0)
    return Plan(seconds, 32768, 256, 32768, (512, 384, 256), 128, 4096, 1024, 60.0)


def train(seconds: float, smoke: bool, out: Path, seed: int, cpu: bool, began: float) -> None:
    """Train and write all files within the time."""
    device = torch.device("cuda" if torch.cuda.is_available() and not cpu else "cpu")
    plan = plan_for(seconds, smoke, device)
    name = torch.cuda.get_device_name() if device.type == "cuda" else "cpu"
    progress = Progress(out, {"seed": seed, "device": name, "plan": vars(plan).copy(), "mix": MIX}, began)
    with tempfile.TemporaryDirectory() as work:
        lib = simulation.build(Path(work), device.type == "cpu")
        progress.note(f"built for {name}, {plan}")
        training = Training(plan, seed, device, lib, progress)
        training.run(plan.seconds * 0.92 - 5)
        training.finish(plan.seconds)
    progress.note("done")
