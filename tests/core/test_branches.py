"""A branch goes on from a moment of a match: the same up to there, with other chance after it."""

import random
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from tablee.core.discover import games
from tablee.core.fairness import draws, proven, verify
from tablee.core.game import Refused
from tablee.core.laws import act_at_random
from tablee.core.match import Match
from tablee.core.record import CannotReplay, Origin, Record

SHIPPED = ("dames", "kora", "ojyx", "president", "scrabble")
PLIES = 24
"""How far a match goes that is branched at every ply."""


def play_on(match: Match, plies: int) -> Match:
    dice = random.Random(f"{match.seed} {match.ply}")
    for _ in range(plies):
        if match.outcome is None:
            act_at_random(match, dice)
    return match


@cache
def played(key: str) -> Match:
    return play_on(Match.start(key, seed="une graine"), PLIES)


@pytest.mark.parametrize("key", sorted(games()))
def test_a_branch_at_every_ply_replays_and_verifies(key: str) -> None:
    whole = played(key)
    before = Match.begin(whole.record())
    for ply in range(whole.ply + 1):
        if ply:
            before.advance(whole.steps[ply - 1])
        branch = Match.branch(whole.record(), ply, f"autre {ply}")
        assert (branch.state, branch.steps) == (before.state, before.steps)
        assert branch.origins == (Origin(ply, "une graine"),)
        play_on(branch, 6)
        record = Record.from_json(proven(branch).to_json())
        assert Match.replay(record).state == branch.state
        assert not [check for check in verify(record) if check.ok is False]


@pytest.mark.parametrize("key", [key for key in SHIPPED if key != "dames"])
def test_the_draws_before_the_branch_stay_and_those_after_it_change(key: str) -> None:
    """The same actions, as far as they are legal, draw other things."""
    whole = played(key)
    changed = False
    for ply in range(whole.ply):
        branch = Match.branch(whole.record(), ply, "autre")
        branch.advance(whole.steps[ply])
        old = [draw for draw in draws(whole) if draw.ply <= ply]
        new = draws(branch)
        assert [draw for draw in new if draw.ply <= ply] == old
        drawn = [draw for draw in draws(whole) if draw.ply == ply + 1]
        changed = changed or [draw for draw in new if draw.ply == ply + 1] != drawn
    assert changed or not any(draw.ply for draw in draws(whole)), "every draw came out the same"


def test_a_branch_of_a_branch_keeps_the_seeds_that_it_still_needs() -> None:
    first = Match.branch(played("kora").record(), 6, "deux")
    play_on(first, 4)
    assert Match.branch(first.record(), 8, "trois").origins == (Origin(6, "une graine"), Origin(8, "deux"))
    assert Match.branch(first.record(), 6, "trois").origins == (Origin(6, "une graine"),)
    assert Match.branch(first.record(), 3, "trois").origins == (Origin(3, "une graine"),)


@pytest.mark.parametrize("ply", [-1, PLIES + 1])
def test_there_is_no_branch_at_a_ply_that_was_not_played(ply: int) -> None:
    with pytest.raises(Refused, match="no_such_ply"):
        Match.branch(played("dames").record(), ply, "autre")


@pytest.mark.parametrize("plies", [(5, 5), (7, 3), (-1,), (PLIES + 1,)])
def test_origins_in_another_order_are_not_replayed(plies: tuple[int, ...]) -> None:
    record = replace(played("kora").record(), origins=tuple(Origin(ply, "une graine") for ply in plies))
    with pytest.raises(CannotReplay, match="origins"):
        Match.replay(record)


def test_a_forged_seed_of_an_origin_is_found() -> None:
    record = proven(play_on(Match.branch(played("kora").record(), 5, "autre"), 3))
    forged = replace(record, origins=(Origin(5, "une autre graine"),))
    assert any(check.ok is False for check in verify(forged))


def test_an_ordinary_record_does_not_mention_branches() -> None:
    assert "origins" not in msgspec.json.decode(played("kora").record().to_json())
