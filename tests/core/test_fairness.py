"""Deals that anyone can check: published values, the published verifier, and every way to cheat, each named."""

import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from proofs import COMMIT, PAGE, SALTS, SECRET, with_draw, wrong

from tablee.arena import random_game
from tablee.core.chance import SeedChance
from tablee.core.discover import games
from tablee.core.fairness import NO_SALT, commitment, draws, proven, seed_of, verify
from tablee.core.game import Cause, Outcome
from tablee.core.match import UNDECIDED, Match, ended
from tablee.core.record import Record, RecordStep
from tablee.core.trace import Draw, TracedChance, place_in, place_in_counts, place_in_heap, take, thinned

BRANCH_SECRET = "2b7e151628aed2a6abf7158809cf4f3c"
VECTORS = Path(__file__).with_name("fairness-vectors.json")
PUBLISHED: dict = {"__name__": "published"}
exec(re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0], PUBLISHED)
ALL_BUT_ONCE = 2**64 // 2049 + 1
"""One hash in 2049 is discarded; the largest such n that JavaScript's numbers allow."""


def plain(value):
    """A value as it comes out of JSON."""
    return json.loads(msgspec.json.encode(value))


def the_match():
    match = Match.start("kora", options={"deals": 3}, seed=seed_of(SECRET, SALTS))
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[0])
    return match


def the_branch():
    """The same match, played on from its seventh action with another seed."""
    match = Match.branch(the_match().record(), 7, seed_of(BRANCH_SECRET, (NO_SALT, NO_SALT)))
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[-1])
    return match


@pytest.fixture(scope="module")
def record():
    return proven(the_match(), SECRET, SALTS)


def mixed_draws():
    """Every kind of draw, on two plies."""
    kept: list[Any] = []
    for ply in (0, 3):
        chance = TracedChance("sac", ply, kept)
        place_in(range(4), chance, "seats")
        row, counts, heap = list("abcdefg"), [2, 0, 3], "??AAB"
        for _ in range(3):
            take(row, chance, "letters")
            counts[place_in_counts(counts, (-1, 0, 1), chance, "numbers")] -= 1
            at = place_in_heap(heap, chance, "tiles")
            heap = heap[:at] + heap[at + 1 :]
        chance.pick(1000)
    return thinned(kept)


def traced(seed, ply, counter, n):
    kept: list[Any] = []
    chance = TracedChance(seed, ply, kept)
    for _ in range(counter):
        chance.pick(1)
    value = chance.pick(n)
    chance.pick(1)
    return {"seed": seed, "ply": ply, "counter": counter, "n": n, "value": value, "next": kept[-1].counter}


def vectors():
    return plain(
        {
            "about": "Published values of docs/fairness.md, for Python and for the browser.",
            "picks": [
                traced("une graine", 0, 0, 52),
                traced("une graine", 12, 3, 6),
                traced("été à Bécon", 1, 0, 2**53 - 1),
                traced("rejet 5490", 7, 0, ALL_BUT_ONCE),
            ],
            "draws": {"seed": "sac", "draws": mixed_draws()},
            "commit": COMMIT,
            "record": proven(the_match(), SECRET, SALTS),
            "branch": proven(the_branch(), BRANCH_SECRET, (NO_SALT, NO_SALT)),
        }
    )


def test_published_values_are_those_of_the_code(update_golden):
    if update_golden:
        VECTORS.write_text(json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert json.loads(VECTORS.read_text("utf-8")) == vectors()


def test_published_values_follow_from_sha256_alone():
    vectors = json.loads(VECTORS.read_text("utf-8"))
    for one in vectors["picks"]:
        picked = PUBLISHED["pick"](one["seed"], one["ply"], one["counter"], one["n"])
        assert picked == (one["value"], one["next"])
    assert vectors["picks"][-1]["next"] == 2, "the first hash of this one is thrown away"
    assert PUBLISHED["verify"](vectors["record"], vectors["commit"]) is None
    assert PUBLISHED["verify"](vectors["branch"]) is None
    assert (
        PUBLISHED["verify"](vectors["branch"] | {"origins": []})
        == "ply 0, draw 2: the record says AC, the seed gives QD"
    )
    assert vectors["record"]["seed"] == seed_of(SECRET, SALTS) == f"{SECRET}/c0ffee5a17,-"


def alone(seed, listed):
    """Return the published verifier's verdict on draws without a proof."""
    secret, _, salts = f"{seed}/".partition("/")
    return PUBLISHED["verify"]({"secret": secret, "salts": [salts], "seed": f"{secret}/", "draws": listed})


def test_the_published_verifier_agrees_on_every_kind_of_draw():
    kept: list[Any] = []
    chance = TracedChance("sac/", 0, kept)
    row, counts = list("abc"), [2, 0, 3]
    while row:
        take(row, chance, "letters")
        counts[place_in_counts(counts, (-1, 0, 1), chance, "numbers")] -= 1
        chance.pick(7)
    listed = plain(thinned(kept))
    assert sum("row" in draw or "bag" in draw for draw in listed) == 2
    assert alone("sac", listed) is None


@cache
def played(key, seats):
    """The record of a random match."""
    salts = ("5a17",) * seats
    return proven(random_game(key, seats=seats, options={}, seed=seed_of(SECRET, salts)), SECRET, salts)


@pytest.mark.parametrize("key", games())
def test_every_game_s_draws_are_recomputed_by_the_published_verifier(key):
    for seats in set(games()[key].rules.info.seats):
        record = played(key, seats)
        assert PUBLISHED["verify"](plain(record), COMMIT) is None
        assert [check.what for check in verify(record, COMMIT) if check.ok] == [
            "commitment",
            "seed",
            "rules",
            "draws",
            "outcome",
        ]


def test_the_example_of_the_page_is_right():
    assert commitment(SECRET) == COMMIT
    assert COMMIT in PAGE
    lines = re.findall(r"^\| (\d+) \| `(\w{16})` \| (\d+) \| (\d+) \| (\w+) \|$", PAGE, re.MULTILINE)
    given = draws(the_match())
    assert len(lines) == 11
    for draw, (counter, first, n, value, item) in zip(given, lines, strict=False):
        assert sha256(f"{SECRET}/c0ffee5a17,-/0/{counter}".encode()).hexdigest()[:16] == first
        assert (draw.ply, draw.counter, draw.n, draw.value, draw.item) == (0, int(counter), int(n), int(value), item)


@settings(deadline=None)
@given(st.lists(st.integers(1, 60), max_size=12), st.text(max_size=8), st.integers(0, 400))
def test_a_trace_changes_nothing(sizes, seed, ply):
    kept: list[Any] = []
    given, quiet = TracedChance(seed, ply, kept), SeedChance(seed, ply)
    assert [given.pick(n) for n in sizes] == [quiet.pick(n) for n in sizes]
    assert [(draw.n, draw.value) for draw in kept] == [
        (n, chance_at(seed, ply, draw.counter).pick(n)) for n, draw in zip(sizes, kept, strict=True)
    ]


def chance_at(seed, ply, counter):
    chance = SeedChance(seed, ply)
    chance._counter = counter
    return chance


@settings(deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any), st.integers())
def test_a_bag_and_a_sorted_heap_are_the_same(counts, seed):
    names = "abcdef"[: len(counts)]
    heap = "".join(name * count for name, count in zip(names, counts, strict=True))
    one: list[Any] = []
    other: list[Any] = []
    place = place_in_counts(counts, names, TracedChance(f"{seed}", 0, one), "tiles")
    at = place_in_heap(heap, TracedChance(f"{seed}", 0, other), "tiles")
    assert one == other
    assert names[place] == heap[at] == one[0].item


def test_a_match_s_draws_leave_the_match_alone():
    match = the_match()
    before = match.state, list(match.steps)
    assert draws(match) == draws(match)
    assert (match.state, match.steps) == before


def test_an_old_record_has_none_of_it_and_is_still_read():
    old = the_match().record()
    assert not {"secret", "salts", "draws"} & plain(old).keys()
    assert Record.from_json(old.to_json()) == old
    assert {check.what: check.ok for check in verify(old)} == {
        "commitment": None,
        "seed": None,
        "rules": True,
        "draws": None,
        "outcome": True,
    }
    assert verify(old, COMMIT)[0].ok is False


def test_a_record_with_its_proof_survives_json(record):
    assert Record.from_json(record.to_json()) == record


def with_step(record, ply, **changes):
    steps = [*record.steps]
    steps[ply - 1] = replace(steps[ply - 1], **changes)
    return replace(record, steps=tuple(steps))


def test_a_sound_record_has_nothing_wrong(record):
    assert wrong(record) == {}
    assert wrong(record, COMMIT.upper() + "\n") == {}
    assert verify(record)[0].ok is None
    assert COMMIT in verify(record)[0].detail


def test_every_changed_card_is_named_with_its_place(record):
    by_ply: dict[int, Any] = {}
    for at, draw in enumerate(record.draws):
        number = by_ply[draw.ply] = by_ply.get(draw.ply, 0) + 1
        other = "7H" if draw.item != "7H" else "KD"
        place = f"ply {draw.ply}, draw {number}: the record says"
        assert wrong(with_draw(record, at, item=other)) == {"draws": f"{place} {other}, the seed gives {draw.item}"}
        forged = plain(with_draw(record, at, item=other))
        assert PUBLISHED["verify"](forged) == f"{place} {other}, the seed gives {draw.item}"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"value": 51}, "ply 0, draw 2: the record says value 51, the seed gives "),
        ({"n": 51}, "ply 0, draw 2: the record says n 51, the seed gives 52"),
        ({"counter": 7}, "ply 0, draw 2: the record says counter 7, the seed gives 1"),
        ({"pack": None}, "ply 0, draw 2: the record says pack nothing, the seed gives cards"),
        ({"row": ("AS", "KS")}, "ply 0, draw 2: the record says row AS KS, the seed gives AS 2S "),
        ({"row": None, "bag": (("AS", 2),)}, "ply 0, draw 2: the record says row nothing, the seed gives AS 2S "),
    ],
)
def test_every_changed_field_of_a_draw_is_named(record, changes, text):
    assert wrong(with_draw(record, 1, **changes))["draws"].startswith(text)


def test_a_draw_left_out_or_added_is_named(record):
    listed = record.draws
    assert wrong(replace(record, draws=listed[:-1]))["draws"].endswith(": the record leaves a draw out")
    assert wrong(replace(record, draws=(*listed, Draw(99, 0, 2, 1))))["draws"] == (
        "ply 99, draw 1: the record lists a draw that the seed does not give"
    )
    assert wrong(replace(record, draws=(*listed[:11], Draw(3, 0, 2, 1), *listed[11:])))["draws"] == (
        "ply 3, draw 1: the record lists a draw that the seed does not give"
    )
    assert wrong(replace(record, draws=()))["draws"] == "ply 0, draw 1: the record leaves a draw out"


def test_a_changed_action_is_named_with_its_step(record):
    found = wrong(with_step(record, 4, action={"type": "play", "card": "KH"}))
    assert found.keys() == {"rules"}
    assert found["rules"].startswith("step 4 (seat ")
    assert "not_in_hand(card='KH')" in found["rules"]


def test_cards_before_a_changed_action_are_still_checked(record):
    forged = with_draw(with_step(record, 4, action={"type": "fly"}), 3, item="7H")
    assert wrong(forged).keys() == {"rules", "draws"}
    late = next(at for at, draw in enumerate(record.draws) if draw.ply > 4)
    assert wrong(with_draw(with_step(record, 4, action={"type": "fly"}), late, item="7H")).keys() == {"rules"}


def test_another_legal_action_does_not_pass_for_the_one_played(record):
    """The later actions or the outcome no longer fit."""
    match = Match.start("kora", options={"deals": 3}, seed=record.seed)
    for ply, step in enumerate(record.steps, 1):
        for action in match.legal(step.seat):
            if msgspec.to_builtins(action) != step.action:
                assert wrong(with_step(record, ply, action=msgspec.to_builtins(action)))
        match.replay_step(step)


def test_a_changed_secret_is_caught_twice(record):
    found = wrong(replace(record, secret="f" * 32))
    assert found.keys() == {"commitment", "seed"}
    assert found["commitment"].startswith(f"the commitment was {COMMIT}, the secret gives ")
    assert f"{'f' * 32}/c0ffee5a17,-" in found["seed"]


def test_a_changed_salt_is_caught(record):
    assert wrong(replace(record, salts=("c0ffee5a18", "-"))).keys() == {"seed"}
    assert wrong(replace(record, salts=None))["seed"] == "0 salts for 2 seats"
    assert wrong(replace(record, salts=("c0ffee5a17", "-", "-")))["seed"] == "3 salts for 2 seats"


def test_another_seed_deals_other_cards_from_the_first_draw_on(record):
    found = wrong(replace(record, seed="une autre"))
    assert {"seed", "rules", "draws"} == found.keys()
    assert found["draws"].startswith("ply 0, draw ")


def test_another_whole_match_breaks_the_commitment(record):
    other = "0" * 32
    match = random_game("kora", seats=2, options={}, seed=seed_of(other, SALTS))
    assert wrong(proven(match, other, SALTS)).keys() == {"commitment"}


@pytest.mark.parametrize(
    "outcome", [None, Outcome((200, 0), (1, 2), "bank"), ended(2, "ended"), ended(2, "closed")], ids=str
)
def test_a_forged_outcome_is_named(record, outcome):
    found = wrong(replace(record, outcome=outcome))
    assert found.keys() == {"outcome"}
    assert str(outcome) in found["outcome"]


@pytest.mark.parametrize("reason", UNDECIDED)
def test_a_match_may_be_stopped_before_its_end(reason):
    match = Match.start("kora", seed=seed_of(SECRET, SALTS))
    record = replace(proven(match, SECRET, SALTS), outcome=ended(2, reason))
    assert wrong(record) == {}
    assert Match.replay(record).outcome is None
    assert wrong(replace(record, outcome=Outcome((0, 0), (1, 2), reason))).keys() == {"outcome"}


def test_actions_of_the_table_are_checked_too():
    match = Match.start("kora", seed=seed_of(SECRET, SALTS))
    match.act_for(min(match.turn.must), Cause.CLOCK)
    record = proven(match, SECRET, SALTS)
    assert wrong(record) == {}
    forged = replace(record, steps=(RecordStep(record.steps[0].seat, {"type": "leave"}, Cause.CLOCK),))
    assert "not_the_fallback" in wrong(forged)["rules"]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"version": 99}, "kora was played under rules 99"),
        ({"game": "sans-nom"}, "there is no game 'sans-nom' here"),
        ({"seats": 5}, "the match cannot begin: bad_seats"),
        ({"options": {"deals": 4}}, "field='deals'"),
    ],
)
def test_a_record_that_cannot_begin_says_why(record, changes, text):
    assert text in wrong(replace(record, **changes))["rules"]
