"""The `tablee` command.

Each command imports what it needs when it runs, so that the others start fast. A game may add commands
(`Package.commands`); their modules are imported only when such a command runs.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from . import coach, data, develop, doctor, lessons, play, puzzles, records, serve, terminal


def mounted_commands() -> dict[str, str]:
    """Return the commands of all games as `module:attribute`, by name."""
    from ..core.discover import games

    return dict(sorted(item for package in games().values() for item in package.commands.items()))


class CommandGroup(TyperGroup):
    """Our commands, and those of games."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *mounted_commands()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in (commands := mounted_commands()):
            return own
        module, _, attribute = commands[cmd_name].partition(":")
        command = typer.main.get_group(getattr(import_module(module), attribute))
        command.name = cmd_name
        return command


main = typer.Typer(
    cls=CommandGroup,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # its table cuts long option names at 80 columns
    help="An online table for French games. Without a command, a terminal starts the site and opens the browser.",
)


def print_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"tablee {__version__}")
        raise typer.Exit


@main.callback()
def options(
    context: typer.Context,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Without a command: start the site, but open no browser.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    if no_browser or (sys.stdin.isatty() and sys.stdout.isatty()):
        from .start_here import start_here

        start_here(browser=not no_browser)
    else:
        typer.echo(context.get_help())
        raise typer.Exit(2)


for command in (
    serve.serve,
    doctor.doctor,
    terminal.play,
    play.arena,
    play.simulate,
    develop.new,
    play.laws,
    records.replay,
    records.decision,
    records.verify,
    data.index,
    data.check,
    data.copy,
    data.backup,
    data.restore,
    develop.types,
):
    main.command()(command)
main.add_typer(coach.app, name="coach")
main.add_typer(lessons.lesson, name="lesson")
main.add_typer(puzzles.app, name="puzzles")
