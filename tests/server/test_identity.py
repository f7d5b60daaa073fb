"""The identity cookie: read from any header, and accepted only if this server signed it."""

from pathlib import Path

import pytest

from tablee.server.identity import Identity


@pytest.fixture
def identity(tmp_path: Path) -> Identity:
    return Identity(tmp_path)


def test_our_cookie_is_found_among_others(identity: Identity) -> None:
    for person in (identity.new(), identity.new("en-GB")):
        mine = identity.set_cookie(person, secure=False).partition(";")[0]
        for header in (mine, f"a=b; {mine}", f"a=b;{mine};c", f'theme="x; y"; not{mine}; {mine} ; z=1'):
            assert identity.read(header) == person


def test_a_cookie_that_this_server_did_not_sign_is_ignored(identity: Identity) -> None:
    signed = identity.sign("somebody")
    for header in (
        None,
        "",
        "tablee",
        "tablee=",
        "tablee=.",
        f"other={signed}",
        f"tablee={signed}x",
        f"tablee=x{signed}",
    ):
        assert identity.read(header) is None


def test_no_header_keeps_the_server_busy(identity: Identity) -> None:
    # The parser of the standard library would take an hour for the first of these.
    for hostile in ('tablee="' + "\\" * 1_000_000 + '"', "tablee=;" * 500_000, "tablee=" + "a." * 500_000):
        assert identity.read(hostile) is None
    assert identity.read(f"{'a;' * 500_000}tablee={identity.sign('somebody')}") == "somebody"
