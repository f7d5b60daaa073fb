"""Ratings follow their published methods, on one scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tablee.core.discover import games
from tablee.table.ratings import (
    NEW,
    Rating,
    after_match,
    first_rating,
    glicko,
    is_provisional,
    match_weight,
    two_players,
    weng_lin,
)

TWO = (2, 2)
MORE = (2, 8)
ALIX, ZOE = ("alix", ""), ("zoé", "")
EASY = ("", "facile")

ratings = st.builds(Rating, st.floats(500, 2800), st.floats(30, 350), st.floats(0.03, 0.1))


def test_glicko_2_reproduces_the_published_example() -> None:
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = glicko(Rating(1500, 200, 0.06), results)
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_volatility_rises_with_a_great_surprise() -> None:
    steady = Rating(1500, 60, 0.06)
    assert glicko(steady, [(Rating(2600, 40), 1.0)] * 6).volatility > 0.06
    assert glicko(steady, [(steady, 0.5)]).volatility < 0.06


def test_weng_lin_on_our_scale_is_weng_lin_on_its_own() -> None:
    model = PlackettLuce()
    own = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in ((25, 8), (31, 3), (20, 5), (25, 25 / 3))]
    theirs = model.rate(own, ranks=[3, 1, 1, 4])
    ours = weng_lin([Rating(1500 + (one.mu - 25) * 42, one.sigma * 42) for (one,) in own], [3, 1, 1, 4])
    for (expected,), found in zip(theirs, ours, strict=True):
        assert found.value == pytest.approx(1500 + (expected.mu - 25) * 42)
        assert found.deviation == pytest.approx(min(350, expected.sigma * 42))


@given(ratings, ratings)
def test_of_two_the_winner_rises_and_the_loser_falls(one: Rating, two: Rating) -> None:
    won, lost = two_players([one, two], [1, 2])
    assert won.value > one.value
    assert lost.value < two.value
    assert max(won.deviation, lost.deviation) <= 350
    assert two_players([two, one], [2, 1]) == [lost, won]


@given(ratings)
def test_a_draw_between_equals_moves_nobody(one: Rating) -> None:
    after = two_players([one, one], [1, 1])
    assert [rating.value for rating in after] == pytest.approx([one.value] * 2)


@given(st.lists(ratings, min_size=2, max_size=8), st.randoms())
def test_the_first_rises_the_last_falls_in_any_order_of_seats(players: list[Rating], random: object) -> None:
    places = list(range(1, len(players) + 1))
    after = weng_lin(players, places)
    assert after[0].value > players[0].value
    assert after[-1].value < players[-1].value
    order = list(range(len(players)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = weng_lin([players[at] for at in order], [places[at] for at in order])
    assert [one.value for one in shuffled] == pytest.approx([after[at].value for at in order])


def test_an_upset_moves_ratings_more_than_an_expected_win() -> None:
    strong, weak = Rating(1900, 80), Rating(1500, 80)
    assert two_players([weak, strong], [1, 2])[0].value - 1500 > 3 * (
        two_players([strong, weak], [1, 2])[0].value - 1900
    )


def test_one_level_on_several_seats_changes_by_the_mean() -> None:
    before = {ALIX: Rating(1600, 100), EASY: Rating(1400, 60)}
    each = weng_lin([before[ALIX], before[EASY], before[EASY], before[EASY]], [2, 1, 3, 4])
    after = after_match(MORE, [ALIX, EASY, EASY, EASY], [2, 1, 3, 4], before)
    assert after[ALIX] == each[0]
    assert after[EASY].value == pytest.approx(sum(one.value for one in each[1:]) / 3)
    assert after[EASY].deviation == pytest.approx(sum(one.deviation for one in each[1:]) / 3)


def test_a_game_that_allows_more_is_rated_by_weng_lin_even_when_two_play() -> None:
    assert [*after_match(TWO, [ALIX, ZOE], [1, 2], {}).values()] == two_players([NEW, NEW], [1, 2])
    assert [*after_match(MORE, [ALIX, ZOE], [1, 2], {}).values()] == weng_lin([NEW, NEW], [1, 2])


@pytest.mark.parametrize(("seats", "least", "most"), [(TWO, 6, 20), ((4, 8), 6, 20)])
def test_a_rating_is_provisional_for_a_dozen_matches_or_so(seats: tuple[int, int], least: int, most: int) -> None:
    count = 4 if seats == (4, 8) else 2
    rating, matches = NEW, 0
    while is_provisional(rating, seats):
        places = [1 + (matches + seat) % count for seat in range(count)]
        others = [Rating(1500, 100)] * (count - 1)
        rating = (two_players if count == 2 else weng_lin)([rating, *others], places)[0]
        matches += 1
    assert least <= matches <= most


SHARES = {("kora", "deals", 1): 0.619, ("president", "rounds", 5): 0.758}
"""What difficile won against facile in the arena (docs/ratings.md)."""


def told_by(share: float) -> float:
    """Return how much one match tells about the stronger player, as a ratio of mean and spread, squared."""
    return (share - 0.5) ** 2 / (share * (1 - share))


@pytest.mark.parametrize("match", SHARES)
def test_a_weight_follows_from_how_often_the_strongest_level_beats_the_weakest(match: tuple[str, str, int]) -> None:
    game, option, length = match
    weight = match_weight(game, {option: length})
    assert weight == pytest.approx(told_by(SHARES[match]) / told_by(0.9), rel=0.05)
    for longer in (3, 10):
        assert match_weight(game, {option: longer}) == pytest.approx(weight * longer / length)


def test_a_match_without_luck_or_with_dozens_of_deals_counts_whole() -> None:
    assert match_weight("dames", {}) == match_weight("kora", {"deals": 0}) == 1
    assert match_weight("kora", {"deals": "many"}) == 1  # The options of other rules.


def test_one_deal_of_kora_or_one_match_of_president_moves_a_new_rating_little() -> None:
    moyen = Rating(1500, 100)
    lost = two_players([NEW, moyen], [2, 1], match_weight("kora", {}))[0]
    assert 5 < 1500 - lost.value < 15
    last = weng_lin([NEW, moyen, moyen, moyen], [4, 1, 2, 3], match_weight("president", {}))[0]
    assert 40 < 1500 - last.value < 60


@given(ratings, ratings, st.floats(0.01, 0.99))
def test_a_weight_moves_a_rating_less_and_leaves_it_less_sure(one: Rating, two: Rating, weight: float) -> None:
    for rate in (two_players, weng_lin):
        whole, part = rate([one, two], [1, 2])[0], rate([one, two], [1, 2], weight)[0]
        assert one.value < part.value < whole.value
        low, high = sorted((one.deviation, whole.deviation))
        assert low - 0.1 <= part.deviation <= high + 0.1


def test_ten_tenths_of_a_match_tell_as_much_as_a_whole_one() -> None:
    steady = Rating(1500, 60, 0.06)
    whole = glicko(steady, [(steady, 1.0)])
    parts = steady
    for _ in range(10):
        parts = glicko(parts, [(steady, 1.0)], 0.1)
    assert parts.value == pytest.approx(whole.value, abs=0.5)
    assert parts.deviation == pytest.approx(whole.deviation, abs=0.5)


def test_bots_begin_with_their_measured_rating_and_people_with_the_default() -> None:
    assert first_rating("dames", ("", "difficile")) == Rating(1978, 100)
    assert first_rating("dames", ALIX) == NEW
    assert first_rating("dames", ("", "inconnu")) == NEW
    for key, module in games().items():
        begin = [first_rating(key, ("", level)).value for level in module.bots]
        assert begin == sorted(begin), f"the levels of {key} are not in their order"
