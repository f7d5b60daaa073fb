"""GCG, the files in which Scrabble programs keep games: written for a match, and read as a film.

A line that begins with `#` says something about the game, one with `>` is a turn or what came of one:

    #player1 alice Alice Martin
    #player2 bob Bob
    >alice: ?AEMOST 8H MOTS +10 10
    >bob: AEIKRSZ 9K KZ +31 31
    >bob: AEIKRSZ --  -31 0
    >alice: ?AEINRU K8 .AiRE +8 18
    >bob: AEIKRSZ (challenge) -10 -10
    >bob: AEIKRSZ -KZ +0 -10
    >alice: EU - +0 18
    >bob: AEI (AEI) -3 -13
    >alice: EU (EU) -2 16

GCG names rows by numbers and columns by letters, the other way round than French players do: our `H12` is its `8L`,
and our `12H` its `L8`. A dot is a letter that was already there. The first player is the one who began. A file names
the tiles of a rack only when its player is asked, so that is where a film takes them from; tiles that it never names
stay in the bag. Whether words are valid is not asked: a file is history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from ...core.film import CannotRead, Film
from ...core.film import film as watched
from ...core.game import Leave, Seat
from ...core.match import Match, Step
from .board import EMPTY, EMPTY_BOARD, LINES, PLACES, SIZE, letters_of, name_of, tiles_of, value_of, without
from .lexicon import UnknownLexicon, lexicon
from .notation import played, rest_of
from .placing import why_not_there
from .rules import ACCEPT, CHALLENGE, PASS, Scrabble, end, exchange, invalid_words, lay, leave, stand, withdraw
from .rules import end_turn as end_turn_of
from .turns import playing, unanswered
from .values import Action, Exchange, Move, Options, Pending, Place, State
from .view import minus

GAME = Scrabble()
LEFT = "left the game"
"""How a note says that a player abandoned; GCG itself has no word for it."""

_TURN = re.compile(
    r""">(?P<nick>\S+):\s+(?:(?P<rack>[A-Z?]*)\s+)?(?:
        \((?P<what>challenge|time)\)\s+(?P<change>[+-]\d+)
      | \((?P<left>[A-Z?]*)\)\s+(?P<adjusted>[+-]\d+)
      | (?P<back>--)\s+[+-]?(?P<lost>\d+)
      | -(?P<exchanged>[A-Z?]+|\d*)\s+\+?0
      | (?P<at>[0-9]+[A-Z]|[A-Z][0-9]+)\s+(?P<tiles>[A-Za-z.()]+)\s+(?P<score>[+-]?\d+)
    )\s+(?P<total>[+-]?\d+)\s*""",
    re.VERBOSE,
)


def write_square(at: str) -> str:
    """A square and its direction in GCG: `H12` is `8L`, `12H` is `L8`."""
    number, place = PLACES[at]
    square = LINES[number].squares[place]
    row, column = str(square // SIZE + 1), chr(ord("A") + square % SIZE)
    return column + row if LINES[number].down else row + column


def read_square(text: str) -> str | None:
    """Our name of a square of GCG, if there is one."""
    down = text[0].isalpha()
    letter, digits = (text[0], text[1:]) if down else (text[-1], text[:-1])
    row, column = int(digits) - 1, ord(letter) - ord("A")
    return name_of(row * SIZE + column, down) if 0 <= row < SIZE and column < SIZE else None


def write(match: Match, names: Sequence[str] = ()) -> str:
    """Return a match as a GCG file; players are numbered from the one who began."""
    seats = match.seats
    starter: Seat = match.state.starter
    order = [(starter + at) % seats for at in range(seats)]
    nicks, full = nicknames(order, names)
    lines = ["#character-encoding UTF-8"]
    lines += [f"#player{at} {nicks[seat]} {full[seat]}" for at, seat in enumerate(order, 1)]
    lines += [f"#lexicon {match.options.lexicon}", "#note LetterDistribution: french"]
    shown = watched(match)
    for (before, after), step in zip(pairwise(shown.states), shown.steps, strict=True):
        given = step.action.tiles if isinstance(step.action, Exchange) else ""
        lines += turn_lines(before, after, given, nicks)
    lines += end_lines(match.state, nicks)
    return "\n".join([*lines, ""])


def nicknames(order: Sequence[Seat], names: Sequence[str]) -> tuple[dict[Seat, str], dict[Seat, str]]:
    """For each seat a name without spaces that no other has, and its full name."""
    nicks: dict[Seat, str] = {}
    full: dict[Seat, str] = {}
    for seat in order:
        name = " ".join(names[seat].split()) if seat < len(names) else ""
        full[seat] = name or f"Joueur {seat + 1}"
        nick = re.sub(r"[\s:>#]+", "_", full[seat])
        while nick in nicks.values():
            nick += "_"
        nicks[seat] = nick
    return nicks, full


def turn_lines(before: State, after: State, given: str, nicks: dict[Seat, str]) -> Iterator[str]:
    """What an action added to the log; a play in its window adds nothing until it is settled."""
    for move in after.log[len(before.log) :]:
        seat, nick, score = move.seat, nicks[move.seat], before.scores[move.seat]
        rack = before.racks[seat]
        if before.pending is not None and before.pending.seat == seat:
            rack = "".join(sorted(before.racks[seat] + tiles_of(before.pending.play.tiles)))
        match move.kind:
            case "leave":
                yield f"#note {nick} {LEFT}"
            case "pass":
                yield f">{nick}: {rack} - +0 {score}"
            case "exchange":
                yield f">{nick}: {rack} -{given} +0 {score}"
            case _:
                assert after.last is not None
                tried = after.last.score
                yield f">{nick}: {rack} {write_square(move.at)} {move.tiles} +{tried} {score + tried}"
                if move.kind == "withdrawn":
                    yield f">{nick}: {rack} --  -{tried} {score}"
                    continue
                for other in move.contesters:
                    yield f">{nicks[other]}: {before.racks[other]} (challenge) -10 {before.scores[other] - 10}"


def end_lines(state: State, nicks: dict[Seat, str]) -> Iterator[str]:
    """What everyone lost, and gained, at the end."""
    if state.ending in (None, "left"):
        return
    out = state.log[-1].seat if state.ending == "out" else None
    others = [seat for seat in playing(state) if seat != out]
    for seat in others:
        rack = state.racks[seat]
        yield f">{nicks[seat]}: {rack} ({rack}) -{value_of(rack)} {state.scores[seat]}"
    if out is not None:
        rest = "".join(state.racks[seat] for seat in others)
        yield f">{nicks[out]}:  ({rest}) +{value_of(rest)} {state.scores[out]}"


class FirstTile:
    """A chance for draws that the file corrects."""

    def pick(self, n: int, /) -> int:
        return 0


FIRST_TILE = FirstTile()


class Told(Struct):
    """A turn as a file tells it."""

    line: int
    seat: Seat
    rack: str
    kind: str
    at: str = ""
    tiles: str = ""
    score: int = 0
    total: int = 0
    withdrawn: bool = False
    contesters: tuple[Seat, ...] = ()


class Sheet(Struct):
    """What a file tells."""

    nicks: dict[str, Seat]
    names: list[str]
    turns: list[Told]
    lexicon: str = ""
    racks_left: dict[Seat, str] = {}
    out: bool = False
    """Somebody was paid for the others' tiles."""


def read(text: str) -> Film:
    """Return what a GCG file shows; raises `CannotRead` with the line and what is wrong."""
    sheet = read_sheet(text)
    if not 2 <= len(sheet.names) <= 4:
        raise CannotRead(f"a game has 2 to 4 players, and this file names {len(sheet.names)} (lines that say #player1)")
    if not sheet.turns:
        raise CannotRead("there is not one turn in this file (lines that begin with >)")
    return shoot(sheet)


def read_sheet(text: str) -> Sheet:
    """Read every line by itself."""
    sheet = Sheet({}, [], [])
    in_note = False
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.strip()
        if line.startswith("#"):
            read_pragma(sheet, line, number)
            in_note = line.startswith(("#note", "#description"))
        elif line.startswith(">"):
            read_turn(sheet, line, number)
            in_note = False
        elif line and not in_note:
            raise CannotRead(f"line {number}: a line begins with # or with >, not {shorten(line)}")
    return sheet


def read_pragma(sheet: Sheet, line: str, number: int) -> None:
    """Players, lexicon, and who left; whatever else a file says is for other programs."""
    word, *rest = line.split(maxsplit=2)
    if re.fullmatch(r"#player\d", word):
        if not rest:
            raise CannotRead(f"line {number}: {word} without a name")
        if rest[0] in sheet.nicks or word != f"#player{len(sheet.names) + 1}":
            raise CannotRead(
                f"line {number}: {shorten(line)}: players are numbered from 1, each with a name of its own"
            )
        sheet.nicks[rest[0]] = len(sheet.names)
        sheet.names.append(rest[-1])
    elif word == "#lexicon" and rest:
        sheet.lexicon = rest[0]
    elif word == "#note" and rest[1:] == [LEFT]:
        sheet.turns.append(Told(number, seat_of(sheet, rest[0], number), "", "leave"))


def seat_of(sheet: Sheet, nick: str, number: int) -> Seat:
    if nick not in sheet.nicks:
        known = ", ".join(sheet.nicks) or "nobody"
        raise CannotRead(f"line {number}: there is no player {shorten(nick)}; there is {known}")
    return sheet.nicks[nick]


def read_turn(sheet: Sheet, line: str, number: int) -> None:
    """Add what a line tells to the sheet."""
    found = _TURN.fullmatch(line)
    if found is None:
        raise CannotRead(f"line {number}: this is no turn of GCG: {shorten(line)}")
    seat, total = seat_of(sheet, found["nick"], number), int(found["total"])
    told = Told(number, seat, "".join(sorted(found["rack"] or "")), "", total=total)
    if found["what"]:
        return read_contest(sheet, found["what"], int(found["change"]), told)
    if found["left"] is not None:
        return read_left(sheet, "".join(sorted(found["left"])), int(found["adjusted"]), told)
    if found["back"]:
        last = sheet.turns[-1] if sheet.turns else None
        if last is None or (last.seat, last.kind, last.score) != (seat, "place", int(found["lost"])):
            raise CannotRead(f"line {number}: {shorten(line)} takes back a play that was not the last one")
        last.withdrawn = True
        return None
    if found["exchanged"] is not None:
        told.kind, told.tiles = ("exchange" if found["exchanged"] not in ("", "0") else "pass"), found["exchanged"]
    else:
        told.kind, told.score = "place", int(found["score"])
        told.at = found["at"]
        told.tiles = re.sub(r"\([A-Za-z]*\)", lambda there: EMPTY * (len(there[0]) - 2), found["tiles"])
    sheet.turns.append(told)
    return None


def read_contest(sheet: Sheet, what: str, change: int, told: Told) -> None:
    """A contest that failed costs 10 points (S6)."""
    last = sheet.turns[-1] if sheet.turns else None
    if what != "challenge" or change != -10 or last is None or last.kind != "place" or last.seat == told.seat:
        raise CannotRead(
            f"line {told.line}: ({what}) {change:+} is not in these rules: a contester who is wrong loses 10"
        )
    last.contesters = (*last.contesters, told.seat)


def read_left(sheet: Sheet, tiles: str, change: int, told: Told) -> None:
    """The tiles of a rack at the end: lost by who had them, or gained by who had none."""
    worth = value_of(tiles)
    if abs(change) not in (worth, 2 * worth):
        raise CannotRead(f"line {told.line}: the tiles {tiles} are worth {worth}, not {abs(change)}")
    if told.rack or change < 0:
        sheet.racks_left[told.seat] = tiles
        return
    sheet.out = True
    others = [seat for seat in range(len(sheet.names)) if seat != told.seat]
    if len(others) == 1:
        sheet.racks_left[others[0]] = tiles


def shoot(sheet: Sheet) -> Film:
    """Play the turns of a file, with the tiles that it names."""
    contested = any(turn.withdrawn or turn.contesters for turn in sheet.turns)
    options = Options(validation="challenge" if contested else "auto", lexicon=known_lexicon(sheet.lexicon))
    first = next((turn.seat for turn in sheet.turns if turn.kind != "leave"), 0)
    seats = len(sheet.names)
    racks = tuple(next_rack(sheet, 0, seat) or "" for seat in range(seats))
    state = State(options, "play", first, first, EMPTY_BOARD, racks, "", (0,) * seats)
    states, steps = [deal(state, racks, sheet.turns[0].line)], []
    for at, turn in enumerate(sheet.turns):
        seat, kept = turn.seat, kept_rack(states[-1].racks[turn.seat], turn)
        for step, state in play_turn(states[-1], turn):
            steps.append(step)
            states.append(state)
        if state.ending is None:
            rack = next_rack(sheet, at + 1, seat)
            told = (*state.racks[:seat], kept if rack is None else rack, *state.racks[seat + 1 :])
            states[-1] = deal(state, told, turn.line)
    if states[-1].ending is None and (sheet.out or sheet.racks_left):
        states[-1] = end(states[-1], "out" if sheet.out else "passes")
    return Film(
        game=GAME.info.key,
        seats=seats,
        options=options,
        names=tuple(sheet.names),
        states=tuple(states),
        steps=tuple(steps),
        outcome=GAME.outcome(states[-1]),
    )


def known_lexicon(ref: str) -> str:
    """The lexicon of a file where it is here; the shipped one otherwise: words are not asked for anyway."""
    try:
        return lexicon(ref).ref
    except UnknownLexicon:
        return ""


def next_rack(sheet: Sheet, after: int, seat: Seat) -> str | None:
    """The rack that a seat has when it is next asked, or at the end; None where the file does not say."""
    for turn in sheet.turns[after:]:
        if turn.seat == seat:
            return None if turn.kind == "leave" else turn.rack or tiles_of(turn.tiles if turn.kind == "place" else "")
    return sheet.racks_left.get(seat)


def kept_rack(rack: str, turn: Told) -> str:
    """What is left of a rack after a turn, before anything is drawn."""
    if turn.kind == "leave":
        return ""
    given = tiles_of(turn.tiles) if turn.kind == "place" and not turn.withdrawn else ""
    return minus(rack, given if turn.kind == "place" else turn.tiles)


def deal(state: State, racks: tuple[str, ...], line: int) -> State:
    """Let everyone have the tiles that the file names, and the bag the rest."""
    laid = "" if state.pending is None else tiles_of(state.pending.play.tiles)
    try:
        return replace(state, racks=racks, bag=rest_of(state.board, racks, laid))
    except ValueError as error:
        raise CannotRead(f"line {line}: {error} for the racks and the board") from error


def play_turn(state: State, turn: Told) -> Iterator[tuple[Step, State]]:
    """The steps of one turn and the states they lead to."""
    seat = turn.seat
    if state.ending is not None:
        raise CannotRead(f"line {turn.line}: the game was over before this turn")
    if turn.kind == "leave":
        yield Step(seat, Leave()), leave(state, seat, FIRST_TILE)
        return
    if state.to_act != seat:
        raise CannotRead(f"line {turn.line}: it is the turn of player {(state.to_act or 0) + 1}, not of {seat + 1}")
    if turn.kind == "place":
        yield from play_word(state, turn)
    elif state.scores[seat] != turn.total:
        raise CannotRead(f"line {turn.line}: the total is {state.scores[seat]}, not {turn.total}")
    elif turn.kind == "pass":
        yield Step(seat, PASS), end_turn_of(state, Move(seat, "pass"))
    elif turn.tiles.isdigit():  # Only how many.
        count = min(int(turn.tiles), 7)
        yield Step(seat, Exchange("_" * count)), end_turn_of(state, Move(seat, "exchange", count=count))
    else:
        tiles = "".join(sorted(turn.tiles))
        try:
            without(state.racks[seat], tiles)
        except ValueError:
            raise CannotRead(f"line {turn.line}: {tiles} is not all on the rack {state.racks[seat]}") from None
        yield Step(seat, Exchange(tiles)), exchange(state, seat, tiles, FIRST_TILE)


def play_word(state: State, turn: Told) -> Iterator[tuple[Step, State]]:
    """A play, and where the game was played with contests, what everyone answered."""
    seat, action = turn.seat, read_play(state, turn)
    laid = lay(state, seat, action.at, action.word, FIRST_TILE)
    yield Step(seat, action), laid
    if state.options.validation == "auto":
        return
    asked = unanswered(laid)
    contesters = asked[:1] if turn.withdrawn else turn.contesters
    for other in asked:
        pending = laid.pending
        assert pending is not None
        contests = other in contesters
        answers = (*pending.answers[:other], contests, *pending.answers[other + 1 :])
        laid = replace(laid, pending=replace(pending, answers=answers))
        answer: Action = CHALLENGE if contests else ACCEPT
        yield Step(other, answer), laid if other != asked[-1] else settled(laid, turn, contesters)


def settled(state: State, turn: Told, contesters: tuple[Seat, ...]) -> State:
    """The play stands or is taken back as the file says, whatever our lexicon thinks of it."""
    pending: Pending | None = state.pending
    assert pending is not None
    state = replace(state, stage="play", pending=None, last=pending.play)
    if not turn.withdrawn:
        return stand(state, pending, contesters, FIRST_TILE)
    words = invalid_words(state, pending.play) or (pending.play.word.upper(),)
    return withdraw(state, pending, contesters, words)


def read_play(state: State, turn: Told) -> Place:
    """The play of a turn with its whole word; raises `CannotRead` where it lies badly or counts otherwise."""
    at = read_square(turn.at)
    where = f"line {turn.line}: {turn.at} {turn.tiles}"
    if at is None:
        raise CannotRead(f"{where}: there is no such square")
    number, start = PLACES[at]
    there = letters_of(state.board, number)[start : start + len(turn.tiles)]
    tiles = "".join(EMPTY if old.upper() == new.upper() else new for old, new in zip(there, turn.tiles, strict=False))
    try:
        play = played(state.board, at, tiles + turn.tiles[len(there) :])
    except ValueError as error:
        raise CannotRead(f"{where}: {error}") from error
    refusal = why_not_there(state.board, state.racks[turn.seat], at, play.word)
    if refusal is not None:
        reason = ", ".join(f"{name} {value}" for name, value in refusal.values.items())
        raise CannotRead(f"{where}: {refusal.code.replace('_', ' ')} ({reason})")
    if play.score != turn.score:
        raise CannotRead(f"{where}: this play counts {play.score} with French tiles, not {turn.score}")
    if state.scores[turn.seat] + play.score != turn.total:
        raise CannotRead(f"{where}: the total is {state.scores[turn.seat] + play.score}, not {turn.total}")
    return Place(at, play.word)


def shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


class Gcg:
    """GCG as a format of the house."""

    write = staticmethod(write)
    read = staticmethod(read)
