"""The statistics of openings count public matches, once each."""

from match_rows import ALIX, BOT, row
from msgspec.structs import replace

from tablee.core.match import Match
from tablee.games.dames.openings import MOST_PLIES, openings
from tablee.games.dames.values import LoseTurn, Move, OfferDraw
from tablee.store import Store
from tablee.store.openings import OpeningMove

FIRST = (("start", "32-28"), ("after", "19-23"), ("start", "32-28"))


async def test_public_matches_are_counted_once_with_their_results(store: Store) -> None:
    won, drawn = row(1), row(2, places=(1, 1))
    lost, stopped, private = row(3, places=(2, 1)), row(4, reason="ended"), row(5, public=False)
    other = replace(row(6, ALIX, BOT), openings=(("start", "33-28"),))
    matches = [replace(one, openings=FIRST) for one in (won, drawn, lost, stopped, private)]
    for one in (*matches, *matches, other):
        await store.matches.keep(one)
    counted = [OpeningMove("32-28", 1, 1, 1), OpeningMove("33-28", 1, 0, 0)]
    assert await store.openings.moves("kora", "start") == counted
    assert await store.openings.moves("kora", "after") == [OpeningMove("19-23", 1, 1, 1)]
    assert await store.openings.moves("dames", "start") == []
    # A rebuild counts everything anew.
    await store.matches.rebuild([*matches, other])
    assert await store.openings.moves("kora", "start") == counted
    await store.matches.rebuild([other])
    assert await store.openings.moves("kora", "start") == counted[1:]


def test_the_first_moves_of_a_match_of_dames_are_counted_until_a_turn_is_lost() -> None:
    match = Match.start("dames", options={"variant": "classic8"}, seed="graine")
    match.play(0, OfferDraw())
    while match.ply <= 2 * MOST_PLIES and match.outcome is None:
        (seat,) = match.turn.must
        match.play(seat, next(action for action in match.legal(seat) if isinstance(action, Move)))
    found = list(openings(match))
    assert len(found) == MOST_PLIES
    assert found[0] == ("8 W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", "21-17")
    lost = Match.start("dames", seed="graine")
    lost.play(0, lost.legal(0)[0])
    lost.advance(replace(match.steps[0], seat=1, action=LoseTurn()))
    lost.play(0, lost.legal(0)[0])
    assert len(list(openings(lost))) == 1
