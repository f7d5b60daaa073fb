"""decide: a view in, an action out, and nothing else."""

import msgspec
import pytest

from tablee.bots import decide as module
from tablee.bots.decide import UnknownLevel, decide, decide_again, decision_seed, player, players
from tablee.core.chance import SeedChance
from tablee.core.discover import UnknownGame, games
from tablee.core.game import Refused
from tablee.core.match import Match


def ask(match, seat, level, seed="graine"):
    return decide(match.game.info.key, level, seat, msgspec.json.encode(match.view(seat)), seed, 0.05)


class Stubborn:
    """Always gives the same answer."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, view, legal, think):
        return self.answer


@pytest.mark.parametrize("key", games())
def test_every_level_of_every_game_plays_its_first_actions(key):
    for level in players(key):
        match = Match.start(key, seed=f"{key} {level}")
        for _ in range(12):
            if match.outcome is not None:
                break
            seat = min(match.turn.must)
            match.play(seat, msgspec.json.decode(ask(match, seat, level)))


@pytest.mark.parametrize("key", games())
def test_the_same_view_and_seed_give_the_same_action(key):
    match = Match.start(key, seed="deux fois")
    seat = min(match.turn.must)
    for level in ("random", "facile", "moyen"):
        if level in players(key):
            assert ask(match, seat, level) == ask(match, seat, level)


def test_hidden_cards_do_not_change_a_decision():
    """Two states behind one view get the same answer, for a hundred hidden hands."""
    match = Match.start("kora", seed="x")
    seat = min(match.turn.must)
    answers = set()
    for number in range(100):
        other = match.game.imagine(match.view(seat), SeedChance("cachées", number))
        view = msgspec.json.encode(match.game.view(other, seat))
        answers.add(decide("kora", "moyen", seat, view, "graine", 1.0))
    assert len(answers) == 1


def test_a_seat_that_is_not_in_the_turn_does_nothing():
    match = Match.start("kora", seed="x")
    assert ask(match, 1 - min(match.turn.must), "moyen") is None


def test_an_answer_that_is_not_listed_is_an_error(monkeypatch):
    match = Match.start("kora", seed="x")
    seat = min(match.turn.must)
    for answer in (match.legal(seat)[0].__class__("KC"), None):
        monkeypatch.setattr(module, "player", lambda key, level, answer=answer: Stubborn(answer))
        with pytest.raises(ValueError, match="not legal"):
            ask(match, seat, "moyen")


def test_unknown_names_are_refused():
    with pytest.raises(UnknownGame):
        players("sans-nom")
    with pytest.raises(UnknownLevel, match="expert"):
        player("kora", "expert")


def test_random_is_the_first_player_of_every_game():
    for key, found in games().items():
        assert list(players(key)) == ["random", *(found.bots or ["moyen"])]


def test_the_seed_of_a_decision_follows_from_the_match_the_seat_and_the_ply():
    match = Match.start("kora", seed="une graine")
    seeds = {decision_seed(match, seat, rewinds) for seat in (0, 1) for rewinds in (0, 1)}
    seeds.add(decision_seed(Match.start("kora", seed="une autre"), 0))
    match.play(seat := min(match.turn.must), match.legal(seat)[0])
    seeds.add(decision_seed(match, 0))
    assert len(seeds) == 6
    assert decision_seed(Match.start("kora", seed="une graine"), 0).startswith("4e2f6698102993e5")


def test_a_branch_repeats_the_decisions_of_both_matches():
    match = Match.start("kora", seed="une graine")
    first = decision_seed(match, 0)
    match.play(seat := min(match.turn.must), match.legal(seat)[0])
    branch = Match.branch(match.record(), 1, "une autre")
    assert decision_seed(Match.begin(branch.record()), 0) == first
    assert decision_seed(branch, 0) != decision_seed(match, 0)


def test_only_a_seat_in_the_turn_decides_again():
    match = Match.start("kora", seed="x")
    with pytest.raises(Refused, match="not_your_turn"):
        decide_again(match, "moyen", 1 - min(match.turn.must), 0.0)
