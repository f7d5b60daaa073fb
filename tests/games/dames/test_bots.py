"""The bots of Dames: they play legally, the same way for the same chance, and well in known positions."""

import random
import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.dames import kernel
from tablee.games.dames.bitbase_builder import random_ending
from tablee.games.dames.bitbases import value_of
from tablee.games.dames.board import TEN
from tablee.games.dames.bots import BOTS, MAITRE_ERROR, preferences_for, root_of
from tablee.games.dames.notation import position_of, write_fen
from tablee.games.dames.rules import Dames, endgame
from tablee.games.dames.search import PACKERS, Preferences, Root, Search, array, replayed
from tablee.games.dames.values import AcceptDraw, DeclineDraw, Move, OfferDraw, Options, Resign

GAME = Dames()
# With plenty of time, so that no test depends on the speed of the machine.
FACILE, MOYEN = (replace(BOTS[level], seconds=60.0) for level in ("facile", "moyen"))
DIFFICILE, QUICK = (replace(BOTS["difficile"], seconds=60.0, nodes=nodes) for nodes in (100_000, 2_000))
MAITRE, QUICK_MAITRE = (replace(BOTS["maitre"], seconds=60.0, nodes=nodes) for nodes in (100_000, 2_000))
PLAYERS = {"facile": FACILE, "moyen": MOYEN, "difficile": QUICK, "maitre": QUICK_MAITRE}
OPTIONS: list[dict[str, Any]] = [{}, {"match_time": 0}, {"variant": "international"}, {"variant": "classic8"}]


@pytest.fixture(scope="module")
def search():
    return Search(10, table_bits=16)


def think(seat, seed="graine"):
    return Think(seat, SeedChance(seed, 0), 60.0)


def read(text):
    return GAME.notation.read_state(text)


def ask(bot, text, seed="graine"):
    """Return what a bot plays in a position, both as text."""
    state = read(text)
    legal = GAME.legal_actions(state, state.to_move)
    return GAME.notation.write_action(bot.choose(state, legal, think(state.to_move, seed)))


def random_matches(count):
    """Yield every decision of random matches with draw offers and without resigning."""
    dice = random.Random("positions")
    for number in range(count):
        match = Match.start("dames", options=OPTIONS[number % len(OPTIONS)], seed=f"partie {number}")
        while match.outcome is None and match.ply < 150:
            seat = dice.choice(sorted(match.turn.must | match.turn.may))
            yield match, seat
            quiet = [action for action in match.legal(seat) if not isinstance(action, Resign | AcceptDraw)]
            match.play(seat, dice.choice(quiet))


@pytest.mark.parametrize("level", PLAYERS)
def test_a_choice_is_legal_and_depends_only_on_view_and_chance(level):
    bot, seen = PLAYERS[level], 0
    for match, seat in random_matches(8):
        legal = match.legal(seat)
        chosen = bot.choose(match.view(seat), legal, think(seat))
        assert chosen in legal
        assert not isinstance(chosen, Resign | OfferDraw)
        assert bot.choose(match.view(seat), legal, think(seat)) == chosen
        seen += 1
    assert seen > 400


@pytest.mark.parametrize("level", PLAYERS)
def test_a_ranking_has_every_legal_action_and_resigning_last(level):
    for match, seat in random_matches(4):
        legal = match.legal(seat)
        ranked = PLAYERS[level].rank(match.view(seat), legal, think(seat))
        assert sorted(map(repr, legal)) == sorted(repr(one.action) for one in ranked)
        assert [one.value for one in ranked] == sorted((one.value for one in ranked), reverse=True)
        if Resign() in legal:
            assert ranked[-1].action == Resign()


def test_the_server_does_not_load_numba():
    """Only bot processes load it."""
    code = "import sys, tablee.server.app, tablee.core.discover as d; d.games(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_kernel_counts_points_and_moves_like_the_rules():
    """Lead (D4), king moves and endgame moves (D8) agree through whole games."""
    dice, board, packer = random.Random("points"), kernel.geometry(10), PACKERS[10]
    stack, params = array(2 * kernel.FRAME), array(kernel.PARAMS)
    params[kernel.SCORED] = 1
    endgames = 0
    for number in range(150):
        match = Match.start("dames", seed=f"points {number}")
        while match.outcome is None:
            before = match.state
            seat = before.to_move
            action = dice.choice([action for action in match.legal(seat) if isinstance(action, Move)])
            match.play(seat, action)
            root = root_of(before)
            boards = packer.boards(root.position)
            stack[:8] = (*boards, 0, root.king_moves, root.endgame_moves, root.lead)
            origin, target, taken = (packer.pack(squares) for squares in TEN.move(root.position, action.path))
            move = origin.bit_length() - 1 | target.bit_length() - 1 << 6 | (kernel.KING if origin & boards[1] else 0)
            kernel.play(0, move, taken, seat, True, board, params, stack)
            after = root_of(match.state)
            expected = (*packer.boards(after.position), after.king_moves, after.endgame_moves, after.lead)
            found = stack[kernel.FRAME : kernel.FRAME + 8].tolist()
            assert (*found[:4], *found[5:]) == expected, GAME.notation.write_state(before)
            endgames += after.endgame_moves > 0
    assert endgames > 20


def test_a_search_respects_its_nodes_and_stops_on_request(search):
    search.forget()
    assert search.think(Root(TEN.start), nodes=20_000).nodes == 20_000
    assert search.think(Root(TEN.start), depth=3).depth == 3
    stopped = search.think(Root(TEN.start), stop=lambda: True)
    assert stopped.line[0] in TEN.moves(TEN.start)


def test_the_line_is_legal_and_an_announced_win_comes_true(search):
    """In the endings of random games, a win that the search announces is a win by the rules."""
    dice, wins = random.Random("fins"), 0
    for number in range(150):
        match = Match.start("dames", options={"variant": "international"}, seed=f"fin {number}")
        while match.outcome is None and sum(boards.bit_count() for boards in position_of(match.state)[:4]) > 6:
            seat = match.state.to_move
            match.play(seat, dice.choice([action for action in match.legal(seat) if isinstance(action, Move)]))
        if match.outcome is not None:
            continue
        search.forget()
        found = search.think(root_of(match.state), nodes=20_000)
        position = position_of(match.state)
        for move in found.line:
            assert move in TEN.moves(position), GAME.notation.write_state(match.state)
            position = TEN.play(position, move)
        if abs(found.value) > kernel.WIN - kernel.DEEPEST and len(found.line) == kernel.WIN - abs(found.value):
            assert TEN.moves(position) == []
            assert (position.to_move == match.state.to_move) == (found.value < 0)
            wins += 1
    assert wins > 10


@pytest.mark.parametrize("fen", ["W:WK10:BK9,K46", "W:WK28:B16,K18,K26", "B:WK3,6:BK39"])
def test_a_search_that_ends_within_a_depth_announces_no_false_loss(fen, search):
    """The first move that is tried loses; others draw."""
    drawn = position_of(read(fen))
    assert value_of(drawn) == kernel.DRAWN
    for nodes in range(1, 600, 3):
        search.forget()
        assert abs(search.think(Root(drawn), nodes=nodes).value) < kernel.WIN - 2 * kernel.DEEPEST, nodes


def test_a_repetition_is_valued_as_a_draw(search):
    """D8: with two kings more, the move that repeats is worth a draw, and the other move is better."""
    first = position_of(read("W:WK46,K47,K48:BK5,K45"))
    there_and_back = ["46-41", "45-50", "41-46", "50-45"]
    position, moves = first, []
    for text in there_and_back[:3]:
        moves.append(TEN.move(position, tuple(map(int, text.split("-")))))
        position = TEN.play(position, moves[-1])
    search.forget()
    search.think(replayed(TEN, first, moves), Preferences(contempt=7), depth=1, every=True)
    repeating = TEN.move(position, (50, 45))
    assert dict(search.values)[repeating] == -7


def played_out(search, first):
    """Let a search play both sides; return the winner, or None if D8 or the length ends the game."""
    moves: list[Any] = []
    while len(moves) < 160:
        root = replayed(TEN, first, moves)
        if not TEN.moves(root.position):
            return 1 - root.position.to_move
        ending = endgame(root.position)
        again = sum(earlier == root.position for earlier in root.past) >= 2
        if root.king_moves >= 50 or again or (ending and root.endgame_moves >= ending[0]):
            return None
        search.forget()
        moves.append(search.think(root, nodes=20_000).line[0])
    return None


def test_the_search_of_maitre_wins_what_the_tables_call_won():
    """With the draw rules (D8), which the tables ignore; a lone king against few pieces may escape."""
    search, dice, tried = Search(10, table_bits=16, learned=True), random.Random("finales"), 0
    while tried < 20:
        first = random_ending(dice, 4)
        if endgame(first) is None and TEN.moves(first) and not TEN.captures(first) and value_of(first) == kernel.WON:
            assert played_out(search, first) == first.to_move, write_fen(first)
            tried += 1


def test_an_ending_that_the_tables_call_drawn_is_worth_a_draw():
    search = Search(10, table_bits=10, learned=True)
    drawn = position_of(read("W:WK46,K47,K50:BK3"))
    assert value_of(drawn) == kernel.DRAWN
    assert search.think(Root(drawn), Preferences(contempt=7), depth=4).value == -7
    assert search.think(Root(drawn), depth=4).value == 0


@pytest.mark.parametrize(
    ("pieces", "value", "error"),
    [("W26,K49:BK16,24", 1, 0), ("WK4:B11,16,36", 0, 0), ("W31-50:B1-20", None, MAITRE_ERROR)],
)
def test_a_proven_result_has_no_error(pieces, value, error):
    """The tables of endings know a win and a draw; the first move of a game is an estimate."""
    state = read(f"W:{pieces} options variant=international")
    ranked = QUICK_MAITRE.rank(state, GAME.legal_actions(state, 0), think(0))
    assert ranked[0].error == error
    assert value is None or ranked[0].value == value
    assert (ranked[-1].action, ranked[-1].value, ranked[-1].error) == (Resign(), -1, 0)


COMBINATION = "B:W21,25,33,34,35,36,38,41,46,48,49:B1,2,5,6,10,11,15,16,18,23,24,27"


@pytest.mark.parametrize(
    ("position", "move"),
    [
        # Sacrifice one piece, then another, and take three.
        (COMBINATION, "18-22"),
        # A quiet move after which two men cannot be saved.
        ("B:W27,28,30-35,37,38,40,41,43,44,47,49:B1,2,5-8,10,14-17,19-21,23,25", "20-24"),
    ],
)
@pytest.mark.parametrize("bot", [DIFFICILE, MAITRE], ids=["difficile", "maitre"])
def test_a_strong_bot_sees_a_combination(bot, position, move):
    assert ask(bot, f"{position} options variant=international") == move


def test_a_lead_in_points_counts_with_a_match_clock():
    def worth(fen, lead, **options):
        state = read(fen)
        preferences = preferences_for(GAME.setup(2, Options(**options), SeedChance("", 0)), 1)
        return Search(10, table_bits=10).think(Root(position_of(state), lead=lead), preferences, depth=1).value

    early, late = "W:W31-50:B1-20", "W:W38,43,48:B3,8,13"
    for fen in (early, late):
        assert worth(fen, 2) > worth(fen, 0) > worth(fen, -2)
        assert worth(fen, 2, variant="international") == worth(fen, 0, variant="international")
        assert worth(fen, 2) - worth(fen, 0) > worth(fen, 2, match_time=0) - worth(fen, 0, match_time=0)
    assert worth(late, 2) - worth(late, 0) > worth(early, 2) - worth(early, 0)
    # The first point of a lead is worth more than the fifth.
    assert worth(late, 1) - worth(late, 0) > worth(late, 5) - worth(late, 4)


WORSE = "B:W31-50:B1-15 offered_by 0"
BETTER = "B:W36-50:B1-20 offered_by 0"


@pytest.mark.parametrize("level", PLAYERS)
def test_a_bot_accepts_a_draw_if_it_stands_worse(level):
    assert ask(PLAYERS[level], WORSE) == "accept_draw"
    assert ask(PLAYERS[level], "B:WK48:BK1 offered_by 0 options variant=international") == "accept_draw"
    assert ask(PLAYERS[level], BETTER) not in ("accept_draw", "decline_draw", "resign")


def test_a_bot_answers_an_offer_out_of_turn():
    for text, answer in ((WORSE, AcceptDraw()), (BETTER, DeclineDraw())):
        state = read(text.replace("B:W", "W:W", 1))
        legal = GAME.legal_actions(state, 1)
        assert QUICK.choose(state, legal, think(1)) == answer


def test_facile_sometimes_errs_and_difficile_does_not():
    position = f"{COMBINATION} options variant=international"
    assert len({ask(FACILE, position, f"graine {number}") for number in range(120)}) > 1
    assert {ask(DIFFICILE, position, f"graine {number}") for number in range(5)} == {"18-22"}
