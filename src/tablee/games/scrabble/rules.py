"""Scrabble français: place words on the board and score their letters.

Functions on values come first, one for each rule. The class `Scrabble` at the end connects them to the contract. `S1`,
`S2`, … are the numbers of rulings on the rules page, docs/regles/scrabble.md. `placing.py` has the rules of placement,
`scoring.py` the scores, `movegen.py` the list of plays.
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from ...core.game import UNTIMED, Cause, Chance, Clocks, Game, GameInfo, Leave, Outcome, Refusal, Seat, Turn, turn_of
from ...core.trace import place_in, place_in_heap
from .board import ALL_TILES, EMPTY_BOARD, RACK, put, tiles_of, together, without
from .lexicon import lexicon, refs
from .movegen import plays
from .notation import ScrabbleNotation
from .placing import why_not_from, why_not_there
from .scoring import score_play
from .turns import idle_turns, logged, most_idle, most_passes, passes_in_a_row, playing, unanswered
from .values import (
    Accept,
    Action,
    Challenge,
    Ending,
    Exchange,
    Move,
    Options,
    Pass,
    Pending,
    Place,
    Play,
    State,
    View,
)
from .view import adjustments, imagine, view_of

ACCEPT, CHALLENGE, PASS = Accept(), Challenge(), Pass()
PENALTY = 10
"""The points that contesting a valid play costs (S6)."""
LONGEST = (len(ALL_TILES) + 1) * 6 * 4 * 4 + 4
"""Each tile is laid alone; before each and at the end come 6 × 4 turns without a tile, of up to four actions (S7)."""


def prepare() -> None:
    """Load every lexicon that a host can choose, so that the first word does not wait for it."""
    for ref in refs():
        lexicon(ref)


def invalid_words(state: State, play: Play) -> tuple[str, ...]:
    """Return the words of a play that are not in the lexicon, each once."""
    words = lexicon(state.options.lexicon)
    return tuple(dict.fromkeys(one.word.upper() for one in play.words if one.word.upper() not in words))


def draw(bag: str, count: int, chance: Chance) -> tuple[str, str]:
    """Draw tiles from the bag; return them and the rest of the bag."""
    drawn = ""
    for _ in range(min(count, len(bag))):
        at = place_in_heap(bag, chance, "tiles")
        drawn += bag[at]
        bag = bag[:at] + bag[at + 1 :]
    return drawn, bag


def set_at(values: tuple[str, ...], at: int, value: str) -> tuple[str, ...]:
    return (*values[:at], value, *values[at + 1 :])


def lay(state: State, seat: Seat, at: str, word: str, chance: Chance) -> State:
    """Lay a play, which stands at once or can be contested first (S6)."""
    play = score_play(state.board, at, word)
    racks = set_at(state.racks, seat, without(state.racks[seat], tiles_of(play.tiles)))
    pending = Pending(seat, play, (None,) * len(racks))
    state = replace(state, racks=racks, pending=pending)
    return settle(state, chance) if state.options.validation == "auto" else replace(state, stage="challenge")


def answer(state: State, seat: Seat, contests: bool, chance: Chance) -> State:
    """Store a seat's answer; the last one settles the play (S6)."""
    pending = state.pending
    assert pending is not None
    answers = (*pending.answers[:seat], contests, *pending.answers[seat + 1 :])
    state = replace(state, pending=replace(pending, answers=answers))
    return state if unanswered(state) else settle(state, chance)


def settle(state: State, chance: Chance) -> State:
    """Let a play stand, or withdraw it if it was contested and has an invalid word (S6)."""
    pending = state.pending
    assert pending is not None
    contesters = tuple(seat for seat, contests in enumerate(pending.answers) if contests)
    invalid = invalid_words(state, pending.play) if contesters else ()
    state = replace(state, stage="play", pending=None, last=pending.play)
    return withdraw(state, pending, contesters, invalid) if invalid else stand(state, pending, contesters, chance)


def withdraw(state: State, pending: Pending, contesters: tuple[Seat, ...], invalid: tuple[str, ...]) -> State:
    """Return the tiles to the rack, score nothing and end the turn (S6)."""
    seat = pending.seat
    rack = together(state.racks[seat], tiles_of(pending.play.tiles))
    return end_turn(
        replace(state, racks=set_at(state.racks, seat, rack)), logged(seat, pending.play, contesters, invalid)
    )


def stand(state: State, pending: Pending, contesters: tuple[Seat, ...], chance: Chance) -> State:
    """Score the play, charge the contesters, and only now draw new tiles (S6)."""
    seat, play = pending.seat, pending.play
    drawn, bag = draw(state.bag, RACK - len(state.racks[seat]), chance)
    scores = [score - PENALTY * (other in contesters) for other, score in enumerate(state.scores)]
    scores[seat] += play.score
    state = replace(
        state,
        board=put(state.board, play.at, play.tiles),
        racks=set_at(state.racks, seat, together(state.racks[seat], drawn)),
        bag=bag,
        scores=tuple(scores),
    )
    return end_turn(state, logged(seat, play, contesters, ()))


def exchange(state: State, seat: Seat, tiles: str, chance: Chance) -> State:
    """Draw as many tiles as are given, then put the given ones into the bag (S5)."""
    drawn, bag = draw(state.bag, len(tiles), chance)
    rack = together(without(state.racks[seat], tiles), drawn)
    state = replace(state, racks=set_at(state.racks, seat, rack), bag=together(bag, tiles))
    return end_turn(state, Move(seat, "exchange", count=len(tiles)))


def end_turn(state: State, move: Move) -> State:
    """Add a turn to the log, then end the match (S7) or pass the turn."""
    state = replace(state, log=(*state.log, move))
    if not state.racks[move.seat] and not state.bag:
        return end(state, "out")
    if passes_in_a_row(state.log) >= most_passes(state):
        return end(state, "passes")
    if idle_turns(state.log) >= most_idle(state):
        return end(state, "stalled")
    return replace(state, to_act=next_seat(state, move.seat))


def next_seat(state: State, seat: Seat) -> Seat:
    """Return the next seat clockwise that has not left."""
    seats = len(state.racks)
    return next(asked % seats for asked in range(seat + 1, seat + 1 + seats) if asked % seats not in state.left)


def end(state: State, ending: Ending) -> State:
    """End the match and adjust the scores (S7)."""
    state = replace(state, stage="over", to_act=None, ending=ending)
    changes = adjustments(state)
    return replace(state, scores=tuple(score + change for score, change in zip(state.scores, changes, strict=True)))


def leave(state: State, seat: Seat, chance: Chance) -> State:
    """Remove a seat (S8): its tiles go back to the bag, with those of its unsettled play."""
    if seat in state.left or state.stage == "over":
        return state
    heap, pending = state.racks[seat], state.pending
    if pending is not None and pending.seat == seat:
        heap, pending = together(heap, tiles_of(pending.play.tiles)), None
    elif pending is not None:  # Its answer no longer counts.
        pending = replace(pending, answers=(*pending.answers[:seat], None, *pending.answers[seat + 1 :]))
    state = replace(
        state,
        stage="play" if pending is None else "challenge",
        racks=set_at(state.racks, seat, ""),
        bag=together(state.bag, heap),
        log=(*state.log, Move(seat, "leave")),
        pending=pending,
        left=(*state.left, seat),
    )
    if len(playing(state)) == 1:
        return end_with_one_seat(state)
    if pending is not None:
        return state if unanswered(state) else settle(state, chance)
    return replace(state, to_act=next_seat(state, seat)) if state.to_act == seat else state


def end_with_one_seat(state: State) -> State:
    """End a match with one seat left, which wins; scores stay, and its own unsettled play is withdrawn."""
    if state.pending is not None:
        seat = state.pending.seat
        rack = together(state.racks[seat], tiles_of(state.pending.play.tiles))
        state = replace(state, racks=set_at(state.racks, seat, rack), pending=None)
    return end(state, "left")


def why_not_exchange(state: State, seat: Seat, tiles: str) -> Refusal | None:
    """Return which part of S5 forbids an exchange, or None."""
    if len(state.bag) < RACK:
        return Refusal("bag_too_small", {"left": len(state.bag), "least": RACK})
    if tiles != "".join(sorted(tiles)):
        return Refusal("not_sorted", {"tiles": "".join(sorted(tiles))})
    return why_not_from(state.racks[seat], list(tiles))


def why_not_place(state: State, seat: Seat, at: str, word: str) -> Refusal | None:
    """Return why a play is not legal, or None; words are checked only without contests (S6)."""
    refusal = why_not_there(state.board, state.racks[seat], at, word)
    if refusal is not None or state.options.validation == "challenge":
        return refusal
    play = score_play(state.board, at, word)
    invalid = invalid_words(state, play)
    return Refusal("not_a_word", {"words": invalid, "score": play.score, "play": play}) if invalid else None


def why_not_answer(state: State, seat: Seat) -> Refusal | None:
    """Return why a seat cannot contest or accept, or None (S6)."""
    if state.options.validation == "auto":
        return Refusal("no_contest")
    if state.pending is None:
        return Refusal("too_late", late=True)
    if state.pending.seat == seat:
        return Refusal("own_play")
    if seat in state.left:
        return Refusal("not_your_turn")
    return None if state.pending.answers[seat] is None else Refusal("already_answered")


def exchanges(rack: str) -> list[Action]:
    """Return every exchange of a rack, fewest tiles first."""
    return [
        Exchange("".join(tiles))
        for count in range(1, len(rack) + 1)
        for tiles in dict.fromkeys(combinations(rack, count))
    ]


class Scrabble(Game[State, Action, View]):
    info = GameInfo(
        key="scrabble",
        version=1,
        seats=(2, 4),
        options=Options,
        state=State,
        action=Action,
        view=View,
        longest=LONGEST,
        partial=True,  # S12: with contests every well-placed play is accepted, but only valid words are listed
        sends_legal=False,
    )
    notation = ScrabbleNotation()

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        starter, bag, racks = place_in(range(seats), chance, "seats"), ALL_TILES, []
        for _ in range(seats):
            drawn, bag = draw(bag, RACK, chance)
            racks.append(together(drawn))
        return State(options, "play", starter, starter, EMPTY_BOARD, tuple(racks), bag, (0,) * seats)

    def turn(self, state: State) -> Turn:
        if state.stage == "challenge":
            return turn_of(unanswered(state), "challenge")
        return turn_of(() if state.to_act is None else (state.to_act,), state.stage)

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        if seat not in self.turn(state).must:
            return []
        if state.stage == "challenge":
            return [ACCEPT, CHALLENGE]
        rack = state.racks[seat]
        listed: list[Action] = [*plays(state.board, rack, state.options.lexicon)]
        if len(state.bag) >= RACK:
            listed += exchanges(rack)
        return [*listed, PASS]

    def check(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why an action is refused; a bad contest gets its own reason, never « not your turn »."""
        if isinstance(action, Challenge | Accept) and state.stage != "over" and 0 <= seat < len(state.racks):
            return why_not_answer(state, seat)
        return super().check(state, seat, action)

    def why_not(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        if state.stage == "challenge":
            return Refusal("answer_first")
        match action:
            case Place(at, word):
                return why_not_place(state, seat, at, word)
            case Exchange(tiles):
                return why_not_exchange(state, seat, tiles)
            case _:
                return None

    def preview(self, state: State, seat: Seat, action: Action) -> Play | None:
        """Return the words of a play and their scores, but not whether they are valid (S6)."""
        return score_play(state.board, action.at, action.word) if isinstance(action, Place) else None

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> State:
        match action:
            case Place(at, word):
                return lay(state, seat, at, word, chance)
            case Exchange(tiles):
                return exchange(state, seat, tiles, chance)
            case Pass():
                return end_turn(state, Move(seat, "pass"))
            case Challenge():
                return answer(state, seat, True, chance)
            case Accept():
                return answer(state, seat, False, chance)
            case Leave():
                return leave(state, seat, chance)

    def outcome(self, state: State) -> Outcome | None:
        if state.ending is None:
            return None
        ranks = [(seat in state.left, -score) for seat, score in enumerate(state.scores)]
        return Outcome(state.scores, tuple(1 + sum(other < rank for other in ranks) for rank in ranks), state.ending)

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Action:
        if cause is Cause.LEAVE:
            return Leave()
        return ACCEPT if state.stage == "challenge" else PASS

    def clocks(self, state: State) -> Clocks:
        """Return the time limit for contests, which also applies at untimed tables (S6)."""
        return Clocks(move=state.options.challenge_time, thinking=False) if state.stage == "challenge" else UNTIMED

    def view(self, state: State, seat: Seat | None) -> View:
        return view_of(state, seat)

    def seen(self, actor: Seat, action: Action, seat: Seat | None) -> Action | None:
        if seat == actor:
            return action
        match action:
            case Exchange(tiles):  # S5: others see only the number of tiles
                return Exchange("_" * len(tiles))
            case Challenge() | Accept():  # S6: hidden until the last answer, then shown in the view
                return None
            case _:
                return action

    def imagine(self, view: View, chance: Chance) -> State:
        return imagine(view, chance)
