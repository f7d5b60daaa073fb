"""The coach of any game, and judge_view: a view in, a judgement out, and nothing else."""

import json
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from tablee.arena import random_game
from tablee.bots.coaching import RandomCoach, coach_of, judge_view, read_advice
from tablee.core.chance import SeedChance
from tablee.core.discover import games
from tablee.core.game import Refused, Think
from tablee.core.match import Match

WEB = Path(__file__).parents[2] / "web/src"
SHORT = {"kora": {"deals": 1}, "president": {"rounds": 1}}
"""Options for a match that random play soon ends."""
EVERY = {"dames": 40, "ojyx": 40, "scrabble": 30}
"""How many plies lie between two moments that are judged."""


def coaches():
    for key, package in games().items():
        yield pytest.param(key, coach_of(key), id=key)
        if package.coach is not None and key != "scrabble":  # a random match there takes long
            yield pytest.param(key, RandomCoach(package.rules), id=f"{key} at random")


def moments(key, every):
    """Yield some moments of a random match: the match so far, the seat that acts and the action it plays."""
    whole = random_game(key, seats=None, options=SHORT.get(key, {}), seed="entraîneur")
    match = Match(whole.game, whole.seats, whole.options, whole.seed)
    for at, step in enumerate(whole.steps):
        if at % every == 0:
            yield match, step.seat, step.action
        match.advance(step)
    yield match, None, None


@pytest.mark.parametrize(("key", "coach"), list(coaches()))
def test_a_coach_judges_a_random_match(key, coach):
    for match, seat, played in moments(key, EVERY.get(key, 7)):
        found = coach.estimate(match.state, SeedChance("estimate", match.ply), 0.02)
        assert sum(found.values) == pytest.approx(0, abs=1e-9)
        assert len(found.values) == match.seats
        if seat is None:
            assert found.values == coach.result(match.outcome)
            continue
        think = Think(seat, SeedChance("judge", match.ply), 0.02)
        judgement = coach.judge(match.view(seat), match.legal(seat), think, played)
        assert played in [judged.action for judged in judgement.actions]
        assert sum(judgement.before) == pytest.approx(0, abs=1e-9)
        for judged in judgement.actions:
            assert sum(judged.values) == pytest.approx(0, abs=1e-9)
        mine = [judged.values[seat] for judged in judgement.actions]
        assert mine == sorted(mine, reverse=True)
        reason = coach.explain(match.view(seat), judgement, seat)
        if not isinstance(coach, RandomCoach):
            assert reason.code in import_module(f"tablee.games.{key}.explain").CODES


@pytest.mark.parametrize("key", [key for key, package in games().items() if package.coach is not None])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_reason_has_its_words(key, language):
    words = json.loads((WEB / f"games/{key}/board.{language}.json").read_text())
    codes = import_module(f"tablee.games.{key}.explain").CODES
    said = {name.removesuffix(".one").removesuffix(".other") for name in words}
    assert {f"advice.{code}" for code in codes} == {name for name in said if name.startswith("advice.")}
    assert f"unit.{coach_of(key).unit}" in said


def test_a_worker_judges_a_view_the_same_way_twice():
    match = Match.start("kora", seed="x")
    seat = min(match.turn.must)
    view, played = msgspec.json.encode(match.view(seat)), match.legal(seat)[-1]
    answers = {judge_view("kora", seat, view, "graine", 2.0, msgspec.json.encode(played)) for _ in range(2)}
    assert len(answers) == 1
    advice = read_advice("kora", answers.pop())
    assert played in [judged.action for judged in advice.judgement.actions]


def test_a_worker_refuses_a_seat_that_cannot_act_and_an_illegal_action():
    match = Match.start("kora", seed="x")
    seat = min(match.turn.must)
    with pytest.raises(Refused, match="not_your_turn"):
        judge_view("kora", 1 - seat, msgspec.json.encode(match.view(1 - seat)), "graine", 1.0)
    stranger = msgspec.json.encode({"type": "play", "card": match.view(1 - seat).hand[0].card})
    with pytest.raises(Refused, match="not_in_hand"):
        judge_view("kora", seat, msgspec.json.encode(match.view(seat)), "graine", 1.0, stranger)
