"""Files of other programs: whatever somebody uploads is a replay or a refusal."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.game import Refusal, Refused
from tablee.core.replay import Replay
from tablee.server.replays import page_of, read_replay

WHOLE = """\
#character-encoding UTF-8
#player1 alice Zoé Martin
#player2 bob Bob
#player3 chloe Chloé
#lexicon dicollecte
>alice: ?AEMOST 8H MOTS +10 10
>bob: AEIKRSZ 9K KZ +31 31
>bob: AEIKRSZ --  -31 0
#note contested by chloe
>chloe: -ABD +0 0
>alice: ?AEINRU K8 .AiRE +8 18
>bob: AEIKRSZ (challenge) -10 -10
>alice: EU (challenge) +5 23
>bob: AEIKRSZ - +0 -10
>bob: AEIKRSZ (time) -5 -15
#note chloe left the game
>alice: EU - +0 23
>bob: AEI (AEI) -3 -18
>alice: EU (EU) -2 21
"""
PIECES = re.findall(r"\s+|[^\s]+", WHOLE)
ODD = [
    *sorted(set(PIECES)),
    *("9" * 5000, "٣", "(", ")", "()", "?", "16P", "0A", "h8", "-7", "-0", "+0", "--", "\x00", "é"),
]
PIECE = st.sampled_from(ODD) | st.text(max_size=3)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A file of which some pieces were lost, doubled or changed, in some encoding."""
    pieces = list(PIECES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(pieces) - 1))
        pieces[at : at + draw(st.integers(0, 4))] = draw(st.lists(PIECE, max_size=3))
        pieces = pieces or [""]
    encoding = draw(st.sampled_from(["utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp850"]))
    return "".join(pieces).encode(encoding, "replace")


def read(text: bytes) -> Replay | Refusal:
    try:
        return read_replay(text, "gcg")
    except Refused as refused:
        return refused.refusal


@settings(max_examples=300, deadline=None)
@given(mutated() | st.binary(max_size=100))
def test_any_file_is_a_replay_or_a_refusal_with_its_reason(text: bytes) -> None:
    found = read(text)
    if isinstance(found, Replay):
        for seat in (None, 0):
            page_of(found, found.names, None, seat, 0, None)
    else:
        assert found.code in ("bad_line", "bad_record")
        assert found.values["reason"]
        msgspec.json.encode(found.values)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "mac-roman"])
def test_a_file_is_read_in_any_encoding(encoding: str) -> None:
    replay = read_replay(WHOLE.replace("\n", "\r\n").encode(encoding), "gcg")
    assert replay.names == ("Zoé Martin", "Bob", "Chloé")
    page = msgspec.json.decode(page_of(replay, replay.names, None, None, 0, None))
    assert page["remarks"] == [
        {"ply": 10, "seat": 0, "text": "(challenge) +5"},
        {"ply": 11, "seat": 1, "text": "(time) -5"},
    ]


def test_a_refusal_names_the_line_and_the_reason_in_words_of_the_game() -> None:
    for change, line, values in (
        (("+10 10", "+12 12"), 6, {"reason": "wrong_score", "score": 10, "written": 12}),
        (("?AEMOST 8H", "?AEIOST 8H"), 6, {"reason": "not_on_rack", "letter": "M"}),
        (("8H MOTS", "16H MOTS"), 6, {"reason": "no_such_square", "square": "16H"}),
    ):
        refusal = read(WHOLE.replace(*change).encode())
        assert isinstance(refusal, Refusal)
        assert refusal.code == "bad_line"
        assert refusal.values.items() >= {"line": line, "game": "scrabble", **values}.items()
