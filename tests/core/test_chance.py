"""Chance is SHA-256 of `seed/ply/counter`: published, uniform, and the same everywhere."""

from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from tablee.core.chance import SeedChance

VECTORS = Path(__file__).with_name("chance-vectors.txt")


def read_vector(line):
    seed, ply, n, picks = (part.strip() for part in line.split("|"))
    return pytest.param(seed, int(ply), int(n), [int(pick) for pick in picks.split()], id=f"{seed} | {ply} | {n}")


PUBLISHED = [read_vector(line) for line in VECTORS.read_text("utf-8").splitlines() if not line.startswith("#")]


def hashed(seed, ply, counter):
    return int(sha256(f"{seed}/{ply}/{counter}".encode()).hexdigest()[:16], 16)


def by_the_book(seed, ply, n, count):
    """The formula of chance-vectors.txt, step by step."""
    picks: list[int] = []
    counter = 0
    while len(picks) < count:
        v = hashed(seed, ply, counter)
        counter += 1
        if v >= 2**64 - 2**64 % n:
            continue
        picks.append(v % n)
    return picks


def chi_square(counts, outcomes):
    expected = sum(counts.values()) / outcomes
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in range(outcomes))


@pytest.mark.parametrize(("seed", "ply", "n", "picks"), PUBLISHED)
def test_published_picks_follow_from_sha256_alone(seed, ply, n, picks):
    assert by_the_book(seed, ply, n, 8) == picks


@pytest.mark.parametrize(("seed", "ply", "n", "picks"), PUBLISHED)
def test_chance_gives_the_published_picks(seed, ply, n, picks):
    chance = SeedChance(seed, ply)
    assert [chance.pick(n) for _ in range(8)] == picks


def test_a_pick_in_the_incomplete_run_is_thrown_away():
    n = 2**64 - 2**60
    first, second = hashed("rejet 14", 0, 0), hashed("rejet 14", 0, 1)
    assert first >= n > second
    assert SeedChance("rejet 14", 0).pick(n) == second


def test_the_last_value_below_the_limit_is_kept(monkeypatch):
    """With n = 3 the limit is 2^64 - 1: that value alone is refused, the one below it is the pick 2."""
    values = [2**64 - 1, 2**64 - 2]

    class Digest:
        def __init__(self, text):
            self.counter = int(text.decode().rsplit("/", 1)[1])

        def digest(self):
            return values[self.counter].to_bytes(8, "big") + bytes(24)

    monkeypatch.setattr("tablee.core.chance.sha256", Digest)
    assert SeedChance("bord", 0).pick(3) == (2**64 - 2) % 3 == 2


def test_two_chances_of_one_ply_pick_alike_and_two_plies_differently():
    same, again, other = SeedChance("s", 1), SeedChance("s", 1), SeedChance("s", 2)
    picks = [[chance.pick(1000) for _ in range(20)] for chance in (same, again, other)]
    assert picks[0] == picks[1] != picks[2]


def test_a_slash_in_a_seed_never_meets_another_seed():
    texts = {(seed, ply): SeedChance(seed, ply).pick(2**64) for seed in ("a", "a/1", "a/1/2") for ply in (1, 2, 12)}
    assert len(set(texts.values())) == len(texts)


def test_every_pick_advances_the_counter_once_whatever_n_is():
    chance = SeedChance("s", 0)
    chance.pick(1)
    chance.pick(52)
    assert chance.pick(2**64) == hashed("s", 0, 2)


@pytest.mark.parametrize(("n", "limit"), [(2, 10.83), (6, 20.52), (52, 87.97)])
def test_picks_are_uniform(n, limit):
    """Chi-square of 20 000 picks below the 99.9 % quantile for n - 1 degrees of freedom."""
    chance = SeedChance("uniforme", 0)
    assert chi_square(Counter(chance.pick(n) for _ in range(20_000)), n) < limit


def test_first_picks_of_successive_plies_are_uniform():
    assert chi_square(Counter(SeedChance("uniforme", ply).pick(52) for ply in range(20_000)), 52) < 87.97


@pytest.mark.parametrize("n", [0, -1, -52, 2**64 + 1])
def test_a_pick_from_nothing_or_from_too_much_is_refused_by_name(n):
    with pytest.raises(ValueError, match=f"cannot pick from {n} things"):
        SeedChance("s", 0).pick(n)


@pytest.mark.parametrize("n", [1, 2**64])
def test_the_ends_of_the_range_are_allowed(n):
    assert SeedChance("s", 0).pick(n) == hashed("s", 0, 0) % n
