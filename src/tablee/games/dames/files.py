"""Write a match as a PDN file, and read a PDN file as a replay."""

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
"""The most half-moves that are read from a file; a replay keeps every position in memory."""


class Pdn:
    """Read and write one match; of a file with several, read the first."""

    def write(self, match: Match, names: Sequence[str], /) -> str:
        return pdn.write_match(match, dict(zip(("White", "Black"), names, strict=False)))

    def read(self, text: str, /) -> Replay:
        sheet = pdn.read_first(text)
        if sheet is None:
            raise CannotRead("found no game in this file")
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
            before = replace(states[-1], result=None)  # The file goes on, so the game did too.
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
            file_score=pdn.score_of(sheet.result),
        )


def ended(state: State, result: str) -> State:
    """Return the last state with the result of the file, unless the board has already decided or both forfeited."""
    score = pdn.score_of(result)
    if state.result is not None or score is None or score.rule == "forfeit":
        return state
    winner = pdn.winner_of(score)
    return over(state, "agreement" if winner is None else "resign", winner)
