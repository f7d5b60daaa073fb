"""Random play for the laws."""

from __future__ import annotations

import random

from ..game import Cause, ordinary
from ..match import Match, Step


def act_at_random(match: Match, dice: random.Random, *, concede: bool = False) -> None:
    """Let a random seat of the turn do something legal; a seat that only may act does so now and then.

    Concessions such as resigning are left out unless `concede` asks for them or nothing else is legal: with them a
    random match would end after a few actions.
    """
    turn = match.turn
    seat = dice.choice(sorted(turn.may if turn.may and dice.random() < 0.2 else turn.must))
    legal = match.legal(seat)
    if not concede:
        legal = ordinary(match.game, legal) or legal
    match.advance(Step(seat, dice.choice(legal)))


def clocks_of(match: Match) -> list[Cause]:
    """List the clocks that may run out: a table may limit any decision; the game names the others."""
    limits = match.game.clocks(match.state)
    named = ((limits.player, Cause.PLAYER_CLOCK), (limits.match, Cause.MATCH_CLOCK))
    return [Cause.CLOCK, *(cause for limit, cause in named if limit is not None)]
