"""The laws hold for every game there is, accept good games, and catch a game that breaks one of them."""

import random
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from tablee.core.discover import games
from tablee.core.game import Cause, Game, GameInfo, Leave, OpenGame, Outcome, Refusal, Turn
from tablee.core.laws import LawBroken, check_laws
from tablee.games.kora.notation import KoraNotation
from tablee.games.kora.rules import Kora, playable
from tablee.games.kora.values import Play, Propose, View


@pytest.mark.parametrize("key", games())
def test_every_game_obeys_the_laws(key):
    check_laws(games()[key].rules, most_plies=120)


class JsonNotation:
    """Actions and positions as JSON: enough for the small games of this page."""

    def __init__(self, state: Any, action: Any) -> None:
        self.state, self.action = state, action

    def write_action(self, action):
        return msgspec.json.encode(action).decode()

    def read_action(self, text):
        return msgspec.json.decode(text, type=self.action)

    def write_state(self, state):
        return msgspec.json.encode(state).decode()

    def read_state(self, text):
        return msgspec.json.decode(text, type=self.state)


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    pass


# An open game: take one to three matches in turn; whoever takes the last one wins.


class Take(Struct, frozen=True, tag="take", tag_field="type", forbid_unknown_fields=True):
    matches: int


class Heap(Struct, frozen=True):
    matches: int
    to_act: int = 0
    left: int | None = None


class Nim(OpenGame[Heap, Take | Leave]):
    info = GameInfo(
        key="nim",
        version=1,
        seats=(2, 2),
        options=NoOptions,
        state=Heap,
        action=Take | Leave,
        view=Heap,
        longest=20,
        hides=False,
    )
    notation = JsonNotation(Heap, Take | Leave)

    def setup(self, seats, options, chance):
        return Heap(10 + chance.pick(11))

    def turn(self, state):
        return Turn(frozenset() if self.outcome(state) else frozenset({state.to_act}))

    def legal_actions(self, state, seat):
        if seat not in self.turn(state).must:
            return []
        return [Take(n) for n in (1, 2, 3) if n <= state.matches]

    def why_not(self, state, seat, action):
        return None if 1 <= action.matches <= min(3, state.matches) else Refusal("too_many")

    def apply(self, state, seat, action, chance):
        if isinstance(action, Leave):
            return replace(state, left=seat)
        return Heap(state.matches - action.matches, 1 - seat)

    def outcome(self, state):
        if state.left is None and state.matches:
            return None
        winner = 1 - (state.to_act if state.left is None else state.left)
        return Outcome((winner == 0, winner == 1), (1 + (winner != 0), 1 + (winner != 1)), "taken")

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else Take(1)


# A game with simultaneous, hidden choices: three rounds of rock, paper, scissors for two to four seats.

SIGNS = ("rock", "paper", "scissors")


class Show(Struct, frozen=True, tag="show", tag_field="type", forbid_unknown_fields=True):
    sign: str


class Round(Struct, frozen=True):
    wins: tuple[int, ...]
    chosen: tuple[str, ...]
    """What each seat has chosen; empty: nothing yet, `?`: a choice that the viewer may not see."""
    left: tuple[bool, ...]
    played: int = 0
    seat: int | None = None


class Signs(Game[Round, Show | Leave, Round]):
    info = GameInfo(
        key="signs",
        version=1,
        seats=(2, 4),
        options=NoOptions,
        state=Round,
        action=Show | Leave,
        view=Round,
        longest=12,
    )
    notation = JsonNotation(Round, Show | Leave)

    def setup(self, seats, options, chance):
        return Round((0,) * seats, ("",) * seats, (False,) * seats)

    def turn(self, state):
        if self.outcome(state):
            return Turn(frozenset())
        waiting = [seat for seat, sign in enumerate(state.chosen) if not sign and not state.left[seat]]
        return Turn(frozenset(waiting), stage="choose")

    def legal_actions(self, state, seat):
        return [Show(sign) for sign in SIGNS] if seat in self.turn(state).must else []

    def why_not(self, state, seat, action):
        return None if action.sign in SIGNS else Refusal("no_such_sign", {"sign": action.sign})

    def apply(self, state, seat, action, chance):
        if isinstance(action, Leave):
            left = tuple(gone or at == seat for at, gone in enumerate(state.left))
            chosen = tuple("" if at == seat else sign for at, sign in enumerate(state.chosen))
            return self.resolved(replace(state, left=left, chosen=chosen))
        return self.resolved(replace(state, chosen=self.put(state.chosen, seat, action.sign)))

    def put(self, chosen, seat, sign):
        return (*chosen[:seat], sign, *chosen[seat + 1 :])

    def resolved(self, state):
        """Count the round once everyone who is still there has chosen."""
        if not all(sign or gone for sign, gone in zip(state.chosen, state.left, strict=True)):
            return state
        signs = [SIGNS.index(sign) if sign else None for sign in state.chosen]
        beaten = [sum(other == (sign - 1) % 3 for other in signs) if sign is not None else 0 for sign in signs]
        wins = tuple(had + now for had, now in zip(state.wins, beaten, strict=True))
        return replace(state, wins=wins, chosen=("",) * len(wins), played=state.played + 1)

    def outcome(self, state):
        if state.played < 3 and state.left.count(False) > 1:
            return None
        ranks = [(gone, -wins) for gone, wins in zip(state.left, state.wins, strict=True)]
        return Outcome(state.wins, tuple(1 + sum(other < rank for other in ranks) for rank in ranks), "played")

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else Show("rock")

    def view(self, state, seat):
        chosen = tuple(sign and (sign if at == seat else "?") for at, sign in enumerate(state.chosen))
        return replace(state, chosen=chosen, seat=seat)

    def seen(self, actor, action, seat):
        return action if actor == seat or isinstance(action, Leave) else None

    def imagine(self, view, chance):
        chosen = tuple(SIGNS[chance.pick(3)] if sign == "?" else sign for sign in view.chosen)
        return replace(view, chosen=chosen, seat=None)


@pytest.mark.parametrize("game", [Nim(), Signs()], ids=lambda game: game.info.key)
def test_a_good_small_game_passes(game):
    check_laws(game)


def info(game, **changes):
    return replace(game.info, **changes)


# Planted bugs. Each class breaks one law; `law` is the name that must be in the report.


class OverWithoutOutcome(Kora):
    """The last card is played and nobody has won."""

    law = "over_is_over"

    def outcome(self, state):
        return super().outcome(state) if state.left is not None else None


class OutcomeTooSoon(Kora):
    """There is a winner while the game still waits for a card."""

    law = "over_is_over"

    def outcome(self, state):
        return super().outcome(state) or (Outcome(state.banks, (1, 1), "deals") if len(state.tricks) == 4 else None)


class PlacesFromZero(Kora):
    """The winner's place is 0."""

    law = "over_is_over"

    def outcome(self, state):
        told = super().outcome(state)
        return told and replace(told, places=tuple(place - 1 for place in told.places))


class OutcomeForOne(Kora):
    """The outcome forgets a seat."""

    law = "over_is_over"

    def outcome(self, state):
        told = super().outcome(state)
        return told and replace(told, scores=told.scores[:1], places=told.places[:1])


class DuplicatesInTheList(Kora):
    """The same card is listed twice."""

    law = "legal_exactly_in_turn"

    def legal_actions(self, state, seat):
        listed = super().legal_actions(state, seat)
        return listed + listed[:1]


class ListForEveryone(Kora):
    """A seat that is not in the turn has actions."""

    law = "legal_exactly_in_turn"

    def legal_actions(self, state, seat):
        if state.stage != "play":
            return super().legal_actions(state, seat)
        return [Play(card) for card in playable(state.hands[seat], state.led)]


class StuckSeat(Kora):
    """A follower without the led suit has nothing to play."""

    law = "legal_exactly_in_turn"

    def legal_actions(self, state, seat):
        listed = super().legal_actions(state, seat)
        return [action for action in listed if not state.led or action.card[1] == state.led[1]]


class UnstableOrder(Kora):
    """The list comes in another order each time."""

    law = "legal_exactly_in_turn"

    def legal_actions(self, state, seat):
        listed = list(super().legal_actions(state, seat))
        random.shuffle(listed)
        return listed


class ChecksTooMuch(Kora):
    """`check` refuses a king that the list offers."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        if isinstance(action, Play) and action.card[0] == "K":
            return Refusal("no_kings")
        return super().why_not(state, seat, action)


class AnyStake(Kora):
    """`check` accepts a stake that nobody can pay."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        return None if isinstance(action, Propose) else super().why_not(state, seat, action)


class AnyCard(Kora):
    """`check` accepts a card that is not in the hand."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        return None if isinstance(action, Play) and state.stage == "play" else super().why_not(state, seat, action)


class NeedNotFollow(Kora):
    """`check` forgets that the led suit must be followed."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        refusal = super().why_not(state, seat, action)
        return None if refusal and refusal.code == "must_follow" else refusal


class OutOfTurn(Kora):
    """`check` forgets to ask whose turn it is."""

    law = "check_agrees_with_the_list"

    def check(self, state, seat, action):
        refusal = super().check(state, seat, action)
        return None if refusal and refusal.code == "not_your_turn" else refusal


class LeavesByItself(Kora):
    """`check` lets a player send what only the table plays."""

    law = "check_agrees_with_the_list"

    def check(self, state, seat, action):
        return None if isinstance(action, Leave) else super().check(state, seat, action)


class IllegalFallback(Kora):
    """The clock plays the lowest card of the hand, led suit or not."""

    law = "fallback_is_legal"

    def fallback(self, state, seat, cause):
        if cause is Cause.CLOCK and state.stage == "play":
            return Play(min(state.hands[seat]))
        return super().fallback(state, seat, cause)


class RandomFallback(Kora):
    """The clock plays any card: legal, but a record of it does not replay."""

    law = "fallback_is_legal"

    def fallback(self, state, seat, cause):
        if cause is Cause.CLOCK and state.stage == "play":
            return random.choice(self.legal_actions(state, seat))
        return super().fallback(state, seat, cause)


class LossyNotation(KoraNotation):
    def write_state(self, state):
        return super().write_state(replace(state, won=()))


class WonIsNotWritten(Kora):
    """The position as text forgets what each deal paid."""

    law = "notation_reads_what_it_wrote"
    notation = LossyNotation()


class SuitlessNotation(KoraNotation):
    def write_action(self, action):
        return f"{action.card[0]}S" if isinstance(action, Play) else super().write_action(action)


class SuitIsNotWritten(Kora):
    """The action as text forgets the suit."""

    law = "notation_reads_what_it_wrote"
    notation = SuitlessNotation()


class LeaverlessNotation(KoraNotation):
    def write_state(self, state):
        return super().write_state(replace(state, left=None))


class LeaverIsNotWritten(Kora):
    """The position as text forgets who left: only a match that somebody left shows it."""

    law = "notation_reads_what_it_wrote"
    notation = LeaverlessNotation()


class AnswerlessNotation(KoraNotation):
    def write_state(self, state):
        return super().write_state(replace(state, last_deal=None) if state.stage == "answer" else state)


class LastDealIsNotWrittenWhileAnswering(Kora):
    """Only a second deal with open betting shows it: two options away from their defaults."""

    law = "notation_reads_what_it_wrote"
    notation = AnswerlessNotation()


class LooseView(View, frozen=True):
    extra: Any = None


class ViewIsNotJson(Kora):
    """A tuple in an untyped field of the view comes back as a list."""

    law = "json_both_ways"
    info = info(Kora, view=LooseView)

    def view(self, state, seat):
        return LooseView(**msgspec.structs.asdict(super().view(state, seat)), extra=state.banks)


class NarrowState(Kora):
    """The declared type of the state cannot hold what the state holds."""

    law = "json_both_ways"
    info = info(Kora, state=Heap)


class LeakyView(Kora):
    """Everyone is sent the other hand as well."""

    law = "imagined_states_look_the_same"
    info = info(Kora, view=LooseView)

    def view(self, state, seat):
        shown = [list(hand) for hand in state.hands]
        return LooseView(**msgspec.structs.asdict(super().view(state, seat)), extra=shown)


class LeakOfOneBit(LeakyView):
    """Everyone is told whether the other side holds a 3."""

    def view(self, state, seat):
        shown = any(card[0] == "3" for hand in state.hands for card in hand)
        return replace(super().view(state, seat), extra=shown)


class LeakAndImagine(LeakyView):
    """The view leaks both hands, and `imagine` copies them: it looks the same because it *is* the same."""

    law = "imagination_is_free"

    def imagine(self, view, chance):
        return replace(super().imagine(view, chance), hands=tuple(tuple(hand) for hand in view.extra))


class LeakAndImagineToSeat1(LeakAndImagine):
    """The same for seat 1 alone; seat 0's view is sound."""

    def view(self, state, seat):
        shown = super().view(state, seat)
        return shown if seat == 1 else replace(shown, extra=None)

    def imagine(self, view, chance):
        return super().imagine(view, chance) if view.extra is not None else Kora.imagine(self, view, chance)


class LeakAndImagineToSpectators(LeakAndImagineToSeat1):
    """The same for spectators alone."""

    def view(self, state, seat):
        return replace(LeakyView.view(self, state, seat), **({} if seat is None else {"extra": None}))


class ForgetfulImagination(Kora):
    """`imagine` forgets the card that was led."""

    law = "imagined_states_look_the_same"

    def imagine(self, view, chance):
        return replace(super().imagine(view, chance), led=None)


class TellingList(Kora):
    """A leader is offered only cards that win: the list betrays the other hand."""

    law = "imagined_states_look_the_same"

    def legal_actions(self, state, seat):
        listed = super().legal_actions(state, seat)
        if state.stage != "play" or state.led or not listed:
            return listed
        suits = {card[1] for card in state.hands[1 - seat]}
        return [action for action in listed if action.card[1] not in suits] or listed

    def why_not(self, state, seat, action):
        refusal = super().why_not(state, seat, action)
        return refusal or (None if action in self.legal_actions(state, seat) else Refusal("it_would_lose"))

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else self.legal_actions(state, seat)[0]


class BlindActor(Signs):
    """Whoever chooses is not shown the choice."""

    law = "actors_see_their_own_action"

    def seen(self, actor, action, seat):
        return None


class WordsInsteadOfActions(Kora):
    """Others are shown a text."""

    law = "actors_see_their_own_action"

    def seen(self, actor, action, seat):
        return action if actor == seat else "a card"


class ChoiceIsShouted(Signs):
    """The view hides a choice, and the news of it tells."""

    law = "seen_tells_no_more_than_the_view"

    def seen(self, actor, action, seat):
        return action


class MutatedInput(Kora):
    """`apply` takes the card out of the hand it was given."""

    law = "apply_is_pure"

    def apply(self, state, seat, action, chance):
        after = super().apply(state, seat, action, chance)
        if isinstance(action, Play):
            force_setattr(state, "hands", after.hands)
        return after


class GlobalRandomness(Kora):
    """The deck of the next deal is shuffled behind the back of the seed."""

    law = "apply_is_pure"

    def apply(self, state, seat, action, chance):
        after = super().apply(state, seat, action, chance)
        return replace(after, leader=random.randrange(2)) if after.deal != state.deal else after


class GlobalRandomnessAtSetup(Kora):
    """The first leader is drawn behind the back of the seed."""

    law = "replay_is_the_match"

    def setup(self, seats, options, chance):
        return replace(super().setup(seats, options, chance), leader=random.randrange(2))


class FirstComeFirstServed(Signs):
    """The first to choose scores a point: the order of simultaneous choices matters."""

    law = "simultaneous_actions_commute"

    def apply(self, state, seat, action, chance):
        first = not any(state.chosen)
        after = super().apply(state, seat, action, chance)
        bonus = tuple(wins + (first and at == seat) for at, wins in enumerate(after.wins))
        return replace(after, wins=bonus)


class CrashOnLeave(Kora):
    """Nobody thought of a player who leaves."""

    law = "anyone_may_abandon"

    def apply(self, state, seat, action, chance):
        if isinstance(action, Leave):
            raise NotImplementedError
        return super().apply(state, seat, action, chance)


class WaitsForTheLeaver(Signs):
    """A seat that left is still waited for and has nothing to play."""

    law = "anyone_may_abandon"

    def legal_actions(self, state, seat):
        return [] if state.left[seat] else super().legal_actions(state, seat)

    def turn(self, state):
        told = super().turn(state)
        gone = {seat for seat, left in enumerate(state.left) if left}
        return replace(told, must=told.must | gone) if told.must else told


class NeverEnds(Nim):
    """An empty heap is filled again."""

    law = "it_ends"

    def apply(self, state, seat, action, chance):
        after = super().apply(state, seat, action, chance)
        return after if after.matches else replace(after, matches=12)


class WaitsForNobodyThereIs(Nim):
    """The turn names a third seat at a table of two."""

    law = "legal_exactly_in_turn"

    def turn(self, state):
        told = super().turn(state)
        return replace(told, must=told.must | {2}) if told.must else told


def bugs(kind):
    """Every class of this page that plants a bug."""
    for child in kind.__subclasses__():
        if hasattr(child, "law"):
            yield child
        yield from bugs(child)


PLANTED = [bug for game in (Kora, Nim, Signs) for bug in bugs(game)]


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_caught_by_the_name_of_its_law(bug):
    random.seed(1)
    with pytest.raises(LawBroken) as caught:
        check_laws(bug())
    assert caught.value.law == bug.law, f"{bug.__doc__} The report: {caught.value}"


def test_a_report_names_the_law_its_sentence_the_match_and_the_ply():
    with pytest.raises(LawBroken) as caught:
        check_laws(CrashOnLeave())
    told = str(caught.value)
    assert told.startswith("anyone_may_abandon: A seat that leaves, at any moment of a match,")
    assert "kora, 2 seats, Options(" in told
    assert "seed 'laws-0', ply 0" in told
    assert "NotImplementedError" in told


def test_a_list_declared_partial_may_leave_legal_actions_out():
    class Shy(Kora):
        info = info(Kora, partial=True)

        def legal_actions(self, state, seat):
            return super().legal_actions(state, seat)[:1]

    check_laws(Shy())
