"""Commands that read the record of a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import AsJson, fail, print_json

if TYPE_CHECKING:
    from ..core.fairness import Check
    from ..core.match import Match


def replay(file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as JSON.")]) -> None:
    """Replay a record and print its actions and outcome."""
    from msgspec import DecodeError

    from ..core.match import Match
    from ..core.record import CannotReplay, Record

    try:
        match = Match.replay(Record.from_json(file.read_bytes()))
    except (OSError, DecodeError, CannotReplay) as error:
        fail(f"{file}: {error}", code=1)
    for line in lines_of(match):
        typer.echo(line)


def lines_of(match: Match) -> Iterator[str]:
    """Yield every action in the game's notation, then the outcome."""
    yield f"{match.game.info.key}, {match.seats} seats, seed {match.seed!r}"
    for ply, step in enumerate(match.steps, 1):
        cause = f" ({step.cause})" if step.cause else ""
        yield f"{ply:>4}  seat {step.seat}  {match.game.notation.write_action(step.action)}{cause}"
    outcome = match.outcome
    if outcome is None:
        yield "not finished"
        return
    for seat, (place, score) in enumerate(zip(outcome.places, outcome.scores, strict=True)):
        yield f"seat {seat}: place {place}, score {score} ({outcome.reason})"


def decision(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a match, as JSON.")],
    ply: Annotated[int, typer.Option(min=0, help="How many actions came before the decision.")],
    level: Annotated[str, typer.Option(help="The level of the bot.")],
    seat: Annotated[int | None, typer.Option(min=0, help="Its seat; by default the one that acted.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="The time limit of the decision.")] = 1.0,
    taken_back: Annotated[int, typer.Option(min=0, help="How often moves had been taken back before.")] = 0,
) -> None:
    """Let a bot decide again at a moment of a record, with the seed that it had, and print how it ranks the actions.

    The server gives less time while many bots think, so its bot may have chosen something else.
    """
    from msgspec import DecodeError

    from ..bots.decide import UnknownLevel, decide_again
    from ..core.game import Refused
    from ..core.match import Match
    from ..core.record import CannotReplay, Record

    try:
        record = Record.from_json(file.read_bytes())
        if ply >= len(record.steps):
            fail(f"{file}: it has {len(record.steps)} actions; give a --ply below that", code=1)
        match = Match.begin(record)
        for step in record.steps[:ply]:
            match.replay_step(step)
        asked = record.steps[ply].seat if seat is None else seat
        chosen, ranked = decide_again(match, level, asked, seconds, taken_back)
    except UnknownLevel:
        fail(f"{record.game} has no level {level}", code=1)
    except (OSError, DecodeError, CannotReplay, Refused) as error:
        fail(f"{file}: {error}", code=1)
    write = match.game.notation.write_action
    typer.echo(f"seat {asked}, ply {ply}, {level}: {'waits' if chosen is None else write(chosen)}")
    for one in ranked:
        error_of_it = "" if one.error is None else f" ± {one.error:.3f}"
        typer.echo(f"{one.value:>10.3f}{error_of_it}  {write(one.action)}")


def verify(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a match, as JSON.")],
    commit: Annotated[
        str | None, typer.Option(metavar="HASH", help="The commitment from before the match, if you kept it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a record: commitment, seed, draws, actions and outcome.

    docs/fairness.md describes the method.
    """
    from msgspec import DecodeError

    from ..core.fairness import verify as checks_of
    from ..core.record import Record

    try:
        checks = checks_of(Record.from_json(file.read_bytes()), commit)
    except (OSError, DecodeError) as error:
        fail(f"{file}: {error}", code=1)
    if as_json:
        print_json(checks)
    else:
        print_checks(str(file), checks)
    raise typer.Exit(any(check.ok is False for check in checks))


def print_checks(title: str, checks: list[Check]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    marks = {True: ("✓", "green"), False: ("✗", "bold red"), None: ("–", "dim")}
    for check in checks:
        mark, style = marks[check.ok]
        console.print(Text.assemble((f"{mark} {check.what:<11} ", style), check.detail), soft_wrap=True)
    wrong = sum(check.ok is False for check in checks)
    verdict = Text("nothing is wrong", "green") if not wrong else Text(f"{wrong} of {len(checks)} fail", "bold red")
    console.print(Text.assemble(f"{title}: ", verdict), soft_wrap=True)
