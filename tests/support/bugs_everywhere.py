"""Planted bugs in a game of hidden cards: each class breaks one law, named in `law`. Most are leaks off the view."""

import random

from msgspec.structs import force_setattr, replace
from small_games import CARDS, Bid, Careful, Fold, Hands, Lay, Stash

from tablee.core.game import Cause, Clocks, Leave, Range, Ranked, Refusal


def theirs(state, seat):
    return state.hands[1 - seat]


class AnyOrder(Stash):
    """`check` accepts two cards in an order that is not listed: only a reversed list shows it."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        if isinstance(action, Lay) and action.cards:
            return super().why_not(state, seat, Lay(tuple(sorted(action.cards))))
        return super().why_not(state, seat, action)


class SameCardTwice(Stash):
    """`check` accepts the same card twice: only a list with a repeated item shows it."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        if isinstance(action, Lay) and len(action.cards) == 2:
            action = Lay(tuple(dict.fromkeys(action.cards)))
        return super().why_not(state, seat, action)


class NoCard(Stash):
    """`check` accepts an empty list of cards."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        return None if action == Lay(()) else super().why_not(state, seat, action)


class CrashOnNoCard(Stash):
    """`check` looks at the first of no cards."""

    law = "check_agrees_with_the_list"

    def why_not(self, state, seat, action):
        if isinstance(action, Lay) and action.cards[0] not in state.hands[seat]:
            return Refusal("not_in_hand")
        return super().why_not(state, seat, action)


class FoldOutOfTurn(Stash):
    """A concession is accepted from a seat that is not in the turn."""

    law = "check_agrees_with_the_list"

    def check(self, state, seat, action):
        open_ = isinstance(action, Fold) and seat in (0, 1) and self.turn(state).must
        return None if open_ else super().check(state, seat, action)


class ListedLeave(Stash):
    """What only the table plays is listed."""

    law = "legal_exactly_in_turn"

    def legal_actions(self, state, seat):
        listed = super().legal_actions(state, seat)
        return [*listed, Leave()] if listed else listed

    def offers(self, state, seat):
        return self.legal_actions(state, seat)


class MustAndMay(Stash):
    """The seat to act both must and may."""

    law = "legal_exactly_in_turn"

    def turn(self, state):
        turn = super().turn(state)
        return replace(turn, may=turn.must)


class ShortRange(Stash):
    """The range of bids ends too early."""

    law = "offers_expand_to_the_list"

    def offers(self, state, seat):
        return [replace(one, most=4) if isinstance(one, Range) else one for one in super().offers(state, seat)]


class RangeAtTheEnd(Stash):
    """The offers come in another order than the list."""

    law = "offers_expand_to_the_list"

    def offers(self, state, seat):
        return sorted(super().offers(state, seat), key=lambda one: isinstance(one, Range))


class NegativeSeat(Stash):
    """Seat -1 is the last seat, as lists count."""

    law = "strangers_are_refused"

    def check(self, state, seat, action):
        return super().check(state, seat % 2 if seat < 0 else seat, action)


class CrashOnStranger(Stash):
    """A seat that does not exist raises."""

    law = "strangers_are_refused"

    def check(self, state, seat, action):
        _ = state.hands[seat]
        return super().check(state, seat, action)


class StoppedClock(Stash):
    """The last turn has no time at all."""

    law = "limits_are_sound"

    def clocks(self, state):
        return Clocks(move=0) if state.turns == 9 else super().clocks(state)


class PauseBackwards(Stash):
    """Bots wait for a negative time."""

    law = "limits_are_sound"

    def pause(self, view):
        return 1.0 - view.turns


class HalfPoints(Stash):
    """Scores are floats."""

    law = "json_both_ways"

    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=tuple(score / 2 for score in outcome.scores))


class WholeFloats(Stash):
    """Scores are floats that happen to be whole: they pass for integers until they are written."""

    law = "json_both_ways"

    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=tuple(map(float, outcome.scores)))


class RefusalIsNotJson(Stash):
    """A refusal explains itself with an object that cannot be sent."""

    law = "json_both_ways"

    def why_not(self, state, seat, action):
        refusal = super().why_not(state, seat, action)
        return refusal and replace(refusal, values={"why": object()})


class PreviewIsNotJson(Stash):
    """A preview cannot be sent."""

    law = "json_both_ways"

    def preview(self, state, seat, action):
        return object()


class StageTells(Stash):
    """The stage names what only one seat can know: whether the other holds the a4."""

    law = "public_facts_follow_from_every_view"

    def turn(self, state):
        turn = super().turn(state)
        return replace(turn, stage="rich") if turn.must and "a4" in theirs(state, state.to_act) else turn


class ClockTells(Stash):
    """A seat has more time if its hand is strong."""

    law = "public_facts_follow_from_every_view"

    def clocks(self, state):
        return Clocks(move=30 + sum(int(card[1]) for card in state.hands[state.to_act]))


class OutcomeTells(Stash):
    """The reason of an outcome names a card that was never shown."""

    law = "public_facts_follow_from_every_view"

    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and replace(outcome, reason="/".join(map(",".join, state.hands)))


class TurnTells(Stash):
    """Whose turn it is depends on a hidden card."""

    law = "imagined_states_look_the_same"

    def turn(self, state):
        turn = super().turn(state)
        return replace(turn, must=frozenset({int("c4" in state.hands[1])})) if turn.must else turn

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else self.legal_actions(state, seat)[-1]


class OffersTell(Stash):
    """The list is the same, but how it is cut into ranges depends on the other hand."""

    law = "imagined_states_look_the_same"

    def offers(self, state, seat):
        return self.legal_actions(state, seat) if "a4" in theirs(state, seat) else super().offers(state, seat)


class RefusalTells(Stash):
    """A refused card is said to be in the other hand or not."""

    law = "answers_follow_from_the_view"

    def why_not(self, state, seat, action):
        refusal = super().why_not(state, seat, action)
        if refusal is None or not isinstance(action, Lay):
            return refusal
        return replace(refusal, values={"elsewhere": [card for card in action.cards if card in theirs(state, seat)]})


class RefusalCodeTells(Stash):
    """The code of a refusal depends on the other hand."""

    law = "answers_follow_from_the_view"

    def why_not(self, state, seat, action):
        refusal = super().why_not(state, seat, action)
        taken = isinstance(action, Lay) and set(action.cards) & set(theirs(state, seat))
        return replace(refusal, code="not_yours") if refusal and taken else refusal


class PreviewTells(Stash):
    """A preview says whether the other can beat the card."""

    law = "answers_follow_from_the_view"

    def preview(self, state, seat, action):
        return isinstance(action, Lay) and max(theirs(state, seat), default="") > action.cards[0]


class FallbackTells(Stash):
    """The clock plays the card that suits the other hand best."""

    law = "fallback_follows_from_the_view"

    def fallback(self, state, seat, cause):
        if cause is Cause.LEAVE:
            return Leave()
        hand = state.hands[seat]
        return Lay(hand[-1:] if "b4" in theirs(state, seat) else hand[:1])


class SetupByDice(Stash):
    """The first hands come from outside the seed, and soon look alike because the last state does not keep them."""

    law = "replay_is_the_match"

    def setup(self, seats, options, chance):
        state = super().setup(seats, options, chance)
        return replace(state, bids=(random.randrange(2), 0))

    def apply(self, state, seat, action, chance):
        return replace(super().apply(state, seat, action, chance), bids=(0, 0))


class CountsItsMatches(Stash):
    """The rules keep a count between matches."""

    law = "replay_is_the_match"
    dealt = 0

    def setup(self, seats, options, chance):
        type(self).dealt += 1
        return replace(super().setup(seats, options, chance), bids=(self.dealt, 0))


class ViewWrites(Stash):
    """Asking for a view changes the state."""

    law = "questions_change_nothing"

    def pause(self, view):
        force_setattr(view, "turns", view.turns)
        return 0.0

    def clocks(self, state):
        force_setattr(state, "bids", (state.bids[0], state.bids[1] + 1))
        return super().clocks(state)


class FirstOfASet(Stash):
    """The clock plays the first card of a set: another one after a restart."""

    law = "hash_order_changes_nothing"

    def fallback(self, state, seat, cause):
        return Leave() if cause is Cause.LEAVE else Lay((next(iter(set(state.hands[seat]))),))


class ListOfASet(Stash):
    """The legal actions come in the order of a set."""

    law = "hash_order_changes_nothing"

    def lays(self, hand):
        return [Lay((card,)) for card in set(hand)]

    def offers(self, state, seat):
        return self.legal_actions(state, seat)


class DealFromASet(Stash):
    """The deck is a set."""

    law = "hash_order_changes_nothing"

    def setup(self, seats, options, chance):
        deck = list(set(CARDS))
        drawn = [deck.pop(chance.pick(len(deck))) for _ in range(8)]
        return Hands((tuple(sorted(drawn[:4])), tuple(sorted(drawn[4:]))))


# Bots of the sound game.


class PlaysTheLaid(Careful):
    """Plays a card that was laid already."""

    law = "bots_choose_legal_actions"

    def choose(self, view, legal, think):
        laid = view.laid[think.seat]
        return Lay(laid[:1]) if laid else super().choose(view, legal, think)


class Speechless(Careful):
    """Chooses nothing late in the match."""

    law = "bots_choose_legal_actions"

    def choose(self, view, legal, think):
        return None if view.turns > 3 else super().choose(view, legal, think)


class NeedsTime(Careful):
    """Divides by its seconds."""

    law = "bots_choose_legal_actions"

    def choose(self, view, legal, think):
        _ = 1 / think.seconds
        return super().choose(view, legal, think)


class Moody(Careful):
    """Draws from the randomness of the process."""

    law = "bots_depend_on_the_view_alone"

    def choose(self, view, legal, think):
        return random.choice(list(legal))


class Remembers(Careful):
    """Keeps a memory from one decision to the next."""

    law = "bots_depend_on_the_view_alone"
    asked = 0

    def choose(self, view, legal, think):
        self.asked += 1
        return legal[self.asked % len(legal)]


class ForgetsToRank(Careful):
    """Ranks only the best."""

    law = "bots_rank_legal_actions"

    def choose(self, view, legal, think):
        return super().rank(view, legal, think)[0].action

    def rank(self, view, legal, think):
        return super().rank(view, legal, think)[:1]


class RanksBackwards(ForgetsToRank):
    """Ranks the worst first."""

    def rank(self, view, legal, think):
        return Careful.rank(self, view, legal, think)[::-1]


class RanksNonsense(ForgetsToRank):
    """Ranks a bid that nobody may make."""

    def rank(self, view, legal, think):
        return [Ranked(Bid(99), 1000.0), *Careful.rank(self, view, legal, think)]


class RanksTwice(ForgetsToRank):
    """Ranks every action twice."""

    def rank(self, view, legal, think):
        return [one for one in Careful.rank(self, view, legal, think) for _ in range(2)]
