"""Planted bugs: each class breaks one law about secrecy, named in `law`."""

from typing import Any

import msgspec
from msgspec.structs import replace
from small_games import Signs

from tablee.core.game import Cause, Leave, Refusal
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import View


def info(game, **changes):
    return replace(game.info, **changes)


class LooseView(View, frozen=True):
    extra: Any = None


class LeakyView(Kora):
    """Everyone is sent the other hand as well."""

    law = "imagined_states_look_the_same"
    info = info(Kora, view=LooseView)

    def view(self, state, seat):
        shown = [list(hand) for hand in state.hands]
        return LooseView(**msgspec.structs.asdict(super().view(state, seat)), extra=shown)


class LeakOfOneBit(LeakyView):
    """Everyone learns whether the other side holds a 3."""

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
    """The actor does not see its own choice."""

    law = "actors_see_their_own_action"

    def seen(self, actor, action, seat):
        return None


class WordsInsteadOfActions(Kora):
    """Others see a text instead of the action."""

    law = "actors_see_their_own_action"

    def seen(self, actor, action, seat):
        return action if actor == seat else "a card"


class ChoiceIsShouted(Signs):
    """The view hides a choice, but the action that others see shows it."""

    law = "seen_tells_no_more_than_the_view"

    def seen(self, actor, action, seat):
        return action
