"""Golden matches: whole matches, or the ends of matches, as text with every position.

A file starts with a head: a title, the seed, the options and seats if they are not the defaults, or the position that
the match starts `from`. Each following line is an action: ply, seat, action, `clock` or `leave` if the table acted, and
the new position. The last line is the outcome.

To add a match, write the head and the actions without positions and run the test with `--update-golden`. Do the same
after a deliberate change of the rules or the notation, and read the diff before you commit it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablee.core.discover import find
from tablee.core.game import Cause
from tablee.core.match import Match, read_options

Step = tuple[int, str, Cause | None]
"""Seat, action as text, and the cause if the table acted for the seat."""


class GoldenGames:
    """The golden matches in one folder."""

    def __init__(self, key: str, folder: Path) -> None:
        self.game = find(key).rules
        self.notation = self.game.notation
        self.paths = sorted(folder.glob("*.txt"))

    def read(self, text: str) -> tuple[str, dict[str, str], list[Step]]:
        """Return the title, the head and the steps of a file."""
        title = ""
        head: dict[str, str] = {}
        steps: list[Step] = []
        for line in text.splitlines():
            words = line.partition("|")[0].split()
            if line.startswith("#"):
                title = line
            elif words and words[0].isdigit():
                if words[0] != "0":
                    forced = words[-1] in ("clock", "leave") and len(words) > 3
                    cause = Cause(words.pop()) if forced else None
                    steps.append((int(words[1]), " ".join(words[2:]), cause))
            elif words:
                head[words[0]] = line.partition(" ")[2].strip()
        return title, head, steps

    def start(self, head: dict[str, str]) -> Match:
        pairs = (pair.split("=") for pair in head.get("options", "").split(",") if pair)
        options = {name: int(value) if value.isdigit() else value for name, value in pairs}
        seats = int(head.get("seats", self.game.info.seats[0]))
        match = Match(self.game, seats, read_options(self.game, options), head["seed"])
        if "from" in head:
            match.state = self.notation.read_state(head["from"])
        return match

    def play(self, match: Match, step: Step) -> None:
        seat, text, cause = step
        if cause is None:
            match.play(seat, self.notation.read_action(text))
        else:
            match.act_for(seat, cause)
            played = self.notation.write_action(match.steps[-1].action)
            assert played == text, f"for {cause} the table plays {played!r}, but the file has {text!r}"

    def written(self, text: str) -> str:
        """Replay a file and return its text as the present rules write it."""
        title, head, steps = self.read(text)
        match = self.start(head)
        lines = [title, *(f"{word} {value}" for word, value in head.items() if word != "outcome"), ""]
        lines.append(self.line(0, "", match.state))
        for ply, (seat, action, cause) in enumerate(steps, 1):
            self.play(match, (seat, action, cause))
            lines.append(self.line(ply, f"{seat} {action} {cause or ''}", match.state))
        end = match.outcome
        result = f"{joined(end.scores)} places {joined(end.places)} {end.reason}" if end else "none yet"
        return "\n".join([*lines, "", f"outcome {result}", ""])

    def line(self, ply: int, step: str, state: Any) -> str:
        return f"{ply:3} {step:<17} | {self.notation.write_state(state)}"

    def check(self, path: Path, *, update: bool) -> None:
        """Check that a match replays line by line, and that its record replays to the same state."""
        text = path.read_text("utf-8")
        if update:
            text = self.written(text)
            path.write_text(text, "utf-8")
        for played, kept in zip(self.written(text).splitlines(), text.splitlines(), strict=True):
            assert played == kept
        _, head, steps = self.read(text)
        match = self.start(head)
        for step in steps:
            self.play(match, step)
        if "from" not in head:
            assert Match.replay(match.record()).state == match.state


def joined(values: tuple[int, ...]) -> str:
    return "/".join(map(str, values))
