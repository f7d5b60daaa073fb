"""Commands about coaches."""

from __future__ import annotations

from typing import Annotated

import typer

from .output import AsJson, plain_errors, print_json, progress, read_json_object
from .play import GameKey, OptionsJson, Seats, Seed

app = typer.Typer(no_args_is_help=True, help="Measure the coaches, which give advice and review matches.")


@app.callback()
def coach() -> None:
    """Measure the coaches, which give advice and review matches."""


@app.command()
def calibrate(
    game: GameKey,
    matches: Annotated[int, typer.Option(min=1, help="Matches; the levels take turns in their seats.")] = 12,
    every: Annotated[int, typer.Option(min=1, help="Judge one decision in this many.")] = 1,
    seed: Seed = "calibrate",
    seats: Seats = None,
    options: OptionsJson = "{}",
    seconds: Annotated[float, typer.Option(min=0.001, help="Maximum time of a bot for one decision.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure what each level of bots loses by its decisions, for the marks and ratings of a coach."""
    from ..calibration import calibrate as measure

    with plain_errors(), progress(as_json) as bar:
        task = bar.add_task(f"{game}: calibrate", total=matches)
        found = measure(
            game,
            matches=matches,
            every=every,
            seats=seats,
            options=read_json_object(options),
            seed=seed,
            seconds=seconds,
            tick=lambda: bar.advance(task),
        )
    if as_json:
        return print_json(found)
    for one in found:
        inaccuracies, mistakes, blunders = (f"{100 * share:.1f} %" for share in one.marks)
        rating = "-" if one.rating is None else f"{one.rating:.0f}"
        typer.echo(
            f"{one.level:10} rating {rating:>5}: loses {one.loss:.4f} ± {one.error:.4f} in each of {one.decisions} "
            f"decisions (half {one.half:.3f}, nine tenths {one.most:.3f}); "
            f"inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}"
        )
