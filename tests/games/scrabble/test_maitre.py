"""Maître simulates: it finds clear plays, stops early, sees only its view, and its chances are sensible."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.games.scrabble import leaves, lookahead, winning
from tablee.games.scrabble.bots import BOTS
from tablee.games.scrabble.engine import racked
from tablee.games.scrabble.engines import engine, likes
from tablee.games.scrabble.inference import guess_from_play
from tablee.games.scrabble.lexicon import SHIPPED, default_ref, shipped_ref
from tablee.games.scrabble.lookahead import Search
from tablee.games.scrabble.playouts import game_for
from tablee.games.scrabble.preendgame import distinct
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Options

GAME = Scrabble()
PATIENT = replace(lookahead.SETTINGS, patience=1e6)
"""No clock, so that a busy machine changes nothing."""
BOARD = (
    "B14:NU,C13:RAT,D12:RUZ,E10:MOORE,F12:MA,G8:AFOcALES,H2:tEQUILA,H12:NIXE,I10:IL,J2:HE,J10:TU,J13:EWE,K2:UT,K11:OVE,"
    "L1:PATIS,M1:OTE,M12:GAGS,O8:BUDDLEIA,1L:POPE,3G:CEBETTE,5G:JUNKYS,10G:OMIT,12K:VIGIL,13C:RURALISEE,15A:LUT,"
    "15G:SEVERES"
)
LATE = "act 1 racks {other}/ACEFNNS bag {bag} scores {scores} board " + BOARD + " log 0:10G:.MIT"
"""Seven tiles are on the other rack and up to four in the bag."""


def view_of(text):
    state = GAME.notation.read_state(text)
    return GAME.view(state, state.to_act)


def search(view, seconds=0.1, seed="maître"):
    return Search(view, Think(view.to_act, SeedChance(seed, 0), seconds), PATIENT)


def first_view(players, seed):
    state = GAME.setup(players, Options(), SeedChance(seed, 0))
    assert state.to_act is not None
    return GAME.view(state, state.to_act), GAME.legal_actions(state, state.to_act)


def opening(rack):
    return replace(first_view(2, "ouverture")[0], rack="".join(sorted(rack)))


def shipped():
    [path] = SHIPPED.glob(f"{shipped_ref().replace(':', '.')}.winning-*.json")
    return path, *winning.read(path)


def test_the_shipped_chances_match_their_report():
    path, report, _ = shipped()
    assert path == winning.path_in(SHIPPED, report)
    assert report.lexicon == shipped_ref()
    assert report.leaves == leaves.hash_of(shipped_ref())


def test_the_shipped_tables_are_those_of_the_training():
    """An edited table has another hash."""
    report = json.loads((Path(__file__).parents[3] / "training/scrabble/report.json").read_text())
    files = {path.name: path for kind in ("leaves", "winning-*") for path in SHIPPED.glob(f"*.{kind}.json")}
    assert files.keys() == report.keys()
    for name, path in files.items():
        assert sha256(path.read_bytes()).hexdigest() == report[name]["sha256"], name


@pytest.mark.parametrize("players", winning.PLAYERS)
def test_chances_rise_with_points_and_are_equal_for_equals(players):
    curve = winning.curves_of(default_ref())[players]
    for bag in (1, 20, 50, 102 - 7 * players):
        points = np.zeros((players, 200))
        points[0] = np.linspace(-300, 300, 200)
        chances = curve.chances(points, np.full(200, bag), 0)
        assert (np.diff(chances[0]) > 0).all()
        assert chances.sum(axis=0) == pytest.approx(1)
        assert chances[0, 0] < 0.1
        assert chances[0, -1] > 0.9
    assert curve.chances(np.zeros(players), 102 - 7 * players, 0) == pytest.approx(1 / players, abs=0.12)


def test_the_estimate_finds_the_chances_of_simulated_results():
    """With final scores that follow the model, the fit finds its numbers again."""
    dice = np.random.default_rng(1)
    points = dice.normal(0, 60, (60_000, 2))
    ahead = points[:, 0] + 20 - points[:, 1]
    wins = dice.random(60_000) < 1 / (1 + np.exp(-ahead / 50))
    scale, turn = winning.fit_one(points, np.stack([wins, ~wins], axis=1))
    assert scale == pytest.approx(50, rel=0.05)
    assert turn == pytest.approx([20, 0], abs=2)


def test_a_clear_best_play_is_found_and_stops_the_search():
    """Seven tiles for 70 points and more, and nothing else near: a few deals show it."""
    wanted = search(opening("AEINRST"))
    found = wanted.run()
    assert len(found[0].action.word) == 7
    assert found[0].value > 0.5
    close = [one for one in found if one.value > found[0].value - 0.05]
    assert all(len(one.action.word) == 7 for one in close)
    assert sum(one.trials for one in found) < PATIENT.playouts * 0.1 * 1.2


def test_the_same_seed_gives_the_same_choice():
    view = opening("AEGLMOU")
    first, again = (search(view).run() for _ in range(2))
    assert first == again
    assert [one.trials for one in search(view, seed="autre").run()] != []


def test_other_racks_do_not_change_the_choice():
    """Two states with the same view: tiles of the other rack and of the bag are exchanged."""
    views = [
        view_of(LATE.format(other=other, bag=bag, scores="432/431"))
        for other, bag in (("EHINORR", "EIST"), ("EEIINST", "HORR"))
    ]
    assert views[0] == views[1]
    assert search(views[0]).run() == search(views[1]).run()


@pytest.mark.parametrize("bag", ["E", "EI", "EIS", "EIST"])
def test_near_the_end_the_chance_is_that_of_the_final_score(bag):
    for scores, least, most in (("232/431", 0.99, 1), ("632/431", 0, 0.01), ("432/431", 0.2, 0.99)):
        best = search(view_of(LATE.format(other="EHINORR", bag=bag, scores=scores)), seconds=0.45).run()[0]
        assert least <= best.value <= most


def test_equal_deals_are_put_together():
    deals, weights = distinct(np.array([[2, 1, 3], [1, 2, 3], [1, 3, 2], [2, 1, 3]]), 2)
    assert deals.tolist() == [[1, 2, 3], [1, 3, 2]]
    assert weights.tolist() == [0.75, 0.25]


def test_a_weak_play_says_that_good_tiles_were_kept():
    """Somebody who opens with MOT for 8 points keeps better tiles than a random draw."""
    view = view_of("act 0 racks EINRSTU/AAEEILO scores 0/8 board H8:MOT log 1:H8:MOT")
    found, worth = engine(default_ref()), likes(default_ref())
    guess = guess_from_play(view, 1, found, game_for(found, worth), 1500, np.array([1]))
    assert guess is not None
    assert guess.leaves.shape[1] == 4
    assert worth[guess.leaves].mean() > worth[racked(view.unseen)].mean() + 500


def test_without_time_the_best_by_score_and_tiles_kept_is_played():
    view = opening("AEINRST")
    by_expert = BOTS["expert"].choose(view, (), Think(view.to_act, SeedChance("x", 0)))
    assert BOTS["maitre"].choose(view, (), Think(view.to_act, SeedChance("x", 0), 0.0)) == by_expert


def test_three_players_share_the_chances():
    found = search(first_view(3, "trois")[0]).run()
    assert 0.15 < found[0].value < 0.6
    assert found[0].error < 0.05


def test_rank_returns_chances_with_errors():
    view, legal = first_view(2, "rang")
    ranked = BOTS["maitre"].rank(view, legal, Think(view.to_act, SeedChance("x", 0), 0.1))
    assert len(ranked) == len(legal)
    assert all(0 <= one.value <= 1 and one.error is not None and one.error > 0 for one in ranked)
