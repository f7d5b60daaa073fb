"""A review splits the result into luck and skill exactly, and marks decisions as its thresholds say."""

import msgspec
import pytest
from msgspec.structs import replace
from small_games import Heap, Nim, NoOptions, Take

from tablee.bots.decide import player
from tablee.core.chance import SeedChance
from tablee.core.coach import Coach, Estimate, Judged, Judgement, Marks, Reason
from tablee.core.discover import games
from tablee.core.game import Cause, Think
from tablee.core.match import Match, Step
from tablee.core.package import Package
from tablee.core.replay import Replay
from tablee.core.replay import replay as replay_of
from tablee.review import assemble, pieces
from tablee.review.summary import mark_of, rating

MARKS = Marks(inaccuracy=0.1, mistake=0.2, blunder=0.5)


class NimCoach(Coach):
    """Knows that the player with a multiple of four matches loses."""

    unit = "win"
    marks = MARKS

    def __init__(self, error: float = 0.0, scale: float = 1.0) -> None:
        self.error = error
        self.stake = scale

    def scale(self, options):
        return self.stake

    def result(self, outcome):
        return tuple(1.0 if place == 1 else -1.0 for place in outcome.places)

    def estimate(self, state, chance, seconds):
        outcome = Nim().outcome(state)
        return Estimate(self.result(outcome) if outcome else self._values(state))

    def _values(self, state):
        mine = 1.0 if state.matches % 4 else -1.0
        return (mine, -mine) if state.to_act == 0 else (-mine, mine)

    def judge(self, view, legal, think, played=None):
        values = {action: self._values(Nim().apply(view, think.seat, action, think.chance)) for action in legal}
        ordered = sorted(legal, key=lambda action: -values[action][think.seat])
        judged = tuple(Judged(action, values[action], self.error * (at > 0)) for at, action in enumerate(ordered))
        return Judgement(self._values(view), judged)

    def explain(self, view, judgement, seat):
        return Reason("only")


@pytest.fixture
def nim(monkeypatch):
    """Return a function that reviews a match of Nim with a hand-made coach."""
    package = Package(rules=Nim())

    def review(matches: int, *takes: int, error: float = 0.0, cause: Cause | None = None, scale: float = 1.0):
        for module in ("work", "summary"):
            monkeypatch.setattr(f"tablee.review.{module}.find", lambda key: package)
            monkeypatch.setattr(f"tablee.review.{module}.coach_of", lambda key: NimCoach(error, scale))
        states, steps = [Heap(matches)], []
        for at, take in enumerate(takes):
            steps.append(Step(at % 2, Take(take), cause))
            states.append(Nim().apply(states[-1], at % 2, Take(take), SeedChance("", 0)))
        replay = Replay(
            game="nim", seats=2, options=NoOptions(), names=(), states=tuple(states), steps=tuple(steps), outcome=None
        )
        return assemble(replay, [one for piece in pieces(replay) for one in piece()])

    return review


def test_a_lost_position_is_a_blunder_and_an_open_game_has_no_luck_but_the_deal(nim):
    review = nim(6, 1, 1, 3, 1)  # the first take gives the win away, the second and third are right
    assert [(one.ply, one.mark, one.loss) for one in review.decisions] == [
        (1, "blunder", 2.0),
        (2, "best", 0.0),
        (3, "best", 0.0),
    ]
    assert review.decisions[0].best == Take(2)
    first, second = review.seats
    assert (first.result, first.luck, first.own, first.others) == (-1.0, 1.0, -2.0, 0.0)
    assert (second.result, second.luck, second.own, second.others) == (1.0, -1.0, 0.0, 2.0)
    assert [ply.luck for ply in review.plies[1:]] == [(0.0, 0.0)] * 4
    assert [(moment.ply, moment.kind) for moment in review.moments] == [(1, "decision"), (0, "luck")]
    assert review.decided


def test_a_difference_within_the_noise_is_no_mistake(nim):
    (decision, *_) = nim(6, 1, 1, 3, 1, error=1.01).decisions
    assert (decision.mark, decision.loss, decision.error) == ("good", 2.0, 1.01)


def test_the_thresholds_grow_with_the_stake(nim):
    review = nim(6, 1, 1, 3, 1, scale=5.0)
    assert (review.thresholds.blunder, review.decisions[0].mark) == (2.5, "mistake")


def test_what_a_clock_played_has_no_mark_and_counts_for_its_seat(nim):
    review = nim(6, 1, 1, 3, 1, cause=Cause.CLOCK)
    assert review.decisions == ()
    assert (review.seats[0].own, review.seats[0].accuracy) == (-2.0, None)


def test_an_unfinished_match_has_the_expected_result(nim):
    review = nim(6, 2)
    assert not review.decided
    assert [seat.result for seat in review.seats] == [1.0, -1.0]


def test_a_match_without_actions_is_all_luck(nim):
    review = nim(6)
    assert [(seat.result, seat.luck) for seat in review.seats] == [(1.0, 1.0), (-1.0, -1.0)]


@pytest.mark.parametrize(
    ("loss", "error", "mark"),
    [(0.09, 0, "good"), (0.1, 0, "inaccuracy"), (0.2, 0, "mistake"), (0.5, 0.25, "blunder"), (0.5, 0.26, "good")],
)
def test_marks_follow_the_thresholds(loss, error, mark):
    assert mark_of(loss, error, MARKS) == mark


def test_accuracy_halves_with_each_mistake(nim):
    assert nim(6, 1, 1, 3, 1).seats[0].accuracy == pytest.approx((100 * 2**-10 + 100) / 2, abs=0.1)


@pytest.mark.parametrize(
    ("loss", "expected"), [(0.0, 2000), (0.1, 2000), (0.2, 1750), (0.3, 1500), (9, 1500), (None, None)]
)
def test_a_rating_lies_between_those_of_the_coach(nim, loss, expected):
    (decision, *_) = nim(6, 1, 1, 3, 1).decisions
    decisions = [] if loss is None else [replace(decision, loss=loss)] * 5
    assert rating(decisions, ((0.1, 2000), (0.3, 1500))) == expected


# Every game.


def played(key: str, seed: str) -> Replay:
    """Play a match at random."""
    match = Match.start(key, seed=seed)
    bot = player(key, "random")
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, bot.choose(match.view(seat), match.legal(seat), Think(seat, SeedChance(seed, match.ply), 0.0)))
    return replay_of(match)


def last_plies(replay: Replay, count: int) -> Replay:
    """Return the end of a match as a match of its own."""
    return replace(replay, states=replay.states[-count - 1 :], steps=replay.steps[-count:])


def reviewed(replay: Replay):
    return assemble(replay, [one for piece in reversed(pieces(replay)) for one in piece()])


def check_sums(replay, review):
    for seat, one in enumerate(review.seats):
        assert one.luck + one.own + one.others == pytest.approx(one.result, abs=1e-9)
        changes = [ply.luck[seat] + ply.skill[seat] for ply in review.plies]
        for at, ply in enumerate(review.plies):
            assert sum(changes[: at + 1]) == pytest.approx(ply.values[seat], abs=1e-9)
    assert len(review.plies) == len(replay.steps) + 1
    assert all(one.loss >= 0 and one.error >= 0 for one in review.decisions)


@pytest.mark.parametrize("key", games())
def test_luck_and_skill_add_up_to_the_result(key, monkeypatch):
    monkeypatch.setattr("tablee.review.work.BUDGET", 1.0)
    replay = last_plies(played(key, "une graine"), 8)
    review = reviewed(replay)
    check_sums(replay, review)
    assert review.decided
    json = msgspec.json.encode(review)
    assert msgspec.json.encode(msgspec.json.decode(json, type=type(review))) == json


@pytest.mark.soak
@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("seed", ["un", "deux"])
def test_luck_and_skill_add_up_in_whole_matches(key, seed):
    replay = played(key, seed)
    check_sums(replay, reviewed(replay))


def test_the_same_match_has_the_same_review():
    replay = last_plies(played("kora", "deux fois"), 4)
    assert reviewed(replay) == reviewed(replay)
