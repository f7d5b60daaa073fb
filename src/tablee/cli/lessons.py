"""Commands for the authors of lessons."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import fail

lesson = typer.Typer(no_args_is_help=True, help="Work on lessons (docs/lessons.md).")


@lesson.callback()
def lesson_commands() -> None:
    pass


@lesson.command()
def check(file: Annotated[Path, typer.Argument(metavar="FILE", help="A lesson, as JSON.")]) -> None:
    """Play a lesson with the rules of its game, and print what is wrong with it."""
    from ..core.lessons import BadLesson, problems_of, read_lesson

    try:
        found = read_lesson(file.read_bytes())
        problems = problems_of(found)
    except (OSError, BadLesson) as error:
        fail(f"{file}: {error}", code=1)
    for problem in problems:
        typer.echo(f"{file}: {problem}", err=True)
    if problems:
        raise typer.Exit(1)
    typer.echo(f"{file}: {len(found.moments)} moments, {len(found.rules)} rules, nothing is wrong")
