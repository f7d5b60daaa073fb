"""A match between two draughts engines that speak Hub, on paired openings with a fixed number of nodes for each move.

    python bench/dames_match.py "tablee dames hub" "tablee dames hub" --games 200 --nodes 20000
    python bench/dames_match.py "tablee dames hub" "other-engine hub" --second-nodes 100000
    python bench/dames_match.py "tablee dames hub" "tablee dames hub" --second-params evaluation=hand

Each opening is a few random moves and is played twice, with the colours exchanged. The rules decide the result.
"""

from __future__ import annotations

import argparse
import random
import shlex
import subprocess
from statistics import fmean, stdev

from tablee.games.dames.board import TEN, Move, Position
from tablee.games.dames.hub_lines import parse, read_move, write_line, write_move, write_position
from tablee.games.dames.rules import endgame
from tablee.games.dames.search import Root, replayed

LONGEST = 400
"""Plies; a longer game is a draw."""


class Engine:
    """One engine in its own process."""

    def __init__(self, command: str, nodes: int, params: list[str]) -> None:
        self.nodes = nodes
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say("hub")
        self._wait_for("wait")
        for param in params:
            name, value = param.split("=", 1)
            self._say(write_line("set-param", name=name, value=value))
        self._say("init")
        self._wait_for("ready")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _wait_for(self, command: str) -> dict[str, str]:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said, arguments = parse(line)
            if said == "error":
                raise SystemExit(line)
            if said == command:
                return arguments
        raise SystemExit(f"an engine ended before it said {command}")

    def new_game(self) -> None:
        self._say("new-game")

    def choose(self, first: Position, moves: list[str]) -> str:
        played = {"moves": " ".join(moves)} if moves else {}
        self._say(write_line("pos", pos=write_position(first), **played))
        self._say(write_line("level", nodes=self.nodes))
        self._say("go think")
        return self._wait_for("done")["move"]

    def quit(self) -> None:
        self._say("quit")
        self._process.wait()


def opening(number: int, plies: int) -> Position:
    """Play random moves until nothing can be taken and the men are equal."""
    dice = random.Random(f"ouverture {number}")
    while True:
        position = TEN.start
        for _ in range(plies):
            position = TEN.play(position, dice.choice(TEN.moves(position)))
        other = position._replace(to_move=1 - position.to_move)
        is_quiet = not TEN.captures(position) and not TEN.captures(other)
        if is_quiet and position.red_men.bit_count() == position.black_men.bit_count():
            return position


def is_drawn(root: Root) -> bool:
    """Return whether D8 ends the game."""
    ending = endgame(root.position)
    again = sum(earlier == root.position for earlier in root.past) >= 2
    return root.king_moves >= 50 or again or (ending is not None and root.endgame_moves >= ending[0])


def play(first: Position, engines: tuple[Engine, Engine]) -> float:
    """Play a game; return the points of the engine with red."""
    for engine in engines:
        engine.new_game()
    # Send the position after the last capture or move of a man, and the moves since: no earlier one can be repeated.
    start, moves = first, list[Move]()
    for _ in range(LONGEST):
        root = replayed(TEN, start, moves)
        position = root.position
        if not TEN.moves(position):
            return float(position.to_move)
        if is_drawn(root):
            return 0.5
        chosen = engines[position.to_move].choose(start, [write_move(move) for move in moves])
        moves.append(read_move(position, chosen))
        if not replayed(TEN, start, moves).king_moves:
            start, moves = TEN.play(position, moves[-1]), []
    return 0.5


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--second-nodes", type=int, default=0)
    parser.add_argument("--first-params", nargs="*", default=[])
    parser.add_argument("--second-params", nargs="*", default=[])
    parser.add_argument("--plies", type=int, default=6, help="random moves of an opening")
    parser.add_argument("--seed", type=int, default=0, help="number of the first opening")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    first = Engine(options.first, options.nodes, options.first_params)
    second = Engine(options.second, options.second_nodes or options.nodes, options.second_params)
    games: list[float] = []
    pairs: list[float] = []
    for number in range(options.seed, options.seed + options.games // 2):
        start = opening(number, options.plies)
        pair = play(start, (first, second)), 1 - play(start, (second, first))
        games += pair
        pairs.append(fmean(pair))
        error = 1.96 * stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 0.5
        counts = games.count(1), games.count(0.5), games.count(0)
        score = fmean(pairs)
        print(
            f"\r{len(games)} games: {counts[0]} won, {counts[1]} drawn, {counts[2]} lost; the first scores "
            f"{score:.1%} ({max(0, score - error):.1%} to {min(1, score + error):.1%})",
            end="",
            flush=True,
        )
    print()
    first.quit()
    second.quit()


if __name__ == "__main__":
    main()
