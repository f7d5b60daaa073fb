"""`tablee play` in a terminal of 80 by 24, by keys alone."""

from typing import Any

import pytest
from terminals import KEYS, screen_text, terminal, typed

SHORT: dict[str, dict[str, Any]] = {
    "dames": {"options": {"variant": "classic8"}, "seed": "s17", "left": 4},
    "kora": {"options": {"deals": 1}},
    "ojyx": {"options": {"rounds": 1}, "seats": 3, "left": 20},
    "president": {"options": {"rounds": 1}, "seats": 4, "left": 16},
    "scrabble": {"seed": "s2", "left": 3},
}


async def until(pilot, condition):
    """Wait for a condition."""
    for _ in range(1000):
        if condition():
            return
        await pilot.pause(0.01)
    raise AssertionError(screen_text(pilot.app))


async def play_to_the_end(pilot, key, session):
    """Play by keys until the match is over."""
    screen = pilot.app.table
    for _ in range(400):
        await pilot.pause()
        if session.position.outcome is not None:
            return
        if session.position.mine:
            await pilot.press(*KEYS[key](screen.board))
            assert screen.problem == ""
    raise AssertionError("the match did not end")


@pytest.mark.parametrize("key", SHORT)
async def test_a_match_is_played_to_its_end_by_keys(key):
    app, session = terminal(key, **SHORT[key])
    async with app.run_test(size=(80, 24)) as pilot:
        await play_to_the_end(pilot, key, session)
        await until(pilot, lambda: "Points" in screen_text(app))
        assert app.table.words("key.replay") in screen_text(app)
        await pilot.press("r", "left", "home")
        assert app.table.replaying == 0
        await pilot.press("escape", "n")
        await pilot.pause()
        assert session.match.outcome is None


async def test_a_refusal_says_why_and_changes_nothing():
    app, session = terminal("dames")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.position.mine)
        await pilot.press(*typed("50-1"))
        assert app.table.problem == "Cette pièce ne peut pas aller là. Choisissez une case éclairée."
        await pilot.press(*typed("xyz"))
        assert app.table.problem == "« xyz » n’est pas un coup. Appuyez sur ? pour l’aide."
        assert session.match.ply == 0


async def test_a_refusal_is_gone_with_the_next_move():
    app, session = terminal("dames", options={"variant": "classic8"})
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.position.mine)
        await pilot.press(*typed("50-1"))
        assert app.table.problem
        await session.act(session.position.legal[0])
        assert app.table.problem == ""


async def test_resigning_asks_first():
    app, session = terminal("kora", lang="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+r", "n")
        assert session.match.outcome is None
        await pilot.press("ctrl+r", "y")
        await until(pilot, lambda: "You lose" in screen_text(app))
        assert session.position.outcome.reason == "left"


async def test_resigning_ends_a_match_that_bots_could_finish():
    app, session = terminal("president")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+r", "o")
        await until(pilot, lambda: "Vous avez abandonné." in screen_text(app))
        assert session.resigned


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
async def test_quitting_a_match_asks_first(key):
    app, _ = terminal("kora")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: "Quitter ?" in screen_text(app))
        await pilot.press("n")
        await until(pilot, lambda: "Votre main" in screen_text(app))
        await pilot.press(key, "o")
        await until(pilot, lambda: app._exit)


async def test_help_lists_the_keys_and_any_key_closes_it():
    app, _ = terminal("scrabble")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("?")
        await until(pilot, lambda: "échange AE?" in screen_text(app))
        await pilot.press("x")
        await until(pilot, lambda: "Sac 8" in screen_text(app))
        assert app.table.typed == ""


async def test_a_small_terminal_says_what_it_needs():
    app, _ = terminal("kora")
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: "80 colonnes" in screen_text(app))


async def test_a_clock_that_runs_out_plays_for_the_player():
    app, session = terminal("dames", options={"variant": "competitive", "move_time": 1})
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.match.ply >= 1)
        assert session.steps[0].cause == "clock"


async def test_the_bot_that_fails_is_played_for():
    class Broken:
        async def decide(self, key, level, seat, view):
            raise RuntimeError("no bot")

    app, session = terminal("kora")  # the bot leads
    session._bots = Broken()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.match.ply >= 1)
        assert (session.steps[0].seat, session.steps[0].cause) == (1, "clock")
