"""Planted bugs: each class breaks one law about legality, named in `law`."""

import random

from msgspec.structs import force_setattr, replace
from small_games import Nim, Signs

from tablee.core.game import Cause, Leave, Outcome, Refusal
from tablee.games.kora.rules import Kora, playable
from tablee.games.kora.values import Play, Propose


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
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=tuple(place - 1 for place in outcome.places))


class OutcomeForOne(Kora):
    """The outcome forgets a seat."""

    law = "over_is_over"

    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=outcome.scores[:1], places=outcome.places[:1])


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
        turn = super().turn(state)
        gone = {seat for seat, left in enumerate(state.left) if left}
        return replace(turn, must=turn.must | gone) if turn.must else turn


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
        turn = super().turn(state)
        return replace(turn, must=turn.must | {2}) if turn.must else turn
