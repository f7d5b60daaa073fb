"""Read a GCG file as a replay; `gcg.py` describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ...core.game import Leave, Refusal, Seat
from ...core.match import Step
from ...core.replay import CannotRead, Remark, Replay
from .board import EMPTY, EMPTY_BOARD, PLACES, SIZE, letters_of, name_of, tiles_of, value_of
from .gcg_writing import CONTESTED, LEFT
from .lexicon import UnknownLexicon, lexicon
from .notation import played, rest_of
from .placing import why_not_from, why_not_there
from .rules import ACCEPT, CHALLENGE, PASS, PENALTY, Scrabble, end, exchange, invalid_words, lay, leave, stand, withdraw
from .rules import end_turn as end_turn_of
from .turns import unanswered
from .values import Action, Exchange, Move, Options, Pending, Place, State
from .view import minus

GAME = Scrabble()

_TURN = re.compile(
    r""">(?P<nick>\S+):\s++(?:(?P<rack>[A-Z?]{1,7})\s++)?(?:
        \((?P<what>challenge|time)\)\s+(?P<change>[+-][0-9]{1,4})
      | \((?P<left>[A-Z?]{0,21})\)\s+(?P<adjusted>[+-][0-9]{1,4})
      | (?P<back>--)\s+[+-]?(?P<lost>[0-9]{1,4})
      | -(?P<exchanged>[A-Z?]{1,7}|[0-7]?)\s+\+?0
      | (?P<at>[0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2})\s+
        (?P<tiles>(?:[A-Za-z.]|\([A-Za-z]{1,14}\)){1,15})\s+(?P<score>[+-]?[0-9]{1,4})
    )\s+(?P<total>[+-]?[0-9]{1,4})(?:\s.*)?""",
    re.VERBOSE,
)


def read_square(text: str) -> str | None:
    """Read a square of GCG; None if it is not on the board."""
    down = text[0].isalpha()
    letter, digits = (text[0], text[1:]) if down else (text[-1], text[:-1])
    row, column = int(digits) - 1, ord(letter) - ord("A")
    return name_of(row * SIZE + column, down) if 0 <= row < SIZE and column < SIZE else None


class FirstTile:
    """A chance for draws whose tiles are then replaced by those of the file."""

    def pick(self, n: int, /) -> int:
        return 0


FIRST_TILE = FirstTile()


class Change(Struct):
    """Points by rules other than ours."""

    line: int
    seat: Seat
    what: str
    points: int
    total: int | None
    """The total in the file; None if lines about the end came before, so that it cannot be checked."""


class FileTurn(Struct):
    """A turn in a file."""

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
    changes: list[Change] = []
    """Points by other rules after this turn."""


class Sheet(Struct):
    """The content of a file."""

    nicks: dict[str, Seat] = {}
    names: dict[Seat, str] = {}
    turns: list[FileTurn] = []
    lexicon: str = ""
    racks_left: dict[Seat, str] = {}
    out: bool = False
    """Whether a player got points for the tiles of the others."""


def read(text: str) -> Replay:
    """Read a GCG file as a replay; raise `CannotRead` with the line and the problem if it is not valid."""
    sheet = read_sheet(text)
    count = len(sheet.names)
    if count < 2 or sheet.names.keys() != set(range(count)):
        problem = f"expected 2 to 4 players, numbered from 1 (lines #player1, #player2 …), found {count}"
        raise CannotRead(problem, Refusal("no_players", {"count": count}))
    if not sheet.turns:
        raise CannotRead("found no turn in this file (turns are lines that begin with >)", Refusal("no_turns"))
    return to_replay(sheet)


def read_sheet(text: str) -> Sheet:
    """Read a file line by line."""
    sheet = Sheet()
    in_note = False
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.strip()
        if line.startswith("#"):
            read_pragma(sheet, line, number)
            in_note = line.lower().startswith(("#note", "#description"))
        elif line.startswith(">"):
            read_turn(sheet, line, number)
            in_note = False
        elif line and not in_note:
            raise problem_at(number, f"a line must begin with # or >, not {shorten(line)}", Refusal("not_a_line"))
    return sheet


def problem_at(line: int, problem: str, why: Refusal) -> CannotRead:
    return CannotRead(f"line {line}: {problem}", why)


def read_pragma(sheet: Sheet, line: str, number: int) -> None:
    """Read players, the lexicon and our notes; ignore everything else."""
    word, *more = line.split(maxsplit=1)
    said = more[0] if more else ""
    match word.lower():
        case "#lexicon":
            sheet.lexicon = said.partition(" ")[0]
        case "#note":
            read_note(sheet, said, number)
        case pragma if pragma.startswith("#player"):
            read_player(sheet, pragma.removeprefix("#player"), said, number)


def read_player(sheet: Sheet, digit: str, said: str, number: int) -> None:
    """Read a player's number, short name and full name."""
    nick, _, name = said.partition(" ")
    seat = "1234".find(digit or " ")
    if seat < 0 or seat in sheet.names or not nick or nick in sheet.nicks:
        problem = (
            f"{shorten(f'#player{digit} {said}')}: expected players numbered from 1 to 4, each with a different name"
        )
        raise problem_at(number, problem, Refusal("bad_player"))
    sheet.nicks[nick] = seat
    sheet.names[seat] = name.strip() or nick


def read_note(sheet: Sheet, said: str, number: int) -> None:
    """Read our notes about players who left and contesters of the last play; ignore other notes."""
    nick, last = said.removesuffix(f" {LEFT}"), sheet.turns[-1] if sheet.turns else None
    if nick != said and nick in sheet.nicks:
        sheet.turns.append(FileTurn(number, sheet.nicks[nick], "", "leave"))
    elif said.startswith(CONTESTED) and last is not None and last.withdrawn:
        named = {sheet.nicks[nick] for nick in said.split() if nick in sheet.nicks}
        last.contesters = tuple(sorted(named - {last.seat}))


def seat_of(sheet: Sheet, nick: str, number: int) -> Seat:
    if nick not in sheet.nicks:
        known = ", ".join(sheet.nicks) or "nobody"
        problem = f"unknown player {shorten(nick)}; this file names {known[:60]}"
        raise problem_at(number, problem, Refusal("unknown_nick", {"name": nick[:60]}))
    return sheet.nicks[nick]


def read_turn(sheet: Sheet, line: str, number: int) -> None:
    """Read a line that begins with > and add it to the sheet."""
    found = _TURN.fullmatch(line)
    if found is None:
        raise problem_at(number, f"this is not a turn of GCG: {shorten(line)}", Refusal("not_a_turn"))
    seat, total = seat_of(sheet, found["nick"], number), int(found["total"])
    turn = FileTurn(number, seat, "".join(sorted(found["rack"] or "")), "", total=total)
    last = sheet.turns[-1] if sheet.turns else None
    if found["what"]:
        return read_change(sheet, last, found["what"], int(found["change"]), turn)
    if found["left"] is not None:
        return read_left(sheet, "".join(sorted(found["left"])), int(found["adjusted"]), turn)
    if found["back"]:
        if last is None or (last.seat, last.kind, last.score) != (seat, "place", int(found["lost"])):
            problem = f"{shorten(line)} takes back a play that was not the last one"
            raise problem_at(number, problem, Refusal("not_the_last"))
        last.withdrawn = True
        return None
    if found["exchanged"] is not None:
        turn.kind, turn.tiles = ("exchange" if found["exchanged"] not in ("", "0") else "pass"), found["exchanged"]
    else:
        turn.kind, turn.score = "place", int(found["score"])
        turn.at = found["at"].upper()
        turn.tiles = re.sub(r"\([A-Za-z]*\)", lambda there: EMPTY * (len(there[0]) - 2), found["tiles"])
    sheet.turns.append(turn)
    return None


def read_change(sheet: Sheet, last: FileTurn | None, what: str, points: int, turn: FileTurn) -> None:
    """Read a change of points: -10 is a failed contest (S6), anything else comes from other rules."""
    if last is None:
        raise problem_at(turn.line, f"({what}) {points:+} comes before the first turn", Refusal("nothing_before"))
    contests = what == "challenge" and points == -PENALTY and last.kind == "place"
    if contests and turn.seat != last.seat and turn.seat not in last.contesters:
        last.contesters = (*last.contesters, turn.seat)
    else:
        total = None if sheet.out or sheet.racks_left else turn.total
        last.changes.append(Change(turn.line, turn.seat, what, points, total))


def read_left(sheet: Sheet, tiles: str, change: int, turn: FileTurn) -> None:
    """Read the tiles of a rack at the end, lost by their owner or gained by the player who went out."""
    worth = value_of(tiles)
    if abs(change) not in (worth, 2 * worth):
        why = Refusal("wrong_worth", {"tiles": tiles, "score": worth, "written": abs(change)})
        raise problem_at(turn.line, f"the tiles {tiles} are worth {worth}, not {abs(change)}", why)
    if turn.rack or change < 0:
        sheet.racks_left[turn.seat] = tiles
        return
    sheet.out = True
    others = [seat for seat in range(len(sheet.names)) if seat != turn.seat]
    if len(others) == 1:
        sheet.racks_left[others[0]] = tiles


def to_replay(sheet: Sheet) -> Replay:
    """Play the turns of a file with its tiles and return the replay."""
    contested = any(turn.withdrawn or turn.contesters for turn in sheet.turns)
    options = Options(validation="challenge" if contested else "auto", lexicon=known_lexicon(sheet.lexicon))
    first = next((turn.seat for turn in sheet.turns if turn.kind != "leave"), 0)
    seats = len(sheet.names)
    racks = tuple(next_rack(sheet, 0, seat) or "" for seat in range(seats))
    state = State(options, "play", first, first, EMPTY_BOARD, racks, "", (0,) * seats)
    states, steps = [deal(state, racks, sheet.turns[0].line)], list[Step]()
    remarks: list[Remark] = []
    for at, turn in enumerate(sheet.turns):
        seat, kept = turn.seat, kept_rack(states[-1].racks[turn.seat], turn)
        for step, state in play_turn(states[-1], turn):
            steps.append(step)
            states.append(state)
        if state.ending is None:
            rack = next_rack(sheet, at + 1, seat)
            racks_after = (*state.racks[:seat], kept if rack is None else rack, *state.racks[seat + 1 :])
            states[-1] = deal(state, racks_after, turn.line)
        for change in turn.changes:
            states[-1] = with_change(states[-1], change)
            remarks.append(Remark(len(steps), change.seat, f"({change.what}) {change.points:+}"))
    if states[-1].ending is None and (sheet.out or sheet.racks_left):
        states[-1] = end(states[-1], "out" if sheet.out else "passes")
    return Replay(
        game=GAME.info.key,
        seats=seats,
        options=options,
        names=tuple(sheet.names[seat] for seat in range(seats)),
        states=tuple(states),
        steps=tuple(steps),
        outcome=GAME.outcome(states[-1]),
        remarks=tuple(remarks),
    )


def with_change(state: State, change: Change) -> State:
    """Add points by other rules to the scores."""
    scores = [score + change.points * (seat == change.seat) for seat, score in enumerate(state.scores)]
    if state.ending is None and change.total is not None:
        check_total(change.line, f"({change.what}) {change.points:+}", scores[change.seat], change.total)
    return replace(state, scores=tuple(scores))


def check_total(line: int, what: str, total: int, written: int) -> None:
    """Raise `CannotRead` if the total in a file is wrong."""
    if total != written:
        problem = f"{what}: the total is {total}, not {written}"
        raise problem_at(line, problem, Refusal("wrong_total", {"score": total, "written": written}))


def known_lexicon(ref: str) -> str:
    """Return the lexicon of a file if this server has it, else the shipped one; words are not checked anyway."""
    try:
        return lexicon(ref).ref
    except UnknownLexicon:
        return ""


def next_rack(sheet: Sheet, after: int, seat: Seat) -> str | None:
    """Return a seat's rack at its next turn, or at the end; None if the file does not give it."""
    for turn in sheet.turns[after:]:
        if turn.seat == seat:
            return None if turn.kind == "leave" else turn.rack or tiles_of(turn.tiles.strip("01234567"))
    return sheet.racks_left.get(seat)


def kept_rack(rack: str, turn: FileTurn) -> str:
    """Return what is left of a rack after a turn, before drawing."""
    if turn.kind == "leave":
        return ""
    given = tiles_of(turn.tiles) if turn.kind == "place" and not turn.withdrawn else ""
    return minus(rack, given if turn.kind == "place" else turn.tiles)


def deal(state: State, racks: tuple[str, ...], line: int) -> State:
    """Give each player the tiles of the file, and the rest to the bag."""
    laid = "" if state.pending is None else tiles_of(state.pending.play.tiles)
    try:
        return replace(state, racks=racks, bag=rest_of(state.board, racks, laid))
    except ValueError as error:
        raise problem_at(line, f"{error} for the racks and the board", Refusal("too_many_tiles")) from error


def play_turn(state: State, turn: FileTurn) -> Iterator[tuple[Step, State]]:
    """Yield the steps of a turn and the states after them."""
    seat = turn.seat
    if state.ending is not None:
        raise problem_at(turn.line, "the game is over before this turn", Refusal("over"))
    if turn.kind == "leave":
        yield Step(seat, Leave()), leave(state, seat, FIRST_TILE)
        return
    if state.to_act != seat:
        awaited = (state.to_act or 0) + 1
        problem = f"it is the turn of player {awaited}, not of {seat + 1}"
        raise problem_at(turn.line, problem, Refusal("other_turn", {"player": awaited}))
    if turn.kind == "place":
        yield from play_word(state, turn)
        return
    check_total(turn.line, turn.kind, state.scores[seat], turn.total)
    if turn.kind == "pass":
        yield Step(seat, PASS), end_turn_of(state, Move(seat, "pass"))
    elif turn.tiles.isdigit():  # The file gives only the number of tiles.
        count = min(int(turn.tiles), 7)
        yield Step(seat, Exchange("_" * count)), end_turn_of(state, Move(seat, "exchange", count=count))
    else:
        tiles = "".join(sorted(turn.tiles))
        refusal = why_not_from(state.racks[seat], list(tiles))
        if refusal is not None:
            raise problem_at(turn.line, f"{tiles} is not all on the rack {state.racks[seat]}", refusal)
        yield Step(seat, Exchange(tiles)), exchange(state, seat, tiles, FIRST_TILE)


def play_word(state: State, turn: FileTurn) -> Iterator[tuple[Step, State]]:
    """Yield a play and, if the file has contests, the answers of the other players."""
    seat, action = turn.seat, read_play(state, turn)
    laid = lay(state, seat, action.at, action.word, FIRST_TILE)
    yield Step(seat, action), laid
    if state.options.validation == "auto":
        return
    asked = unanswered(laid)
    contesters = turn.contesters or (asked[:1] if turn.withdrawn else ())
    for other in asked:
        pending = laid.pending
        assert pending is not None
        contests = other in contesters
        answers = (*pending.answers[:other], contests, *pending.answers[other + 1 :])
        laid = replace(laid, pending=replace(pending, answers=answers))
        answer: Action = CHALLENGE if contests else ACCEPT
        yield Step(other, answer), laid if other != asked[-1] else settled(laid, turn, contesters)


def settled(state: State, turn: FileTurn, contesters: tuple[Seat, ...]) -> State:
    """Let the play stand or withdraw it as in the file, regardless of our lexicon."""
    pending: Pending | None = state.pending
    assert pending is not None
    state = replace(state, stage="play", pending=None, last=pending.play)
    if not turn.withdrawn:
        return stand(state, pending, contesters, FIRST_TILE)
    words = invalid_words(state, pending.play) or (pending.play.word.upper(),)
    return withdraw(state, pending, contesters, words)


def read_play(state: State, turn: FileTurn) -> Place:
    """Return the play of a turn with its whole word; raise `CannotRead` if it is not legal or its score is wrong."""
    at = read_square(turn.at)
    where = f"{turn.at} {turn.tiles}"
    if at is None:
        raise problem_at(
            turn.line, f"{where}: this square does not exist", Refusal("no_such_square", {"square": turn.at})
        )
    number, start = PLACES[at]
    there = letters_of(state.board, number)[start : start + len(turn.tiles)]
    tiles = "".join(EMPTY if old.upper() == new.upper() else new for old, new in zip(there, turn.tiles, strict=False))
    try:
        play = played(state.board, at, tiles + turn.tiles[len(there) :])
    except ValueError as error:
        why = Refusal("does_not_fit", {"square": at, "word": turn.tiles[:SIZE]})
        raise problem_at(turn.line, f"{where}: {error}", why) from error
    refusal = why_not_there(state.board, state.racks[turn.seat], at, play.word)
    if refusal is not None:
        reason = ", ".join(f"{name} {value}" for name, value in refusal.values.items())
        raise problem_at(turn.line, f"{where}: {refusal.code.replace('_', ' ')} ({reason})", refusal)
    if play.score != turn.score:
        problem = f"{where}: this play scores {play.score} with French tiles, not {turn.score}"
        raise problem_at(turn.line, problem, Refusal("wrong_score", {"score": play.score, "written": turn.score}))
    check_total(turn.line, where, state.scores[turn.seat] + play.score, turn.total)
    return Place(at, play.word)


def shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
