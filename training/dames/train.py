"""Train the pattern weights in one go: self-play, regression, match; then again with the improved player.

    python3 train.py --seconds 520 --out DIRECTORY
    python3 train.py --games 500000 --out DIRECTORY
    python3 train.py --smoke --out DIRECTORY

With `--seconds` every stage has a time limit. With `--games` games and steps limit it, and no clock. Weights and the
report are written after every round, so an interrupted training keeps what it had. With a GPU, self-play and regression
use it; without, the CPU.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

HERE = Path(__file__).parent
START_BOARDS = ("3ff7fe00000000", "0", "1ffbff", "0")
MOST_GAMES = 20_000_000
"""The most games of a round that the time limits."""
NEVER = 1e8
"""Seconds that do not pass during a training."""
STAGES = "play", "fit", "match"


class Log:
    """The report, written to disk after every change."""

    def __init__(self, path: Path, report: dict) -> None:
        self.path, self.report, self.began = path, report, time.monotonic()
        self.done = dict.fromkeys(("games", "positions", "steps"), 0)
        self.stage, self.stages = 0, 0

    def note(self, text: str) -> None:
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def stage_done(self, **work: int) -> None:
        """Add what a stage has done, and tell how far the training is; `tablee dames train` reads this line."""
        self.stage += 1
        self.done = {name: count + work.get(name, 0) for name, count in self.done.items()}
        told = ", ".join(f"{count:,} {name}" for name, count in self.done.items())
        print(f"stage {self.stage} of {self.stages}: {told}", flush=True)

    def save(self) -> None:
        self.report["seconds_spent"] = round(time.monotonic() - self.began, 1)
        self.path.write_text(json.dumps(self.report, indent=1) + "\n")


def build(work: Path, log: Log, cpu: bool) -> list[dict]:
    """Compile self-play and return the ways to run it; check the rules with a short perft."""
    perft = ["g++", "-O2", "-std=c++17", str(HERE / "perft.cpp"), "-o", str(work / "perft")]
    host = ["g++", "-O3", "-march=native", "-DHOST", "-std=c++17", "-pthread", "-x", "c++", str(HERE / "selfplay.cu")]
    gpu = ["nvcc", "-O3", "-std=c++17", "-arch=sm_90", "--expt-relaxed-constexpr", str(HERE / "selfplay.cu")]
    jobs = {"perft": perft, "host": [*host, "-o", str(work / "host")]}
    for blocks in () if cpu or not shutil.which("nvcc") else (8, 16, 24):
        jobs[f"gpu{blocks}"] = [*gpu, f"-DBLOCKS={blocks}", "-Xptxas", "-v", "-o", str(work / f"gpu{blocks}")]
    running = {
        name: subprocess.Popen(job, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for name, job in jobs.items()
    }
    built = {}
    for name, process in running.items():
        output, _ = process.communicate(timeout=180)
        built[name] = process.returncode == 0
        registers = [line.strip() for line in output.splitlines() if "registers" in line or "error" in line]
        log.note(f"built {name}: {'ok' if built[name] else 'FAILED'} {'; '.join(registers)[-300:]}")
    count = subprocess.run(
        [work / "perft", "0", *START_BOARDS, "7"], capture_output=True, text=True, check=True, timeout=30
    )
    if int(count.stdout) != 1049442:
        raise SystemExit(f"perft 7 from the start is {count.stdout.strip()}, not 1049442: the rules are wrong")
    ways = (
        [{"name": "host", "program": "host", "extra": ["--threads", str(os.cpu_count() or 1)]}] if built["host"] else []
    )
    for blocks, limits in ((8, (4, 8, 12)), (16, (16,)), (24, (24,))):
        if built.get(f"gpu{blocks}"):
            ways += [
                {"name": f"gpu{blocks}/{n}", "program": f"gpu{blocks}", "extra": ["--blocks", str(n)]} for n in limits
            ]
    return ways


class Players:
    """Runs the compiled program."""

    def __init__(self, work: Path, log: Log) -> None:
        self.work, self.log, self.way = work, log, {}

    def run(self, mode: str, way: dict | None = None, limit: float | None = 60, **options: object) -> dict:
        way = way or self.way
        command = [str(self.work / way["program"]), mode, *way["extra"]]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr[-500:]}")
        return json.loads(done.stdout)

    def choose(self, ways: list[dict], seconds: float, nodes: int) -> None:
        """Use the fastest way to play."""
        speeds = {}
        for way in ways:
            try:
                found = self.run(
                    "play", way, 60, games=10**7, room=10, seconds=seconds, hard=seconds, nodes=nodes, samples=0
                )
                speeds[way["name"]] = round(found["nodes"] / max(found["played_seconds"], 0.01))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                self.log.note(f"{way['name']} failed: {error}")
        if not speeds:
            raise SystemExit("self-play does not run")
        self.log.report["nodes_per_second"] = speeds
        self.log.note(f"nodes per second: {speeds}")
        best = max(speeds, key=speeds.__getitem__)
        self.way = next(way for way in ways if way["name"] == best)
        self.log.report["way"] = best

    def play(self, seconds: float | None, games: int | None, **options: object) -> dict:
        """Play so many games, or as many as the time allows; games that have begun get a part of it to end."""
        if seconds is None:
            return self.run("play", limit=None, games=games, seconds=NEVER, hard=NEVER, **options)
        tail = min(seconds * 0.3, 12)
        limits = {"games": games or MOST_GAMES, "seconds": seconds - tail, "hard": seconds}
        return self.run("play", limit=seconds * 2 + 60, **limits, **options)

    def match(
        self, weights: Path, against: Path | str, seconds: float | None, games: int | None, nodes: int, seed: int
    ) -> dict:
        """Play a match with a tenth of the games of a round, or as many as the time allows."""
        options = {"weights": weights, "against": against, "nodes": nodes, "seed": seed}
        if seconds is None:
            most = max(1000, (games or 0) // 10)
            found = self.run("match", limit=None, games=most, seconds=NEVER, hard=NEVER, **options)
        else:
            limits = {"games": 4_000_000, "seconds": seconds * 0.6, "hard": seconds}
            found = self.run("match", limit=seconds * 2 + 30, **limits, **options)
        return {"nodes_per_move": nodes, "seed": seed, **found}


def tune(fit, data, seconds: float | None, log: Log) -> dict:
    """Try several strengths of regularisation; return the best."""
    tried = []
    for own, part in ((30, 10), (100, 30), (300, 100), (1000, 100)):
        _, found = fit.fit(data, fit.Options(seconds=seconds and seconds / 4, own_decay=own, part_decay=part))
        tried.append({"own_decay": own, "part_decay": part, "held_out": found["best_held_out_loss"]})
    log.report["regularisation"] = tried
    best = min(tried, key=lambda one: one["held_out"])
    log.note(f"regularisation: {tried}")
    return {"own_decay": best["own_decay"], "part_decay": best["part_decay"]}


def plan(options: argparse.Namespace, left: float) -> list[dict]:
    """Share the time that is left among the rounds; None for each stage if games limit them."""
    if options.smoke:
        rounds = [{"play": 6, "fit": 3, "match": 3, "nodes": 100}, {"play": 6, "fit": 3, "match": 3, "nodes": 100}]
    else:
        rounds = [
            {"play": 45, "fit": 30, "match": 8, "nodes": options.nodes},
            {"play": 65, "fit": 30, "match": 8, "nodes": options.nodes},
            {"play": 85, "fit": 40, "match": 8, "nodes": options.nodes * 3 // 2},
            {"play": 95, "fit": 50, "match": 12, "nodes": options.nodes * 2},
        ]
    if options.games:
        return [{**dict.fromkeys(STAGES), "nodes": one["nodes"]} for one in rounds]
    # Reading samples and preparing features takes about a quarter of the time of play.
    wanted = sum(one["play"] * 1.25 + one["fit"] + 2 * one["match"] for one in rounds)
    scale = left / wanted
    return [{name: value if name == "nodes" else value * scale for name, value in one.items()} for one in rounds]


def golden(fit, weights, samples, players: Players, merged: Path, count: int) -> dict:
    """Evaluate positions in C++ and in torch; the values must be the same. Return some for the test of the product."""
    kings = (samples["red_kings"] | samples["black_kings"]) != 0
    few = samples[kings][:4000], samples[~kings][:4000]
    chosen = fit.np.concatenate(few)
    source, target = players.work / "golden.bin", players.work / "golden.values"
    chosen.tofile(source)
    players.run("eval", weights=merged, **{"in": source, "out": target})
    found = fit.np.fromfile(target, "<i4")
    expected = fit.values(weights, fit.read_boards(chosen)).cpu().numpy()
    differ = (found != expected) & (found != -30000)
    step = max(len(chosen) // count, 1)
    rows = [
        [*(int(row[name]) for name in fit.SAMPLE.names[:4]), int(row["to_move"]), int(value)]
        for row, value in list(zip(chosen, found, strict=True))[::step]
    ]
    return {"checked": len(chosen), "differ": int(differ.sum()), "positions": rows[:count]}


def play_round(number: int, one: dict, state: dict, players: Players, fit, log: Log, options) -> None:
    """Play, fit and compare once."""
    out, work, entry = Path(options.out), players.work, {"round": number, "plan": one}
    log.report["rounds"].append(entry)
    path = work / f"samples{number}.bin"
    entry["play"] = players.play(
        one["play"],
        options.games,
        weights=state["merged"],
        nodes=one["nodes"],
        room=0 if options.games else options.room,  # 0: all of them
        seed=options.seed * 1000 + number,
        out=path,
    )
    log.note(f"round {number}: played {entry['play']}")
    log.stage_done(games=entry["play"]["games"], positions=entry["play"]["positions"])
    log.save()
    state["files"].append(path)
    began = time.monotonic()
    samples = fit.read_samples(state["files"][-2:], options.room)
    data = fit.prepare(samples)
    entry["prepare_seconds"] = round(time.monotonic() - began, 1)
    seconds = one["fit"]
    if number == 1:
        seconds = seconds and seconds / 2
        state["decay"] = tune(fit, data, seconds, log)
    weights, entry["fit"] = fit.fit(data, fit.Options(seconds=seconds, **state["decay"]))
    log.note(f"round {number}: fitted, { {k: v for k, v in entry['fit'].items() if k not in ('losses', 'options')} }")
    log.stage_done(steps=entry["fit"]["steps"])
    merged = work / f"merged{number}.bin"
    fit.save_merged(weights, merged)
    file = out / f"round{number}.npz"
    entry["weights"] = {"file": file.name, "sha256": fit.save(weights, file), "bytes": file.stat().st_size}
    check = golden(fit, weights, samples, players, merged, 400)
    entry["evaluations_checked"], entry["evaluations_differ"] = check["checked"], check["differ"]
    (out / "golden.json").write_text(json.dumps({"weights": file.name, "positions": check["positions"]}))
    log.note(
        f"round {number}: {file.stat().st_size} bytes; C++ and torch differ on {check['differ']} of {check['checked']}"
    )
    log.save()
    entry["matches"] = {}
    for name, against in {"hand": "hand", "previous": state["merged"]}.items():
        if name == "previous" and number == 1:
            continue
        seed = options.seed + 77 + number
        entry["matches"][name] = players.match(merged, against, one["match"], options.games, options.nodes, seed)
        log.note(f"round {number}: against {name} {entry['matches'][name]}")
        log.save()
    log.stage_done(games=sum(found["games"] for found in entry["matches"].values()))
    state["merged"] = merged


def publish(log: Log, options: argparse.Namespace) -> None:
    """Name the last weights after the hash of their report."""
    out = Path(options.out)
    done = [one for one in log.report["rounds"] if "weights" in one]
    if not done:
        return
    log.report["shipped"] = done[-1]["weights"]
    log.save()
    name = hashlib.sha256(log.path.read_bytes()).hexdigest()[:12]
    shutil.copy(out / done[-1]["weights"]["file"], out / f"patterns-{name}.npz")
    (out / done[-1]["weights"]["file"]).unlink()
    log.note(f"shipped patterns-{name}.npz")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.environ.get("OUT", "out"))
    parser.add_argument("--work", default="/dev/shm/dames-training")
    parser.add_argument("--seconds", type=float, default=520)
    parser.add_argument("--nodes", type=int, default=300, help="nodes of a move in self-play and matches")
    parser.add_argument("--games", type=int, help="the games of a round; then no clock limits the training")
    parser.add_argument("--room", type=int, default=60_000_000, help="the most positions of a regression")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="do not use the GPU for self-play")
    parser.add_argument("--smoke", action="store_true", help="two very short rounds, to find mistakes")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.smoke:
        options.room = min(options.room, 4_000_000)
    out, work = Path(options.out), Path(options.work)
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    asked = {name: value for name, value in vars(options).items() if name not in ("out", "work")}
    limit = "games and steps" if options.games else "time"
    log = Log(out / "report.json", {"seed": options.seed, "limit": limit, "options": asked, "rounds": []})
    try:
        ways = build(work, log, options.cpu)
        sys.path.insert(0, str(HERE))
        import fit

        log.report["device"] = str(fit.device())
        log.note(f"torch {fit.torch.__version__} on {fit.device()}")
        players = Players(work, log)
        players.choose(ways, 1.5 if options.smoke else 2, options.nodes)
        left = options.seconds - (time.monotonic() - log.began) - 10
        rounds = plan(options, left if not options.smoke else 42)
        state: dict = {"merged": "hand", "files": []}
        log.stages = len(STAGES) * len(rounds)
        for number, one in enumerate(rounds, 1):
            play_round(number, one, state, players, fit, log, options)
        for nodes in () if options.smoke else (options.nodes * 10,):
            if options.games or time.monotonic() - log.began < options.seconds - 10:
                seconds = None if options.games else 8
                found = players.match(state["merged"], "hand", seconds, options.games, nodes, options.seed + 999)
                log.report["last_match"] = found
                log.note(f"against hand with {nodes} nodes: {found}")
    except BaseException:
        log.report["error"] = traceback.format_exc()
        log.note(log.report["error"])
        return 1
    finally:
        log.save()
        publish(log, options)
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
