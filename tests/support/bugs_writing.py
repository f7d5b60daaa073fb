"""Planted bugs: each class breaks one law about writing, named in `law`."""

from typing import Any

import msgspec
from msgspec.structs import replace
from small_games import Heap

from tablee.games.kora.notation import KoraNotation
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Play, View


def info(game, **changes):
    return replace(game.info, **changes)


class LooseView(View, frozen=True):
    extra: Any = None


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
    """The written position omits the seats that left; only a match with a leaver shows it."""

    law = "notation_reads_what_it_wrote"
    notation = LeaverlessNotation()


class AnswerlessNotation(KoraNotation):
    def write_state(self, state):
        return super().write_state(replace(state, last_deal=None) if state.stage == "answer" else state)


class LastDealIsNotWrittenWhileAnswering(Kora):
    """Only a second deal with open betting shows it: two options away from their defaults."""

    law = "notation_reads_what_it_wrote"
    notation = AnswerlessNotation()


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
