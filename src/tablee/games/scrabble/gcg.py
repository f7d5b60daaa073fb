"""GCG, the files in which Scrabble programs keep games: written for a match, and read as a replay.

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
the tiles of a rack only when its player is asked, so that is where a replay takes them from; tiles that it never names
stay in the bag. Whether words are valid is not asked: a file is history. Points for a contest or for time that other
rules give, `(challenge) +5` or `(time) -10`, are counted as the file counts them, and the replay remarks on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from ...core.game import Leave, Refusal, Seat
from ...core.match import Match, Step
from ...core.replay import CannotRead, Remark, Replay
from ...core.replay import replay as watched
from .board import EMPTY, EMPTY_BOARD, LINES, PLACES, SIZE, letters_of, name_of, tiles_of, value_of
from .lexicon import UnknownLexicon, lexicon
from .notation import played, rest_of
from .placing import why_not_from, why_not_there
from .rules import ACCEPT, CHALLENGE, PASS, PENALTY, Scrabble, end, exchange, invalid_words, lay, leave, stand, withdraw
from .rules import end_turn as end_turn_of
from .turns import playing, unanswered
from .values import Action, Exchange, Move, Options, Pending, Place, State
from .view import minus

GAME = Scrabble()
LEFT = "left the game"
"""How a note says that a player abandoned; GCG itself has no word for it."""
CONTESTED = "contested by"
"""How a note says who had a play taken back; GCG itself does not tell."""

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
                    yield f"#note {CONTESTED} {' '.join(nicks[other] for other in move.contesters)}"
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


class Change(Struct):
    """Points that other rules give or take."""

    line: int
    seat: Seat
    what: str
    points: int
    total: int | None
    """None: other lines about the end came before, so that nobody can say."""


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
    changes: list[Change] = []
    """What came of it by other rules."""


class Sheet(Struct):
    """What a file tells."""

    nicks: dict[str, Seat] = {}
    names: dict[Seat, str] = {}
    turns: list[Told] = []
    lexicon: str = ""
    racks_left: dict[Seat, str] = {}
    out: bool = False
    """Somebody was paid for the others' tiles."""


def read(text: str) -> Replay:
    """Return what a GCG file shows; raises `CannotRead` with the line and what is wrong."""
    sheet = read_sheet(text)
    count = len(sheet.names)
    if count < 2 or sheet.names.keys() != set(range(count)):
        problem = f"a game has 2 to 4 players, and this file names {count} (lines that say #player1 …)"
        raise CannotRead(problem, Refusal("no_players", {"count": count}))
    if not sheet.turns:
        raise CannotRead("there is not one turn in this file (lines that begin with >)", Refusal("no_turns"))
    return shoot(sheet)


def read_sheet(text: str) -> Sheet:
    """Read every line by itself."""
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
            raise wrong(number, f"a line begins with # or with >, not {shorten(line)}", Refusal("not_a_line"))
    return sheet


def wrong(line: int, problem: str, why: Refusal) -> CannotRead:
    return CannotRead(f"line {line}: {problem}", why)


def read_pragma(sheet: Sheet, line: str, number: int) -> None:
    """Players, lexicon, who left, and who contested; whatever else a file says is for other programs."""
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
    """A player by number: a short name that the turns repeat, and a full one."""
    nick, _, name = said.partition(" ")
    seat = "1234".find(digit or " ")
    if seat < 0 or seat in sheet.names or not nick or nick in sheet.nicks:
        problem = f"{shorten(f'#player{digit} {said}')}: players are numbered from 1 to 4, each with a name of its own"
        raise wrong(number, problem, Refusal("bad_player"))
    sheet.nicks[nick] = seat
    sheet.names[seat] = name.strip() or nick


def read_note(sheet: Sheet, said: str, number: int) -> None:
    """Who left, and who had the last play taken back; what else people note is theirs."""
    nick, last = said.removesuffix(f" {LEFT}"), sheet.turns[-1] if sheet.turns else None
    if nick != said and nick in sheet.nicks:
        sheet.turns.append(Told(number, sheet.nicks[nick], "", "leave"))
    elif said.startswith(CONTESTED) and last is not None and last.withdrawn:
        named = {sheet.nicks[nick] for nick in said.split() if nick in sheet.nicks}
        last.contesters = tuple(sorted(named - {last.seat}))


def seat_of(sheet: Sheet, nick: str, number: int) -> Seat:
    if nick not in sheet.nicks:
        known = ", ".join(sheet.nicks) or "nobody"
        problem = f"there is no player {shorten(nick)}; there is {known[:60]}"
        raise wrong(number, problem, Refusal("unknown_nick", {"name": nick[:60]}))
    return sheet.nicks[nick]


def read_turn(sheet: Sheet, line: str, number: int) -> None:
    """Add what a line tells to the sheet."""
    found = _TURN.fullmatch(line)
    if found is None:
        raise wrong(number, f"this is no turn of GCG: {shorten(line)}", Refusal("not_a_turn"))
    seat, total = seat_of(sheet, found["nick"], number), int(found["total"])
    told = Told(number, seat, "".join(sorted(found["rack"] or "")), "", total=total)
    last = sheet.turns[-1] if sheet.turns else None
    if found["what"]:
        return read_change(sheet, last, found["what"], int(found["change"]), told)
    if found["left"] is not None:
        return read_left(sheet, "".join(sorted(found["left"])), int(found["adjusted"]), told)
    if found["back"]:
        if last is None or (last.seat, last.kind, last.score) != (seat, "place", int(found["lost"])):
            problem = f"{shorten(line)} takes back a play that was not the last one"
            raise wrong(number, problem, Refusal("not_the_last"))
        last.withdrawn = True
        return None
    if found["exchanged"] is not None:
        told.kind, told.tiles = ("exchange" if found["exchanged"] not in ("", "0") else "pass"), found["exchanged"]
    else:
        told.kind, told.score = "place", int(found["score"])
        told.at = found["at"].upper()
        told.tiles = re.sub(r"\([A-Za-z]*\)", lambda there: EMPTY * (len(there[0]) - 2), found["tiles"])
    sheet.turns.append(told)
    return None


def read_change(sheet: Sheet, last: Told | None, what: str, points: int, told: Told) -> None:
    """A contest that failed costs 10 points (S6); whatever else is counted so is by other rules."""
    if last is None:
        raise wrong(told.line, f"({what}) {points:+} comes before the first turn", Refusal("nothing_before"))
    contests = what == "challenge" and points == -PENALTY and last.kind == "place"
    if contests and told.seat != last.seat and told.seat not in last.contesters:
        last.contesters = (*last.contesters, told.seat)
    else:
        total = None if sheet.out or sheet.racks_left else told.total
        last.changes.append(Change(told.line, told.seat, what, points, total))


def read_left(sheet: Sheet, tiles: str, change: int, told: Told) -> None:
    """The tiles of a rack at the end: lost by who had them, or gained by who had none."""
    worth = value_of(tiles)
    if abs(change) not in (worth, 2 * worth):
        why = Refusal("wrong_worth", {"tiles": tiles, "score": worth, "told": abs(change)})
        raise wrong(told.line, f"the tiles {tiles} are worth {worth}, not {abs(change)}", why)
    if told.rack or change < 0:
        sheet.racks_left[told.seat] = tiles
        return
    sheet.out = True
    others = [seat for seat in range(len(sheet.names)) if seat != told.seat]
    if len(others) == 1:
        sheet.racks_left[others[0]] = tiles


def shoot(sheet: Sheet) -> Replay:
    """Play the turns of a file, with the tiles that it names."""
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
            told = (*state.racks[:seat], kept if rack is None else rack, *state.racks[seat + 1 :])
            states[-1] = deal(state, told, turn.line)
        for change in turn.changes:
            states[-1] = changed(states[-1], change)
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


def changed(state: State, change: Change) -> State:
    """Count points of other rules."""
    scores = [score + change.points * (seat == change.seat) for seat, score in enumerate(state.scores)]
    if state.ending is None and change.total is not None:
        demand_total(change.line, f"({change.what}) {change.points:+}", scores[change.seat], change.total)
    return replace(state, scores=tuple(scores))


def demand_total(line: int, what: str, total: int, told: int) -> None:
    """Raise `CannotRead` where a file adds up otherwise."""
    if total != told:
        problem = f"{what}: the total is {total}, not {told}"
        raise wrong(line, problem, Refusal("wrong_total", {"score": total, "told": told}))


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
            return None if turn.kind == "leave" else turn.rack or tiles_of(turn.tiles.strip("01234567"))
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
        raise wrong(line, f"{error} for the racks and the board", Refusal("too_many_tiles")) from error


def play_turn(state: State, turn: Told) -> Iterator[tuple[Step, State]]:
    """The steps of one turn and the states they lead to."""
    seat = turn.seat
    if state.ending is not None:
        raise wrong(turn.line, "the game was over before this turn", Refusal("over"))
    if turn.kind == "leave":
        yield Step(seat, Leave()), leave(state, seat, FIRST_TILE)
        return
    if state.to_act != seat:
        awaited = (state.to_act or 0) + 1
        problem = f"it is the turn of player {awaited}, not of {seat + 1}"
        raise wrong(turn.line, problem, Refusal("other_turn", {"player": awaited}))
    if turn.kind == "place":
        yield from play_word(state, turn)
        return
    demand_total(turn.line, turn.kind, state.scores[seat], turn.total)
    if turn.kind == "pass":
        yield Step(seat, PASS), end_turn_of(state, Move(seat, "pass"))
    elif turn.tiles.isdigit():  # Only how many.
        count = min(int(turn.tiles), 7)
        yield Step(seat, Exchange("_" * count)), end_turn_of(state, Move(seat, "exchange", count=count))
    else:
        tiles = "".join(sorted(turn.tiles))
        refusal = why_not_from(state.racks[seat], list(tiles))
        if refusal is not None:
            raise wrong(turn.line, f"{tiles} is not all on the rack {state.racks[seat]}", refusal)
        yield Step(seat, Exchange(tiles)), exchange(state, seat, tiles, FIRST_TILE)


def play_word(state: State, turn: Told) -> Iterator[tuple[Step, State]]:
    """A play, and where the game was played with contests, what everyone answered."""
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
    where = f"{turn.at} {turn.tiles}"
    if at is None:
        raise wrong(turn.line, f"{where}: there is no such square", Refusal("no_such_square", {"square": turn.at}))
    number, start = PLACES[at]
    there = letters_of(state.board, number)[start : start + len(turn.tiles)]
    tiles = "".join(EMPTY if old.upper() == new.upper() else new for old, new in zip(there, turn.tiles, strict=False))
    try:
        play = played(state.board, at, tiles + turn.tiles[len(there) :])
    except ValueError as error:
        why = Refusal("does_not_fit", {"square": at, "word": turn.tiles[:SIZE]})
        raise wrong(turn.line, f"{where}: {error}", why) from error
    refusal = why_not_there(state.board, state.racks[turn.seat], at, play.word)
    if refusal is not None:
        reason = ", ".join(f"{name} {value}" for name, value in refusal.values.items())
        raise wrong(turn.line, f"{where}: {refusal.code.replace('_', ' ')} ({reason})", refusal)
    if play.score != turn.score:
        problem = f"{where}: this play counts {play.score} with French tiles, not {turn.score}"
        raise wrong(turn.line, problem, Refusal("wrong_score", {"score": play.score, "told": turn.score}))
    demand_total(turn.line, where, state.scores[turn.seat] + play.score, turn.total)
    return Place(at, play.word)


def shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


class Gcg:
    """GCG as a format of the house."""

    write = staticmethod(write)
    read = staticmethod(read)
