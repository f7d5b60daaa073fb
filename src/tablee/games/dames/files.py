"""PDN as a file that the house writes and reads."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...core.game import Cause
from ...core.match import Match, Step
from ...core.replay import CannotRead, Replay
from . import pdn
from .board import EIGHT
from .rules import Dames, begin, lose_turn, move, over
from .values import LoseTurn, Move, Options, State, Variant

VARIANTS: dict[str, Variant] = {"competitive": "competitive", "international": "international", "classic8": "classic8"}
MOST_MOVES = 2000
"""Half-moves of a game that is read: nobody plays as many, and every position of a replay is kept."""


class Pdn:
    """The first game of a file; what comes after it is another match."""

    def write(self, match: Match, names: Sequence[str], /) -> str:
        return pdn.write_match(match, dict(zip(("White", "Black"), names, strict=False)))

    def read(self, text: str, /) -> Replay:
        sheet = pdn.read_first(text)
        if sheet is None:
            raise CannotRead("there is no game in this file")
        try:
            if len(sheet.entries) > MOST_MOVES:
                beyond = sheet.entries[MOST_MOVES]
                raise pdn.PdnError(beyond.line, beyond.column, f"more than {MOST_MOVES} half-moves")
            replay = pdn.replay(sheet)
        except pdn.PdnError as error:
            raise CannotRead(str(error)) from error
        variant = VARIANTS.get(sheet.tags.get("Variant", ""), "classic8" if replay.board is EIGHT else "international")
        options = Options(variant, move_time=0, match_time=0, player_time=0)
        states = [begin(options, replay.positions[0])]
        steps = []
        for path in replay.paths:
            before = replace(states[-1], result=None)  # A score is history: what could have ended it did not.
            if path is None:
                steps.append(Step(before.to_move, LoseTurn(), Cause.CLOCK))
                states.append(lose_turn(before))
            else:
                steps.append(Step(before.to_move, Move(path)))
                states.append(move(before, path))
        states[-1] = ended(states[-1], sheet.result)
        return Replay(
            game=Dames.info.key,
            seats=2,
            options=options,
            names=tuple(sheet.tags.get(side, "").removeprefix("?") for side in ("White", "Black")),
            states=tuple(states),
            steps=tuple(steps),
            outcome=Dames().outcome(states[-1]),
        )


def ended(state: State, result: str) -> State:
    """The last position with the result that the file gives, where the board alone does not tell."""
    said = pdn.RESULTS.get(result)
    if state.result is not None or said is None:
        return state
    return over(state, "agreement", None) if said == "1-1" else over(state, "resign", 0 if said == "2-0" else 1)
