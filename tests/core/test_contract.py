"""The defaults of the contract for every game: a notation, refusals, ranges, and a check of the seat."""

import pickle
from pathlib import Path

import hundred
import msgspec
import pytest

from tablee.arena import random_game
from tablee.bots.monte_carlo import MonteCarloBot
from tablee.core.chance import SeedChance
from tablee.core.discover import games
from tablee.core.game import Game, GameInfo, Leave, Missing, OpenGame, Range, Refusal, Refused, Think
from tablee.core.laws import check_laws
from tablee.core.match import Match, read_options
from tablee.core.notation import JsonNotation
from tablee.games.kora.values import Play, Propose

HAUTE = hundred.Haute()


def begin(seed="une graine"):
    return Match(HAUTE, 2, hundred.Options(), seed)


def test_a_first_game_fits_in_a_hundred_lines_and_obeys_the_laws():
    assert len(Path(hundred.__file__).read_text("utf-8").splitlines()) <= 100
    check_laws(HAUTE)


def test_a_first_game_has_a_bot_that_plays_it_to_the_end():
    match, bot = begin(), MonteCarloBot(HAUTE, samples=3)
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, bot.choose(match.view(seat), match.legal(seat), Think(seat, SeedChance("", match.ply))))
    assert sum(match.outcome.scores) == 5


def test_the_default_notation_is_json_on_one_line():
    notation = HAUTE.notation
    assert notation.write_action(hundred.Play("AS")) == '{"type": "play", "card": "AS"}'
    assert notation.read_action('{"type":"leave"}') == Leave()
    state = begin().state
    assert "\n" not in notation.write_state(state)
    assert notation.read_state(notation.write_state(state)) == state


@pytest.mark.parametrize("text", ["", "AS", "{", '{"type": "play"}', '{"type": "play", "card": "1S"}', "[]"])
def test_the_default_notation_names_text_that_it_cannot_read(text):
    with pytest.raises(ValueError, match=r"^'"):
        HAUTE.notation.read_action(text)
    with pytest.raises(ValueError, match=r"^'"):
        HAUTE.notation.read_state(text)


def test_a_game_keeps_its_own_notation_and_a_variant_gets_json_of_its_own_values():
    class Variant(hundred.Haute):
        info = msgspec.structs.replace(HAUTE.info, key="variant", state=hundred.View)

    assert isinstance(Variant.notation, JsonNotation)
    assert Variant.notation.info.state is hundred.View
    assert isinstance(HAUTE.notation, JsonNotation)
    assert HAUTE.notation.info.state is hundred.State
    assert not isinstance(games()["kora"].rules.notation, JsonNotation)


def test_by_default_an_action_that_is_not_listed_is_refused():
    match = begin()
    foreign = next(card for card in hundred.CARDS if card not in match.state.hands[0])
    assert HAUTE.check(match.state, 0, hundred.Play(foreign)) == Refusal("not_legal")
    assert HAUTE.check(match.state, 0, match.legal(0)[0]) is None
    assert HAUTE.check(match.state, 1, hundred.Play(foreign)) == Refusal("not_your_turn")


def test_a_game_that_lists_only_a_part_needs_a_why_not_of_its_own():
    with pytest.raises(TypeError, match="Half lists only a part"):

        class Half(hundred.Haute):
            info = msgspec.structs.replace(HAUTE.info, partial=True)


def test_an_open_game_says_that_it_hides_nothing():
    with pytest.raises(TypeError, match="Glass is an OpenGame: set `hides=False`"):

        class Glass(OpenGame):
            info = GameInfo(
                key="glass",
                version=1,
                seats=(1, 1),
                options=hundred.Options,
                state=int,
                action=int,
                view=int,
                longest=1,
            )


def test_a_range_lists_its_actions_in_order():
    assert list(Range(Propose(1), "stake", 3, 5).actions()) == [Propose(3), Propose(4), Propose(5)]
    assert list(Range(Propose(1), "stake", 2, 1).actions()) == []


def expanded(offers):
    return [action for one in offers for action in (one.actions() if isinstance(one, Range) else [one])]


@pytest.mark.parametrize("key", games())
def test_expanding_the_offers_gives_the_legal_actions(key):
    options = {"betting": "open", "deals": 3} if key == "kora" else {}
    finished = random_game(key, seats=None, options=options, seed="offres")
    match = Match(finished.game, finished.seats, finished.options, finished.seed)
    for step in finished.steps[:40]:
        for seat in range(match.seats):
            assert expanded(match.offers(seat)) == match.legal(seat)
        match.advance(step)


def test_kora_offers_its_stakes_as_one_range():
    match = Match.start("kora", options={"betting": "open", "bank": 10_000}, seed="banque")
    (seat,) = match.turn.must
    assert match.offers(seat) == [Range(Propose(1), "stake", 1, 10_000)]
    assert match.offers(1 - seat) == []
    match.play(seat, Propose(500))
    match.play(1 - seat, {"type": "accept"})
    assert all(isinstance(action, Play) for action in match.offers(seat))


@pytest.mark.parametrize("key", games())
def test_a_seat_that_does_not_exist_is_refused_first(key):
    game: Game = games()[key].rules
    least, most = game.info.seats
    for seed in ("un", "deux"):
        finished = random_game(key, seats=least, options={}, seed=seed)
        match = Match(game, least, read_options(game, finished.options), finished.seed)
        actions = {type(step.action): step.action for step in finished.steps}
        for step in [*finished.steps[:60], None]:
            for seat in (-1, -least, least, most, 99):
                assert not list(game.legal_actions(match.state, seat))
                for action in actions.values():
                    refusal = game.check(match.state, seat, action)
                    assert refusal is not None
                    if not 0 <= seat < most:
                        assert refusal == Refusal("no_such_seat", {"seat": seat})
                    with pytest.raises(Refused, match=rf"no_such_seat\(seat={seat}\)"):
                        match.play(seat, action)
            if step is not None:
                match.advance(step)


@pytest.mark.parametrize("seat", [-1, 4, 7, 99])
def test_closing_from_a_seat_that_does_not_exist_is_refused(seat):
    """Président looks into a hand before it looks at the turn."""
    match = Match.start("president", seats=4, seed="x")
    with pytest.raises(Refused, match="no_such_seat"):
        match.play(seat, {"type": "close", "cards": ["7S"]})
    close = msgspec.convert({"type": "close", "cards": ["7S"]}, match.game.info.action)
    assert match.game.check(match.state, seat, close) is not None


@pytest.mark.parametrize("seat", [-1, 2, 3, 99])
def test_contesting_from_a_seat_that_does_not_exist_is_refused(seat):
    match = Match.start("scrabble", options={"validation": "challenge"}, seed="x")
    first = min(match.turn.must)
    match.play(first, next(action for action in match.legal(first) if hasattr(action, "word")))
    contest = msgspec.convert({"type": "challenge"}, match.game.info.action)
    assert match.game.check(match.state, seat, contest) is not None


def test_a_missing_resource_survives_pickling():
    missing = Missing(kind="lexicon", name="maison", problem="no such file")
    again = pickle.loads(pickle.dumps(missing))
    assert isinstance(again, Missing)
    assert again.refusal == missing.refusal
    late = pickle.loads(pickle.dumps(Refused(Refusal("too_late", {"by": 3}, late=True))))
    assert late.refusal == Refusal("too_late", {"by": 3}, late=True)
    assert str(late) == "too_late(by=3)"
