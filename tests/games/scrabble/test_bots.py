"""The bots of Scrabble play legally, and better with each level."""

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.discover import warm_up
from tablee.core.game import Think
from tablee.games.scrabble import endgame, kernel
from tablee.games.scrabble.board import EMPTY_BOARD
from tablee.games.scrabble.bots import BOTS, Moyen
from tablee.games.scrabble.common import common_words
from tablee.games.scrabble.engines import common_engine, engine
from tablee.games.scrabble.lexicon import default_ref, lexicon
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.scoring import score_play
from tablee.games.scrabble.values import Accept, Challenge, Exchange, Options, Pass, Place

GAME = Scrabble()
LEVELS = list(BOTS)


class NoList(list[Any]):
    """A list of legal actions that fails if a bot uses it."""

    def __len__(self):
        pytest.fail("the list was asked for")

    __getitem__ = __iter__ = __len__  # type: ignore[assignment]


def think(seat, seed, seconds=0.2):
    return Think(seat, SeedChance(f"bot {seed}", 0), seconds)


def play_match(levels, seed, **options):
    """Play a match and check every choice; return its states and actions."""
    state = GAME.setup(len(levels), Options(**options), SeedChance(f"match {seed}", 0))
    steps: list[Any] = []
    while state.stage != "over":
        seat = min(GAME.turn(state).must)
        view = GAME.view(state, seat)
        action = BOTS[levels[seat]].choose(view, NoList(), think(seat, f"{seed} {len(steps)}"))
        assert GAME.check(state, seat, action) is None, (
            f"{levels[seat]}: {action} in {GAME.notation.write_state(state)}"
        )
        steps.append((state, seat, action))
        state = GAME.apply(state, seat, action, SeedChance(f"match {seed}", len(steps)))
    return state, steps


@pytest.mark.parametrize("levels", [("facile", "moyen"), ("difficile", "facile", "moyen"), ("expert",) * 4])
def test_bots_play_legal_matches(levels):
    state, steps = play_match(levels, 1)
    assert state.ending in ("out", "passes", "stalled")
    assert sum(isinstance(action, Place) for _, _, action in steps) > 15


def test_with_contests_bots_play_valid_words_only():
    state, steps = play_match(("expert", "moyen", "difficile"), 2, validation="challenge")
    assert state.ending == "out"
    assert not any(isinstance(action, Challenge) for _, _, action in steps)
    assert any(isinstance(action, Accept) for _, _, action in steps)


def test_levels_are_in_order():
    """On average over several games, each level scores more than the one below.

    Maître is stronger than expert too, but a few games cannot show it: bench/README.md does.
    """
    for weak, strong in pairwise(LEVELS[:-1]):
        lead = 0
        for seed in range(4):
            for levels in ((weak, strong), (strong, weak)):
                state, _ = play_match(levels, seed)
                lead += state.scores[levels.index(strong)] - state.scores[levels.index(weak)]
        assert lead > 0, (weak, strong)


def test_facile_plays_common_short_words():
    known = set(common_words(default_ref()).words)
    _, steps = play_match(("facile", "facile"), 3)
    for state, _, action in steps:
        if isinstance(action, Place):
            words = [one.word.upper() for one in score_play(state.board, action.at, action.word).words]
            assert set(words) <= known


def opening(rack, **changes):
    """Return a view of the first turn with a rack."""
    state = GAME.setup(2, Options(), SeedChance("ouverture", 0))
    view = GAME.view(state, state.to_act)
    return replace(view, rack="".join(sorted(rack)), **changes)


def keeps_joker(action):
    return "?" not in action.tiles if isinstance(action, Exchange) else action.word.isupper()


def test_moyen_plays_common_words_and_seldom_all_seven_tiles():
    known = set(common_words(default_ref()).words)
    view = opening("AEINRST")
    openings = [BOTS["moyen"].choose(view, NoList(), think(view.seat, seed)) for seed in range(60)]
    assert {action.word for action in openings} <= known
    assert sum(len(action.word) == 7 for action in openings) < 6
    assert max(score_play(EMPTY_BOARD, action.at, action.word).score for action in openings) < 80
    by_expert = BOTS["expert"].choose(view, NoList(), think(view.seat, 1))
    assert len(by_expert.word) == 7


def test_moyen_looks_beyond_common_words_only_if_it_has_to():
    view = opening("DEKOPRZ")
    rare = set(lexicon(default_ref()).words) - set(common_words(default_ref()).words)
    assert BOTS["moyen"].choose(view, NoList(), think(view.seat, 1)).word not in rare
    assert list(Moyen().vocabularies(default_ref())) == [common_engine(default_ref()), engine(default_ref())]


def test_expert_keeps_a_joker_for_later():
    view = opening("?HJOULV")
    assert keeps_joker(BOTS["expert"].choose(view, NoList(), think(view.seat, 1)))


def test_expert_exchanges_a_useless_rack():
    view = opening("UUUVVIW")
    assert isinstance(BOTS["expert"].choose(view, NoList(), think(view.seat, 1)), Exchange)


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_play_bots_exchange_or_pass(level):
    view = opening("VVWWKKQ")
    assert isinstance(BOTS[level].choose(view, NoList(), think(view.seat, 1)), Exchange)
    view = opening("VVWWKKQ", bag=6)
    assert BOTS[level].choose(view, NoList(), think(view.seat, 1)) == Pass()


@pytest.mark.parametrize("level", LEVELS)
def test_rank_has_every_legal_action_best_first(level):
    _, steps = play_match(("moyen", "facile"), 5)
    for state, seat, _ in (steps[0], steps[7], steps[-1]):
        legal = GAME.legal_actions(state, seat)
        ranked = BOTS[level].rank(GAME.view(state, seat), legal, think(seat, 1))
        assert sorted(map(repr, legal)) == sorted(repr(one.action) for one in ranked)
        assert [one.value for one in ranked] == sorted((one.value for one in ranked), reverse=True)


def test_expert_plays_what_it_ranks_first():
    _, steps = play_match(("expert", "moyen"), 6)
    mine = [step for step in steps if step[1] == 0]
    assert not mine[-1][0].bag
    for state, seat, action in [*mine[:6], mine[-1]]:
        ranked = BOTS["expert"].rank(GAME.view(state, seat), GAME.legal_actions(state, seat), think(seat, 1))
        assert action in [one.action for one in ranked if one.value == ranked[0].value]


def in_window(word):
    """Return a view in which a word can be contested."""
    state = GAME.setup(2, Options(validation="challenge"), SeedChance("fenêtre", 0))
    seat = state.to_act
    assert seat is not None
    rack = "".join(sorted(word + "EEEEEEE"[len(word) :]))
    state = replace(state, racks=tuple(rack if other == seat else "EEEEEEE" for other in range(2)))
    state = GAME.apply(state, seat, Place("H8", word), SeedChance("fenêtre", 1))
    return GAME.view(state, 1 - seat)


@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_contests_a_valid_word(level):
    view = in_window("KAYAK")
    for seed in range(20):
        assert BOTS[level].choose(view, NoList(), think(view.seat, seed)) == Accept()


def test_invalid_words_are_contested_mostly_by_facile_and_always_by_the_others():
    view = in_window("KAYAX")
    answers = {
        level: [BOTS[level].choose(view, NoList(), think(view.seat, seed)) for seed in range(30)] for level in LEVELS
    }
    assert {answer for level in LEVELS[1:] for answer in answers[level]} == {Challenge()}
    assert 10 <= answers["facile"].count(Challenge()) < 30
    ranked = BOTS["moyen"].rank(view, [Accept(), Challenge()], think(view.seat, 1))
    assert ranked[0].action == Challenge()


@pytest.mark.parametrize(("word", "best"), [("KAYAK", Accept()), ("KAYAX", Challenge())])
def test_maitre_ranks_a_contest_by_the_chance_to_win(word, best):
    view = in_window(word)
    ranked = BOTS["maitre"].rank(view, [Accept(), Challenge()], think(view.seat, 1))
    assert ranked[0].action == best
    assert 0 < ranked[1].value < ranked[0].value < 1
    assert all(one.error for one in ranked)


def test_the_endgame_search_beats_a_player_who_looks_one_play_ahead():
    """From the same positions with an empty bag, the search scores at least as much in total as single plays."""
    gains = {"difficile": 0, "expert": 0}
    for seed in range(3):
        _, steps = play_match(("difficile", "difficile"), seed)
        start = next(state for state, _, _ in steps if not state.bag)
        seat = start.to_act
        for level, gained in gains.items():
            state, ply = start, 0
            while state.stage != "over":
                player = BOTS[level if state.to_act == seat else "difficile"]
                action = player.choose(GAME.view(state, state.to_act), NoList(), think(state.to_act, ply, 1.0))
                state = GAME.apply(state, state.to_act, action, SeedChance("fin", ply))
                ply += 1
            gains[level] = gained + state.scores[seat] - state.scores[1 - seat]
    assert gains["expert"] >= gains["difficile"]


def test_a_decision_without_time_is_still_legal():
    _, steps = play_match(("moyen", "moyen"), 7)
    state, seat, _ = next(step for step in steps if not step[0].bag)
    action = BOTS["expert"].choose(GAME.view(state, seat), NoList(), think(seat, 1, seconds=0.001))
    assert GAME.check(state, seat, action) is None


def test_warming_up_reaches_the_whole_kernel_even_if_there_is_no_time(monkeypatch):
    """To compile takes longer than any search, so a clock must not end the warm-up before its last function."""
    used = set()

    def note(name, function):
        def noted(*given):
            used.add(name)
            return function(*given)

        monkeypatch.setattr(kernel, name, noted)

    names = {"solve", "assume", "infer", "simulate", "start_try", "play_on"}
    for name in names:
        note(name, getattr(kernel, name))
    monkeypatch.setattr(endgame, "perf_counter", lambda: 1e18)
    warm_up("scrabble")
    assert used == names
