"""Golden games: parties, or the ends of them, as text, every position of them pinned.

A file begins with what it shows, its seed, its options and seats where they are not the usual ones, or the position
that it starts `from`; then comes one line an action: ply, seat, action, `clock` or `leave` where the table acted, and
the position it leads to; last the outcome.

To add a game, write the head and the actions without positions. To write every position again, after a change of the
notation or of the rules that is meant, run the test with `--update-golden`, and read the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablee.core.discover import find
from tablee.core.game import Cause
from tablee.core.match import Match, read_options

Told = tuple[int, str, Cause | None]
"""Seat, action, and why the table acted for it."""


class GoldenGames:
    """The golden games of one folder."""

    def __init__(self, key: str, folder: Path) -> None:
        self.game = find(key).rules
        self.notation = self.game.notation
        self.paths = sorted(folder.glob("*.txt"))

    def read(self, text: str) -> tuple[str, dict[str, str], list[Told]]:
        """The heading, the head by its words, and the actions."""
        heading, head, steps = "", {}, []
        for line in text.splitlines():
            words = line.partition("|")[0].split()
            if line.startswith("#"):
                heading = line
            elif words and words[0].isdigit():
                if words[0] != "0":
                    forced = words[-1] in ("clock", "leave") and len(words) > 3
                    cause = Cause(words.pop()) if forced else None
                    steps.append((int(words[1]), " ".join(words[2:]), cause))
            elif words:
                head[words[0]] = line.partition(" ")[2].strip()
        return heading, head, steps

    def start(self, head: dict[str, str]) -> Match:
        pairs = (pair.split("=") for pair in head.get("options", "").split(",") if pair)
        options = {name: int(value) if value.isdigit() else value for name, value in pairs}
        seats = int(head.get("seats", self.game.info.seats[0]))
        match = Match(self.game, seats, read_options(self.game, options), head["seed"])
        if "from" in head:
            match.state = self.notation.read_state(head["from"])
        return match

    def play(self, match: Match, told: Told) -> None:
        seat, text, cause = told
        if cause is None:
            match.play(seat, self.notation.read_action(text))
        else:
            match.act_for(seat, cause)
            played = self.notation.write_action(match.steps[-1].action)
            assert played == text, f"the table plays otherwise for {cause}"

    def written(self, text: str) -> str:
        """The whole file as the rules in force write it."""
        heading, head, steps = self.read(text)
        match = self.start(head)
        lines = [heading, *(f"{word} {value}" for word, value in head.items() if word != "outcome"), ""]
        lines.append(self.line(0, "", match.state))
        for ply, told in enumerate(steps, 1):
            self.play(match, told)
            lines.append(self.line(ply, f"{told[0]} {told[1]} {told[2] or ''}", match.state))
        end = match.outcome
        result = f"{joined(end.scores)} places {joined(end.places)} {end.reason}" if end else "none yet"
        return "\n".join([*lines, "", f"outcome {result}", ""])

    def line(self, ply: int, told: str, state: Any) -> str:
        return f"{ply:3} {told:<17} | {self.notation.write_state(state)}"

    def check(self, path: Path, *, update: bool) -> None:
        """Play a game as it is written, line by line; its record plays it again."""
        text = path.read_text("utf-8")
        if update:
            text = self.written(text)
            path.write_text(text, "utf-8")
        for played, kept in zip(self.written(text).splitlines(), text.splitlines(), strict=True):
            assert played == kept
        _, head, steps = self.read(text)
        match = self.start(head)
        for told in steps:
            self.play(match, told)
        if "from" not in head:
            assert Match.replay(match.record()).state == match.state


def joined(values: tuple[int, ...]) -> str:
    return "/".join(map(str, values))
