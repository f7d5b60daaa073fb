"""`tablee lexicon …`: the lists of words of Scrabble."""

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
    help="The lists of words of Scrabble: which there are, which words they have, and loading one's own.",
)

HUNSPELL = Path("/usr/share/hunspell")
Data = Annotated[Path | None, typer.Option(help="The server's data folder; its own lists lie there in lexicons/.")]
Ref = Annotated[str, typer.Option("--lexicon", metavar="NAME[:HASH]", help="Which list; the shipped one by default.")]


@app.command()
def build(
    aff: Annotated[Path, typer.Option(help="Affixes, as in Debian's hunspell-fr-comprehensive.")] = HUNSPELL / "fr.aff",
    dic: Annotated[Path, typer.Option(help="Stems.")] = HUNSPELL / "fr.dic",
    out: Annotated[Path | None, typer.Option(help="Folder to write to; that of the shipped list by default.")] = None,
) -> None:
    """Make the shipped list from its source: the same package gives the same file, byte for byte."""
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
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A word a line, in any usual encoding.")],
    name: Annotated[str, typer.Option(help="How tables call it: small letters, digits, - and _.")],
    data: Data = None,
) -> None:
    """Load a list of one's own, so that tables can be opened with it."""
    from .lexicon import DEFAULT, NAME, BadLexicon, Lexicon, own_folder, read_fields

    use(data)
    if not NAME.fullmatch(name):
        fail(f"{name!r} is no name for a list: small letters, digits, - and _, 32 at most")
    if name == DEFAULT:
        fail(f"{DEFAULT} is the name of the shipped list; take another")
    try:
        found = read_fields(file)
        own = Lexicon(name, found.words)
        with progress() as bar:
            graph_with_progress(own, bar)
        path = own.write(own_folder())  # Last: whoever is interrupted before has changed nothing.
    except (BadLexicon, OSError) as error:
        fail(f"{file}: {error}")
    for number, line in found.bad:
        typer.echo(f"{file}:{number}: not 2 to 15 letters: {line}", err=True)
    if found.dropped > len(found.bad):
        typer.echo(f"… and {found.dropped - len(found.bad)} more", err=True)
    typer.echo(f"{path}: {len(found.words)} words, {own.ref}; read as {found.encoding}, {found.dropped} lines left out")


@app.command("list")
def list_all(data: Data = None) -> None:
    """Say which lists there are, the newest of a name first."""
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
    """Say which words are valid; the exit status is 0 where all are."""
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
    """Make the shipped list of common words, which is all that the weakest computer player knows."""
    from .common import FILE, read_frequencies, write
    from .lexicon import lexicon

    known = lexicon()
    try:
        words = [word for word in read_frequencies(file) if word in known]
    except (OSError, EOFError, ValueError) as error:
        fail(f"{file}: no list of the package wordfreq: {error}")
    path = out or FILE
    write(words, path)
    typer.echo(f"{path}: {len(words)} words, {path.stat().st_size:,} bytes")


@app.command()
def leaves(
    ref: Ref = "",
    games: Annotated[int, typer.Option(min=1, help="Games against itself, three times over.")] = 2500,
    seed: Annotated[int, typer.Option(help="The same number gives the same file.")] = 1,
    data: Data = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write to; where the list lies by default.")] = None,
) -> None:
    """Estimate by self-play what keeping tiles is worth, for the strongest computer player; takes minutes."""
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
    """The graph of a lexicon; where it is not made yet, with a bar of its own."""
    from .graph import STEPS, graph_for

    task = bar.add_task("word graph", total=STEPS)
    graph = graph_for(words, tick=lambda: bar.advance(task))
    bar.update(task, completed=STEPS)
    return graph


def use(data: Path | None) -> None:
    """Look for the host's own lists in a data folder."""
    if data is not None:
        os.environ["TABLEE_DATA"] = str(data)


def fail(message: str) -> NoReturn:
    typer.echo(f"tablee: {message}", err=True)
    raise typer.Exit(2)


def progress() -> Progress:
    """A progress bar on stderr; none where nobody would see it."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
