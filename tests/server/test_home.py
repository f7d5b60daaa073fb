"""The home of a table: every server computes the same one."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tablee.server.home import home_of

servers = st.sets(st.text("0123456789abcdef", min_size=8, max_size=8), min_size=2, max_size=6)
codes = st.text("23456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=6, max_size=6)


@given(codes, servers)
def test_the_order_of_the_servers_does_not_matter(code: str, live: set[str]) -> None:
    assert home_of(code, sorted(live)) == home_of(code, sorted(live, reverse=True))


@given(codes, servers)
def test_only_the_tables_of_a_dead_server_get_another_home(code: str, live: set[str]) -> None:
    home = home_of(code, live)
    for dead in live - {home}:
        assert home_of(code, live - {dead}) == home


def test_the_tables_are_spread_evenly() -> None:
    live = ["0a", "1b", "2c"]
    count = Counter(home_of(f"T{number:05}", live) for number in range(3000))
    assert all(900 < count[server] < 1100 for server in live)
