"""People who search are paired by rating, patience and wish; every case with its own time."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tablee.table.pairing import (
    FILL_SECONDS,
    FORGIVEN_SECONDS,
    WAITS,
    Conduct,
    Group,
    Search,
    nearest_level,
    pair,
    ready_at,
    struck,
    waited,
    window,
)

NOW = 1000.0


def search(person: str, rating: float = 1500.0, *, waits: float = 0.0, seats: int = 2, **fields: object) -> Search:
    since = NOW - waits
    usual = {"pool": f"game {seats}", "deviation": 60.0, "ready": since}
    return Search(person=person, seats=seats, rating=rating, since=since, **{**usual, **fields})  # type: ignore[arg-type]


@st.composite
def crowds(draw: st.DrawFn) -> list[Search]:
    people = [f"p{number}" for number in range(draw(st.integers(0, 24)))]
    return [
        search(
            person,
            draw(st.integers(600, 2600)),
            waits=draw(st.integers(0, 40)),
            seats=draw(st.sampled_from([2, 4])),
            deviation=draw(st.sampled_from([40.0, 110.0, 350.0])),
            ready=NOW + draw(st.sampled_from([-60, -1, 5])),
            avoid=frozenset(draw(st.sets(st.sampled_from(people), max_size=3))) - {person},
        )
        for person in people
    ]


@given(crowds(), st.randoms())
def test_groups_respect_everyone(crowd: list[Search], dice: object) -> None:
    by_person = {one.person: one for one in crowd}
    groups = pair(crowd, NOW)
    paired = [person for group in groups for person in group.people]
    assert len(paired) == len(set(paired))
    for group in groups:
        members = [by_person[person] for person in group.people]
        assert len({one.pool for one in members}) == 1
        assert len(members) + group.bots == members[0].seats
        assert len(members) >= 2
        assert all(one.ready <= NOW for one in members)
        assert not group.bots or max(waited(one, NOW) for one in members) >= FILL_SECONDS
        for one, two in combinations(members, 2):
            assert abs(one.rating - two.rating) <= min(window(one, NOW), window(two, NOW))
            assert one.person not in two.avoid
            assert two.person not in one.avoid
    shuffled = list(crowd)
    dice.shuffle(shuffled)  # type: ignore[attr-defined]
    assert pair(shuffled, NOW) == groups


@given(crowds())
def test_no_two_people_who_fit_are_left_waiting(crowd: list[Search]) -> None:
    paired = {person for group in pair(crowd, NOW) for person in group.people}
    left = [one for one in crowd if one.person not in paired and one.seats == 2 and one.ready <= NOW]
    for one, two in combinations(left, 2):
        fits = abs(one.rating - two.rating) <= min(window(one, NOW), window(two, NOW))
        assert not fits or one.person in two.avoid or two.person in one.avoid


def test_the_nearest_rating_is_chosen() -> None:
    crowd = [search("anne", 1500, waits=9), search("basile", 1590), search("carla", 1520), search("david", 1440)]
    assert pair(crowd, NOW) == [Group(("anne", "carla"))]


def test_the_window_widens_until_everyone_is_accepted() -> None:
    windows = [window(search("anne", waits=seconds), NOW) for seconds in (0, 3, 6, 9, 12, 10_000)]
    assert windows == [130.0, 260.0, 520.0, 1040.0, float("inf"), float("inf")]
    far = [search("anne", 1200, waits=30), search("basile", 2100)]
    assert pair(far, NOW) == []
    assert pair(far, NOW + 9) == [Group(("anne", "basile"))]


def test_the_longest_wait_chooses_first() -> None:
    crowd = [search("anne", 1500, waits=1), search("basile", 1510, waits=5), search("carla", 1520, waits=9)]
    assert pair(crowd, NOW) == [Group(("carla", "basile"))]


def test_another_opponent_is_another_one() -> None:
    again = search("anne", avoid=frozenset({"basile"}), waits=60)
    assert pair([again, search("basile", waits=60)], NOW) == []
    assert pair([again, search("basile", waits=60), search("carla")], NOW) == [Group(("anne", "carla"))]


def test_a_large_table_fills_with_people_then_with_bots() -> None:
    three = [search(name, waits=2, seats=4) for name in ("anne", "basile", "carla")]
    assert pair(three, NOW) == []
    assert pair([*three, search("david", seats=4)], NOW) == [Group(("anne", "basile", "carla", "david"))]
    assert pair(three, NOW + FILL_SECONDS) == [Group(("anne", "basile", "carla"), bots=1)]
    assert pair(three[:1], NOW + 60) == []  # nobody else: the computer is offered instead


def test_people_of_two_pools_never_meet() -> None:
    assert pair([search("anne", waits=60), search("basile", waits=60, pool="other")], NOW) == []


def test_those_who_leave_again_and_again_wait_longer() -> None:
    conduct, waits = Conduct(), []
    for _ in range(8):
        conduct = struck(conduct, NOW)
        waits.append(ready_at(conduct, NOW) - NOW)
    assert waits == [0.0, 10.0, 30.0, 60.0, 120.0, 300.0, 300.0, 300.0]
    assert ready_at(conduct, NOW + 40) == NOW + WAITS[-1]
    assert ready_at(conduct, NOW + WAITS[-1] + 1) == NOW + WAITS[-1] + 1
    assert struck(conduct, NOW + 5 * FORGIVEN_SECONDS).strikes == 4
    assert struck(conduct, NOW + 50 * FORGIVEN_SECONDS).strikes == 1


def test_the_computer_is_as_strong_as_the_person() -> None:
    strengths = {"facile": 1100.0, "moyen": 1500.0, "difficile": 1900.0}
    assert [nearest_level(strengths, [rating]) for rating in (900, 1480, 1700, 2500)] == [
        "facile", "moyen", "moyen", "difficile",
    ]  # fmt: skip
    assert nearest_level(strengths, [1100, 1300]) == "facile"
