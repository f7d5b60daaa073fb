"""The commands of `tablee lexicon`, which manage the word lists of Scrabble."""

from __future__ import annotations

import os
import sys
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

HUNSPELL = Path("/usr/share/hunspell")
Data = Annotated[Path | None, typer.Option(help="The server's data folder; its lexicons/ has your own lists.")]
Ref = Annotated[
    str, typer.Option("--lexicon", metavar="NAME[:HASH]", help="The word list; the shipped one by default.")
]


@app.command()
def build(
    aff: Annotated[Path, typer.Option(help="The affix file, from Debian's hunspell-fr-comprehensive.")] = HUNSPELL
    / "fr.aff",
    dic: Annotated[Path, typer.Option(help="The file of stems.")] = HUNSPELL / "fr.dic",
    out: Annotated[
        Path | None, typer.Option(help="The folder to write to; by default that of the shipped list.")
    ] = None,
) -> None:
    """Build the shipped list from its source; the same package gives the same file, byte for byte."""
    from .lexicon import DEFAULT, SHIPPED, Lexicon
    from .sources import words_of

    try:
        with progress() as bar:
            words = words_of(aff, dic, tick=lambda entries: bar.track(list(entries), description="stems"))
    except (OSError, ValueError) as error:
        fail(f"{error}; the source is the Debian package hunspell-fr-comprehensive")
    made = Lexicon(DEFAULT, words)
    path = made.write(out or SHIPPED)
    typer.echo(f"{path}: {len(words)} words, {made.ref}, {path.stat().st_size:,} bytes")


@app.command()
def add(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One word a line, in any common encoding.")],
    name: Annotated[str, typer.Option(help="Its name for tables: lower case letters, digits, - and _.")],
    data: Data = None,
) -> None:
    """Add your own list, so that tables can use it."""
    from .lexicon import DEFAULT, NAME, BadLexicon, Lexicon, own_folder, read_list

    use(data)
    if not NAME.fullmatch(name):
        fail(f"{name!r} is not a valid name: use lower case letters, digits, - and _, at most 32")
    if name == DEFAULT:
        fail(f"{DEFAULT} is the name of the shipped list; choose another")
    try:
        found = read_list(file)
        own = Lexicon(name, found.words)
        with progress() as bar:
            graph_with_progress(own, bar)
        path = own.write(own_folder())  # Last, so that an interruption before changes nothing.
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
    from .lexicon import BadLexicon, Lexicon, files

    use(data)
    for path in files():
        try:
            found = Lexicon.read(path)
            typer.echo(f"{found.ref}  {len(found.words)} words  {path}")
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
    seed: Annotated[int, typer.Option(help="The seed; the same seed gives the same file.")] = 1,
    data: Data = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write to; by default that of the list.")] = None,
) -> None:
    """Estimate the value of keeping tiles by self-play, for the strongest bot; takes minutes."""
    from . import leaves as estimates
    from .engine import Engine
    from .lexicon import DEFAULT, SHIPPED, UnknownLexicon, lexicon, own_folder

    use(data)
    try:
        words = lexicon(ref)
    except UnknownLexicon as error:
        fail(str(error))
    folder = out or (SHIPPED if words.name == DEFAULT else own_folder())
    with progress() as bar:
        made = Engine(words, graph_with_progress(words, bar))
        task = bar.add_task("games", total=estimates.ROUNDS * games)
        likes, racks = estimates.estimate(made, games, seed, tick=lambda some: bar.advance(task, some))
    path = estimates.path_in(folder, words.ref)
    estimates.write(path, words.ref, likes, games, racks, seed)
    typer.echo(f"{path}: {racks} racks")


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
