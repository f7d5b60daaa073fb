"""The arena: luck cancels out, and the statistics match values worked out by hand."""

import json
import os
import sys
from math import inf, sqrt

import pytest
from typer.testing import CliRunner

from tablee import arena
from tablee.arena import (
    BadLineUp,
    Contest,
    Played,
    enter,
    hold,
    interval,
    percentile,
    play_round,
    random_game,
    rounds_for,
    standings,
)
from tablee.cli import main
from tablee.core.discover import UnknownGame
from tablee.core.game import Refused


@pytest.mark.parametrize("level", ["random", "facile", "moyen"])
def test_a_player_against_itself_scores_exactly_half(level):
    for standing in hold(enter("kora", [level, level], options={"deals": 3}), 40, workers=1):
        assert standing.share == 0.5
        assert standing.share_interval == (0.5, 0.5)
        assert standing.score == 100
        assert standing.games == 80


def test_a_round_is_the_same_deal_in_both_seatings():
    first, second = play_round(enter("kora", ["moyen", "moyen"], seed="paire"), 3)
    assert first.scores == second.scores[::-1]
    assert sum(first.scores) == 200


def test_the_number_of_workers_changes_nothing_but_the_time():
    contest = enter("kora", ["moyen", "facile"], seed="ouvriers")
    timeless = [
        [(one.share, one.share_interval, one.score, one.moves) for one in hold(contest, 12, workers=workers)]
        for workers in (1, 2)
    ]
    assert timeless[0] == timeless[1]


def test_every_round_ticks():
    ticks = []
    hold(enter("kora", ["random"]), 5, workers=1, tick=lambda: ticks.append(1))
    assert len(ticks) == 5


def test_stronger_levels_win_more():
    for stronger, weaker, rounds in (("facile", "random", 100), ("moyen", "facile", 100), ("difficile", "random", 25)):
        first, second = hold(enter("kora", [stronger, weaker], seed="force", seconds=60), rounds, workers=1)
        assert first.share > 0.5 > second.share
        assert first.share + second.share == pytest.approx(1)
        assert first.score + second.score == pytest.approx(200)


@pytest.mark.parametrize(
    ("bots", "seats", "seatings"),
    [
        ("ab", 2, [(0, 1), (1, 0)]),
        ("a", 2, [(0, 0)]),
        ("abc", 3, [(0, 1, 2), (1, 2, 0), (2, 0, 1)]),
        ("ab", 4, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ("ab", 3, [(0, 1, 0), (1, 0, 0), (0, 0, 1)]),
    ],
)
def test_players_turn_round_the_table(bots, seats, seatings):
    contest = Contest(game="any", bots=tuple(bots), seats=seats)
    assert contest.seatings == seatings
    assert rounds_for(contest, 1) == 1
    assert rounds_for(contest, len(seatings) + 1) == 2


def test_an_interval_worked_out_by_hand():
    """Mean ½; squared differences 0, ¼, 0, ¼ make a deviation of √(½ / 3), divided by √4."""
    half = 1.96 * sqrt(0.5 / 3) / 2
    assert interval([0.5, 1.0, 0.5, 0.0]) == pytest.approx((0.5 - half, 0.5 + half))
    assert interval([0.5, 0.5]) == (0.5, 0.5)
    assert interval([1.0]) == (-inf, inf)


def test_intervals_are_computed_over_rounds():
    """Two games of a round are one observation: (1 + 0) / 2 twice leaves no doubt at all."""
    played = Played(shares=(1.0, 0.0), firsts=(1.0, 0.5), scores=(110, 90), times=(0.001, 0.003))
    (standing,) = standings(Contest(game="any", bots=("a",), seats=2), [[played], [played]])
    assert standing.share_interval == (0.5, 0.5)
    assert (standing.first, standing.first_interval) == (0.75, (0.75, 0.75))
    assert standing.score_interval == (100, 100)
    assert (standing.games, standing.moves) == (4, 4)
    assert (standing.mean_ms, standing.p99_ms, standing.max_ms) == pytest.approx((2, 3, 3))


def test_first_places_of_a_table_add_up_to_one_even_if_they_are_shared():
    contest = enter("president", ["facile", "random", "random", "random"], options={"rounds": 1}, seed="premiers")
    standings = hold(contest, 6, workers=1)
    assert sum(one.first for one in standings) == pytest.approx(1)
    shared = enter("president", ["facile"], seats=8, options={"rounds": 1}, seed="premiers")
    (alone,) = hold(shared, 2, workers=1)
    assert alone.first == pytest.approx(1 / 8)


def test_percentiles():
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile([7.0], 0.99) == 7.0
    assert percentile([], 0.99) == 0.0


def test_a_player_that_must_act_and_does_not_is_an_error(monkeypatch):
    class Asleep:
        def choose(self, view, legal, think):
            return None

    contest = enter("kora", ["moyen"])
    monkeypatch.setattr(arena, "player", lambda key, level: Asleep())
    with pytest.raises(Refused, match="bad_action"):
        play_round(contest, 0)


def test_a_bot_of_the_caller_plays(tmp_path, monkeypatch):
    (tmp_path / "trained.py").write_text(
        "from tablee import envs\nagent = envs.bot('kora', lambda observation, mask: mask.argmax())"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    command = ["arena", "kora", "--bots", "trained:agent,facile", "--games", "8", "--json"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert [one["bot"] for one in json.loads(result.stdout)["standings"]] == ["trained:agent", "facile"]


@pytest.mark.parametrize(
    ("entry", "error", "text"),
    [
        (("sans-nom", ["moyen"], {}), UnknownGame, "sans-nom"),
        (("kora", ["moyen", "expert"], {}), BadLineUp, "'expert'; it has random, facile, moyen, difficile"),
        (("kora", ["moyen", "not_there:agent"], {}), BadLineUp, "no module 'not_there' for the bot 'not_there:agent'"),
        (("kora", ["moyen", "math:pi"], {}), BadLineUp, "'pi' of the module 'math' is no bot"),
        (("kora", [], {}), BadLineUp, "at least one"),
        (("kora", ["moyen"] * 3, {}), BadLineUp, "3 bots for 2 seats"),
        (("kora", ["moyen"], {"seats": 5}), Refused, "bad_seats"),
        (("kora", ["moyen"], {"options": {"deals": 4}}), Refused, "deals"),
    ],
)
def test_a_bad_line_up_is_explained(entry, error, text):
    game, bots, rest = entry
    with pytest.raises(error, match=text):
        enter(game, bots, **rest)


def test_random_dames_reaches_promotions_and_ends_on_the_board():
    """Resigning and draw offers are legal in every position and would hide the rest of the game."""
    matches = [random_game("dames", seats=2, options={}, seed=f"{number}") for number in range(12)]
    reasons = {match.outcome.reason for match in matches if match.outcome is not None}
    assert reasons
    assert not reasons & {"resign", "agreement"}
    assert sum(match.ply for match in matches) / len(matches) > 40
    assert sum(score.promotions for match in matches for score in match.state.scores) > 0


def test_random_games_concede_if_asked_to():
    matches = [random_game("dames", seats=2, options={}, seed=f"{number}", concessions=True) for number in range(12)]
    assert "resign" in {match.outcome.reason for match in matches if match.outcome is not None}


def test_a_random_game_follows_from_its_seed():
    one, two = (random_game("kora", seats=None, options={"deals": 3}, seed="hasard") for _ in range(2))
    assert one.outcome is not None
    assert one.steps == two.steps
