"""The commands of `tablee lexicon`, which manage the word lists of Scrabble."""

from __future__ import annotations

import lzma
import os
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

    from .lexicon import Lexicon

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Manage the word lists of Scrabble: list them, check words, add your own.",
)

Data = Annotated[Path | None, typer.Option(help="The server's data folder; its lexicons/ has your own lists.")]
Ref = Annotated[
    str, typer.Option("--lexicon", metavar="NAME[:HASH]", help="The word list; the shipped one by default.")
]
Seed = Annotated[int, typer.Option(help="The seed; the same seed gives the same file.")]
Folder = Annotated[Path | None, typer.Option(help="The folder to write to; by default that of the list.")]


@app.command()
def build(
    sources: Annotated[Path, typer.Argument(metavar="FOLDER", help="The files that data/README.md lists, unpacked.")],
    out: Annotated[
        Path | None, typer.Option(help="The folder to write to; by default that of the shipped list.")
    ] = None,
) -> None:
    """Build the shipped list from its sources; the same sources give the same files, byte for byte."""
    from .composing import compose
    from .lexicon import DEFAULT, SHIPPED, Lexicon, write_atomically
    from .meanings import write_bases
    from .sources import Sources

    folder = out or SHIPPED
    try:
        parts = compose(Sources(sources))
    except (OSError, ValueError) as error:
        fail(f"{error}; data/README.md says which files of which packages belong into {sources}")
    made = Lexicon(DEFAULT, (word for forms in parts.values() for word in forms))
    for part, forms in parts.items():
        path = folder / f"{made.ref.replace(':', '.')}.{part}.txt.xz"
        write_atomically(path, lzma.compress("\n".join(sorted(forms)).encode(), preset=9 | lzma.PRESET_EXTREME))
        bases = write_bases(folder, part, forms)
        typer.echo(f"{path}: {len(forms)} words, {path.stat().st_size:,} + {bases.stat().st_size:,} bytes")
    typer.echo(f"{len(made.words)} words, {made.ref}")


@app.command()
def add(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One word a line, in any common encoding.")],
    name: Annotated[str, typer.Option(help="Its name for tables: lower case letters, digits, - and _.")],
    data: Data = None,
) -> None:
    """Add your own list, so that tables can use it."""
    from .corrections import choose
    from .lexicon import DEFAULT, NAME, RETIRED, BadLexicon, Lexicon, own_folder, read_list

    use(data)
    if not NAME.fullmatch(name):
        fail(f"{name!r} is not a valid name: use lower case letters, digits, - and _, at most 32")
    if name in RETIRED | {DEFAULT}:
        fail(f"{name} is the name of a shipped list; choose another")
    try:
        found = read_list(file)
        own = Lexicon(name, found.words)
        with progress() as bar:
            graph_with_progress(own, bar)
        path = own.write(own_folder())  # Last, so that an interruption before changes nothing.
        choose(name, None)
    except (BadLexicon, OSError) as error:
        fail(f"{file}: {error}")
    for number, line in found.bad:
        typer.echo(f"{file}:{number}: not 2 to 15 letters: {line}", err=True)
    if found.dropped > len(found.bad):
        typer.echo(f"… and {found.dropped - len(found.bad)} more", err=True)
    typer.echo(f"{path}: {len(found.words)} words, {own.ref}; read as {found.encoding}, {found.dropped} lines left out")


@app.command("list")
def list_all(data: Data = None) -> None:
    """List the word lists, the newest of each name first."""
    from .lexicon import BadLexicon, Lexicon, files, ref_of

    use(data)
    for _, paths in groupby(files(), ref_of):
        first, *others = paths
        try:
            found = Lexicon.read(first, *others)
            typer.echo(f"{found.ref}  {len(found.words)} words  {first}")
        except BadLexicon as error:
            typer.echo(f"tablee: {error}", err=True)


@app.command()
def check(
    words: Annotated[list[str], typer.Argument(metavar="WORD…")],
    ref: Ref = "",
    data: Data = None,
) -> None:
    """Check whether words are valid; the exit status is 0 if all are."""
    from .lexicon import UnknownLexicon, lexicon, spell

    use(data)
    try:
        known = lexicon(ref)
    except UnknownLexicon as error:
        fail(str(error))
    valid = {word: spell(word) in known for word in words}
    for word, is_valid in valid.items():
        typer.echo(f"{spell(word)}: {'valid' if is_valid else 'not valid'} ({known.ref})")
    raise typer.Exit(0 if all(valid.values()) else 1)


@app.command()
def common(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="large_fr.msgpack.gz of the PyPI package wordfreq.")],
    out: Annotated[Path | None, typer.Option(help="The file to write; the shipped one by default.")] = None,
) -> None:
    """Build the shipped list of common words, which the weaker bots play."""
    from .common import FILE, read_frequencies, write
    from .lexicon import lexicon

    known = lexicon()
    try:
        words = [word for word in read_frequencies(file) if word in known]
    except (OSError, EOFError, ValueError) as error:
        fail(f"{file}: this is not a list of the package wordfreq: {error}")
    path = out or FILE
    write(words, path)
    typer.echo(f"{path}: {len(words)} words, {path.stat().st_size:,} bytes")


@app.command()
def leaves(
    ref: Ref = "",
    games: Annotated[int, typer.Option(min=1, help="The number of self-play games in each of three rounds.")] = 2500,
    seed: Seed = 1,
    data: Data = None,
    out: Folder = None,
) -> None:
    """Estimate the value of keeping tiles by self-play, for the strongest bot; takes minutes."""
    from . import leaves as estimates
    from .engine import Engine

    words, folder = list_and_folder(ref, data, out)
    with progress() as bar:
        made = Engine(words, graph_with_progress(words, bar))
        task = bar.add_task("games", total=estimates.ROUNDS * games)
        likes, racks = estimates.estimate(made, games, seed, tick=lambda some: bar.advance(task, some))
    path = estimates.path_in(folder, words.ref)
    estimates.write(path, words.ref, likes, games, racks, seed)
    typer.echo(f"{path}: {racks} racks")


@app.command()
def winning(
    ref: Ref = "",
    games: Annotated[int, typer.Option(min=100, help="The number of games for each of 2, 3 and 4 players.")] = 40000,
    seed: Seed = 1,
    data: Data = None,
    out: Folder = None,
) -> None:
    """Estimate the chance to win by self-play, for the strongest bot; takes minutes."""
    from . import leaves, winning
    from .engine import Engine

    words, folder = list_and_folder(ref, data, out)
    report = winning.Report(words.ref, leaves.hash_of(words.ref), games, seed)
    with progress() as bar:
        made = Engine(words, graph_with_progress(words, bar))
        task = bar.add_task("games", total=len(winning.PLAYERS) * games)
        likes = leaves.likes_of(words.ref)
        curves = winning.estimate(made, likes, games, seed, tick=lambda some: bar.advance(task, some))
    path = winning.path_in(folder, report)
    winning.write(path, report, curves)
    typer.echo(f"{path}: {len(winning.PLAYERS) * games} games")


def list_and_folder(ref: str, data: Path | None, out: Path | None) -> tuple[Lexicon, Path]:
    """Return a list, and the folder for what is estimated with it; exit if there is no such list."""
    from .lexicon import DEFAULT, SHIPPED, UnknownLexicon, lexicon, own_folder

    use(data)
    try:
        words = lexicon(ref)
    except UnknownLexicon as error:
        fail(str(error))
    return words, out or (SHIPPED if words.name == DEFAULT else own_folder())


def graph_with_progress(words: Lexicon, bar: Progress) -> Any:
    """Return the graph of a lexicon, with a progress bar while it is built."""
    from .graph import STEPS, graph_for

    task = bar.add_task("word graph", total=STEPS)
    graph = graph_for(words, tick=lambda: bar.advance(task))
    bar.update(task, completed=STEPS)
    return graph


def use(data: Path | None) -> None:
    """Use a data folder for the operator's own lists."""
    if data is not None:
        os.environ["TABLEE_DATA"] = str(data)


def fail(message: str) -> NoReturn:
    typer.echo(f"tablee: {message}", err=True)
    raise typer.Exit(2)


def progress() -> Progress:
    """Return a progress bar on stderr; it is off if stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
