"""Read a GCG file as a replay; `gcg.py` describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ...core.game import Leave, Refusal, Seat
from ...core.match import Step
from ...core.replay import CannotRead, FileScore, Remark, Replay
from .board import EMPTY, EMPTY_BOARD, PLACES, SIZE, letters_of, name_of, tiles_of, value_of
from .gcg_writing import CONTESTED, LEFT
from .lexicon import UnknownLexicon, lexicon
from .notation import played, rest_of
from .placing import why_not_from, why_not_there
from .rules import ACCEPT, CHALLENGE, PASS, PENALTY, Scrabble, exchange, invalid_words, lay, leave, stand, withdraw
from .rules import end_turn as end_turn_of
from .turns import unanswered
from .values import Action, Ending, Exchange, Move, Options, Pending, Place, State
from .view import adjustments, minus

GAME = Scrabble()

_TURN = re.compile(
    r""">(?P<nick>\S+):\s++(?:(?P<rack>[A-Z?_.*]{1,7})\s++)?(?:
        \((?P<what>challenge|time)\)\s+(?P<change>(?:\+-?|-)[0-9]{1,4})
      | \((?P<left>[A-Z?]{0,21})\)\s+(?P<adjusted>(?:\+-?|-)[0-9]{1,4})
      | (?P<back>--)\s+(?P<lost>\+?-?[0-9]{1,4})
      | -(?P<exchanged>[A-Z?]{1,7}|[0-7]?)\s+\+?-?0
      | (?P<at>[0-9]{1,2}[A-Za-z]|[A-Za-z][0-9]{1,2})\s+
        (?P<tiles>(?:[A-Za-z.]|\([A-Za-z]{1,14}\)){1,15})\s+(?P<score>\+?-?[0-9]{1,4})
    )\s+(?P<total>\+?-?[0-9]{1,4})(?:\s.*)?""",
    re.VERBOSE,
)
"""A turn. Quackle writes a plus before every number, so that -4 becomes `+-4`."""
UNKNOWN = "UNKNOWN"
"""The rack that Quackle writes if it does not know it."""
JOKERS = 2


def signed(text: str) -> int:
    """Read a number with a sign, two signs or none."""
    return int(text.replace("+-", "-"))


def known_rack(text: str) -> str:
    """Return the sorted rack of a line; empty if it is a placeholder such as `???????`, `_______` or `UNKNOWN`."""
    placeholder = text == UNKNOWN or text.count("?") > JOKERS or any(mark in text for mark in "_.*")
    return "" if placeholder else "".join(sorted(text))


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
    """Points by the rules of the file, after a turn."""

    line: int
    seat: Seat
    what: str
    """`challenge`, `time`, or the tiles left at the end in brackets."""
    points: int
    total: int
    worth: int | None = None
    """The value of the tiles left at the end; None if it is not about them."""


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
    """Points by the rules of the file after this turn."""


class Sheet(Struct):
    """The content of a file."""

    nicks: dict[str, Seat] = {}
    names: dict[Seat, str] = {}
    turns: list[FileTurn] = []
    lexicon: str = ""
    racks_left: dict[Seat, str] = {}
    out: Seat | None = None
    """The player who got points for the tiles of the others."""


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
    seat, total = seat_of(sheet, found["nick"], number), signed(found["total"])
    turn = FileTurn(number, seat, known_rack(found["rack"] or ""), "", total=total)
    last = sheet.turns[-1] if sheet.turns else None
    if found["what"]:
        return read_change(last, found["what"], signed(found["change"]), turn)
    if found["left"] is not None:
        return read_left(sheet, "".join(sorted(found["left"])), signed(found["adjusted"]), turn)
    if found["back"]:
        return read_back(sheet, last, abs(signed(found["lost"])), turn)
    if found["exchanged"] is not None:
        turn.kind, turn.tiles = ("exchange" if found["exchanged"] not in ("", "0") else "pass"), found["exchanged"]
    else:
        turn.kind, turn.score = "place", signed(found["score"])
        turn.at = found["at"].upper()
        turn.tiles = re.sub(r"\([A-Za-z]*\)", lambda there: EMPTY * (len(there[0]) - 2), found["tiles"])
    sheet.turns.append(turn)
    return None


def read_back(sheet: Sheet, last: FileTurn | None, lost: int, turn: FileTurn) -> None:
    """Read `--`, which takes back the player's last play; the older form `-- +0` is also a turn lost for a contest."""
    if last is not None and (last.seat, last.kind) == (turn.seat, "place"):
        if last.score == lost or (lost == 0 and last.total - last.score == turn.total):
            last.withdrawn = True
            return
    elif lost == 0:
        turn.kind = "pass"
        sheet.turns.append(turn)
        return
    raise problem_at(turn.line, "-- takes back a play that was not the last one", Refusal("not_the_last"))


def read_change(last: FileTurn | None, what: str, points: int, turn: FileTurn) -> None:
    """Read a change of points: -10 is a failed contest (S6), anything else comes from other rules."""
    if last is None:
        raise nothing_before(turn.line, f"({what}) {points:+}")
    contests = what == "challenge" and points == -PENALTY and last.kind == "place"
    if contests and turn.seat != last.seat and turn.seat not in last.contesters:
        last.contesters = (*last.contesters, turn.seat)
    else:
        last.changes.append(Change(turn.line, turn.seat, what, points, turn.total))


def read_left(sheet: Sheet, tiles: str, points: int, turn: FileTurn) -> None:
    """Read the tiles of a rack at the end, lost by their owner or gained by the player who went out."""
    if not sheet.turns:
        raise nothing_before(turn.line, f"({tiles}) {points:+}")
    worth = value_of(tiles)
    if abs(points) not in (worth, 2 * worth):
        why = Refusal("wrong_worth", {"tiles": tiles, "score": worth, "written": abs(points)})
        raise problem_at(turn.line, f"the tiles {tiles} are worth {worth}, not {abs(points)}", why)
    sheet.turns[-1].changes.append(Change(turn.line, turn.seat, tiles, points, turn.total, worth))
    if turn.rack or points < 0:
        sheet.racks_left[turn.seat] = tiles
        return
    sheet.out = turn.seat
    others = [seat for seat in range(len(sheet.names)) if seat != turn.seat]
    if len(others) == 1:
        sheet.racks_left[others[0]] = tiles


def nothing_before(line: int, what: str) -> CannotRead:
    return problem_at(line, f"{what} comes before the first turn", Refusal("nothing_before"))


def drop_last_passes(sheet: Sheet) -> None:
    """Drop the passes after the play that ended the game: some programs write one for each player who is left."""
    played = [at for at, turn in enumerate(sheet.turns) if (turn.seat, turn.kind) == (sheet.out, "place")]
    if not played or any(turn.kind != "pass" for turn in sheet.turns[played[-1] + 1 :]):
        return
    last = sheet.turns[played[-1]]
    for turn in sheet.turns[played[-1] + 1 :]:
        last.changes += turn.changes
        if turn.rack:
            sheet.racks_left.setdefault(turn.seat, turn.rack)
    del sheet.turns[played[-1] + 1 :]


def to_replay(sheet: Sheet) -> Replay:
    """Play the turns of a file with its tiles and return the replay."""
    drop_last_passes(sheet)
    contested = any(turn.withdrawn or turn.contesters for turn in sheet.turns)
    options = Options(validation="challenge" if contested else "auto", lexicon=known_lexicon(sheet.lexicon))
    first = next((turn.seat for turn in sheet.turns if turn.kind != "leave"), 0)
    seats = len(sheet.names)
    racks = tuple(next_rack(sheet, 0, seat) or "" for seat in range(seats))
    state = State(options, "play", first, first, EMPTY_BOARD, racks, "", (0,) * seats)
    states, steps = [deal(state, racks, sheet.turns[0].line)], list[Step]()
    remarks: list[Remark] = []
    for at, turn in enumerate(sheet.turns):
        if (states[-1].ending, turn.kind) != ("out", "pass"):  # Some programs write a pass after the last play.
            seat, kept = turn.seat, kept_rack(states[-1].racks[turn.seat], turn)
            for step, state in play_turn(states[-1], turn):
                steps.append(step)
                states.append(state)
            if state.ending is None:
                rack = next_rack(sheet, at + 1, seat)
                racks_after = (*state.racks[:seat], kept if rack is None else rack, *state.racks[seat + 1 :])
                states[-1] = deal(state, racks_after, turn.line)
        if any(change.worth is not None for change in turn.changes):
            states[-1] = ended_by_file(states[-1], "passes" if sheet.out is None else "out")
        for change in turn.changes:
            states[-1] = with_change(states[-1], change)
            if change.worth is None:
                remarks.append(Remark(len(steps), change.seat, f"({change.what}) {change.points:+}"))
    if states[-1].ending is not None:  # A file that says nothing about the tiles left does not count them.
        states[-1] = ended_by_file(states[-1], states[-1].ending)
    return Replay(
        game=GAME.info.key,
        seats=seats,
        options=options,
        names=tuple(sheet.names[seat] for seat in range(seats)),
        states=tuple(states),
        steps=tuple(steps),
        outcome=GAME.outcome(states[-1]),
        remarks=tuple(remarks),
        file_score=file_score(sheet, states[-1]),
    )


def ended_by_file(state: State, ending: Ending) -> State:
    """End the match if it is not over, and leave the last points to the file."""
    if state.adjusted:
        return state
    ours = adjustments(state) if state.ending is not None else (0,) * len(state.scores)
    scores = tuple(score - change for score, change in zip(state.scores, ours, strict=True))
    adjusted = (0,) * len(scores)
    return replace(state, stage="over", to_act=None, ending=state.ending or ending, scores=scores, adjusted=adjusted)


def with_change(state: State, change: Change) -> State:
    """Add points by the rules of the file to the scores."""
    scores = plus(state.scores, change)
    if state.ending is None or state.adjusted:
        check_total(change.line, f"({change.what}) {change.points:+}", scores[change.seat], change.total)
    if change.worth is None:
        return replace(state, scores=scores)
    return replace(state, scores=scores, adjusted=plus(state.adjusted, change))


def plus(points: tuple[int, ...], change: Change) -> tuple[int, ...]:
    return tuple(one + change.points * (seat == change.seat) for seat, one in enumerate(points))


def file_score(sheet: Sheet, state: State) -> FileScore | None:
    """Return the final score of the file and its rule for the tiles left; None if the game is not over."""
    if state.ending is None:
        return None
    left = [change for turn in sheet.turns for change in turn.changes if change.worth is not None]
    lost = [change for change in left if change.points < 0 or change.seat != sheet.out]
    gained = [change for change in left if change not in lost]
    if not left:
        rule = "not_counted"
    elif all(abs(change.points) == 2 * (change.worth or 0) for change in left):
        rule = "lost_twice" if not gained else "gained_twice" if not lost else "other"
    elif all(abs(change.points) == change.worth for change in left):
        rule = "lost" if not gained else "gained" if not lost else "lost_and_gained"
    else:
        rule = "other"
    return FileScore(tuple(map(float, state.scores)), rule)


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
    if turn.withdrawn and not turn.score:  # The older form gives a withdrawn play no points at all.
        check_total(turn.line, where, state.scores[turn.seat], turn.total)
        return Place(at, play.word)
    if play.score != turn.score:
        problem = f"{where}: this play scores {play.score} with French tiles, not {turn.score}"
        raise problem_at(turn.line, problem, Refusal("wrong_score", {"score": play.score, "written": turn.score}))
    check_total(turn.line, where, state.scores[turn.seat] + play.score, turn.total)
    return Place(at, play.word)


def shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
