"""Ruling S6 of Scrabble français, clause by clause: automatic validation and contests."""

from collections import Counter

import msgspec
import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import UNTIMED, Clocks, Refused
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Pass
from tablee.table import Table, dealing, playing, seating

GAME = Scrabble()
CHALLENGE = "options validation=challenge"
START = "act 0 racks AEMOSTU/AELRSTU"
THREE = "act 0 racks AEMOSTU/AELRSTU/BDEINRT"
LATER = "act 1 racks AEMOSTU/AELRSTU board H8:MOTS"


# S6


def test_S6_auto_is_the_default_and_refuses_an_invalid_word(table):
    state = table.read(START)
    assert state.options.validation == "auto"
    for _ in range(20):  # Tries are not limited, and nothing is lost.
        assert table.code(state, "H8 MOSTU") == "not_a_word"
    assert table.code(state, "H8 MOTS") is None


def test_S6_auto_names_the_invalid_words_and_the_score(table):
    refusal = table.why_not("act 1 racks AEMOSTU/AEORSTU board H8:DE", "I8 UE")
    assert refusal.values["words"] == ("UE", "EE")
    assert refusal.values["score"] == refusal.values["play"].score == 9
    msgspec.json.encode(refusal)


def test_S6_auto_settles_a_play_at_once(table):
    state = table.play(START, "H8 MOTS")
    assert (state.stage, state.scores, state.pending) == ("play", (10, 0), None)


def test_S6_auto_a_refused_word_does_not_stop_the_clock():
    people = ("anne", "basile")
    table = Table("ABCDEF", Table.create("scrabble", {}, 2, False, people[0], move_time=60))
    for person in people:
        table.apply_all(seating.sit(table, person, None))
    table.apply_all(dealing.start(table, people[0], "graine"), 0.0)
    (seat,) = table.turn.must
    rack = table.match.state.racks[seat]
    nonsense = "".join(sorted(tile for tile in rack if tile != "?"))[:5]
    for moment in (10.0, 30.0, 59.0):
        with pytest.raises(Refused, match="not_a_word"):
            playing.act(
                table,
                people[seat],
                table.offers[seat],
                b'{"type":"place","at":"H8","word":"%s"}' % nonsense.encode(),
                moment,
            )
    assert not playing.expire(table, 59.9)
    assert [table.read_action(bytes(event.action)) for event in playing.expire(table, 60.0)] == [Pass()]


@pytest.mark.parametrize("answer", ["challenge", "accept"])
def test_S6_auto_has_no_contests(table, answer):
    assert table.code(LATER, answer) == "no_contest"
    assert table.code(LATER, answer, seat=0) == "no_contest"


def test_S6_any_well_placed_play_is_accepted_and_can_be_contested(table, window):
    assert window.stage == "challenge"
    assert GAME.turn(window).must == {1, 2}
    assert window.board == "." * 225
    assert table.code(f"{THREE} {CHALLENGE}", "A1 MOTS") == "not_on_centre"


def test_S6_contests_have_their_own_time_and_stop_the_thinking_clocks(table, window):
    assert GAME.clocks(window) == Clocks(move=30, thinking=False)
    assert GAME.clocks(table.read(START)) == UNTIMED
    longer = table.play(f"{START} {CHALLENGE},challenge_time=60", "H8 MOTS")
    assert GAME.clocks(longer).move == 60


def test_S6_every_opponent_still_playing_answers(table, window):
    assert GAME.turn(table.play(window, "2: accept")).must == {1}
    left = table.leave(f"{THREE.replace('act 0', 'act 1')} {CHALLENGE}", 0)
    assert GAME.turn(table.play(left, "8H LES")).must == {2}


def test_S6_answers_are_hidden_until_the_last_one(table, window):
    contested, accepted = table.play(window, "2: challenge"), table.play(window, "2: accept")
    for viewer in (0, 1, None):
        assert GAME.view(contested, viewer) == GAME.view(accepted, viewer)
        assert GAME.view(contested, viewer).pending.answered == (2,)
        assert GAME.seen(2, table.action("challenge"), viewer) is None
    assert GAME.view(contested, 2).pending.mine is True
    assert GAME.view(accepted, 2).pending.mine is False
    assert GAME.view(window, 2).pending.mine is None


def test_S6_an_answer_is_given_once(table, window):
    state = table.play(window, "2: accept")
    assert table.code(state, "2: challenge") == "already_answered"


def test_S6_players_cannot_answer_their_own_play(table, window):
    assert table.code(window, "0: challenge") == "own_play"
    assert table.code(window, "0: accept") == "own_play"


def test_S6_only_answers_are_legal_while_a_play_is_pending(table, window):
    assert table.code(window, "1: pass") == "answer_first"
    assert table.code(window, "1: 8H LES") == "answer_first"
    assert table.code(window, "0: pass") == "not_your_turn"
    assert table.legal(window, 1) == ["accept", "challenge"]


def test_S6_a_contest_of_a_settled_play_is_too_late(table, window):
    state = table.play(window, "1: accept", "2: accept")
    assert table.code(state, "2: challenge") == "too_late"
    assert table.code(state, "1: challenge") == "too_late"


def test_S6_a_contested_invalid_word_is_withdrawn_without_score(table, window):
    state = table.play(window, "1: accept", "2: challenge")
    assert (state.board, state.racks[0], state.scores) == ("." * 225, "AEMOSTU", (0, 0, 0))
    assert state.to_act == 1
    (move,) = state.log
    assert (move.kind, move.word, move.score, move.contesters, move.invalid) == (
        "withdrawn",
        "MOSTU",
        0,
        (2,),
        ("MOSTU",),
    )
    last = GAME.view(state, None).last
    assert (last.withdrawn, last.play.word, last.play.score, last.contesters) == (True, "MOSTU", 14, (2,))


def test_S6_a_contest_covers_all_words_of_the_play(table):
    before = f"act 1 racks AEMOSTU/AEORSTU board H8:DE {CHALLENGE}"
    state = table.play(before, "I8 SU", "challenge")  # SU and EU are words, DS is not
    assert state.log[-1].invalid == ("DS",)
    assert state.racks[1] == "AEORSTU"


def test_S6_every_contester_of_valid_words_loses_10(table):
    state = table.play(f"{THREE} {CHALLENGE}", "H8 MOTS", "2: challenge", "1: challenge")
    assert state.scores == (10, -10, -10)
    assert (state.log[-1].kind, state.log[-1].contesters) == ("place", (1, 2))
    state = table.play(f"{THREE} {CHALLENGE}", "H8 MOTS", "2: challenge", "1: accept")
    assert state.scores == (10, 0, -10)


def test_S6_an_uncontested_play_stands_valid_or_not(table, window):
    state = table.play(window, "1: accept", "2: accept")
    assert state.board[7 * 15 + 7 : 7 * 15 + 12] == "MOSTU"
    assert state.scores == (14, 0, 0)


def test_S6_tiles_are_drawn_only_once_the_play_stands(table, window):
    assert (window.racks[0], len(window.bag)) == ("AE", 102 - 21)
    assert GAME.view(window, 0).rack_sizes == (2, 7, 7)
    state = table.play(window, "1: accept", "2: accept")
    assert (len(state.racks[0]), len(state.bag)) == (7, 102 - 26)


def test_S6_a_last_play_ends_the_game_after_the_contests(table):
    state = table.play(f"act 0 racks E/A bag - scores 142/120 board H8:PORT {CHALLENGE}", "H8 PORTE")
    assert GAME.outcome(state) is None
    over = GAME.outcome(table.play(state, "challenge"))
    assert (over.reason, over.scores) == ("out", (142 + 8 + 1, 120 - 10 - 1))


def test_S6_a_withdrawn_last_play_does_not_end_the_game(table):
    state = table.play(f"act 0 racks X/A bag - board H8:PORT {CHALLENGE}", "H8 PORTX", "challenge")
    assert (GAME.outcome(state), state.racks, state.to_act) == (None, ("X", "A"), 1)


def test_S6_a_preview_does_not_show_validity(table):
    state = table.read(f"{START} {CHALLENGE}")
    good, bad = (GAME.preview(state, 0, table.action(text)) for text in ("H8 MOTUS", "H8 MOSTU"))
    assert good is not None
    assert bad is not None
    assert msgspec.structs.replace(bad, word=good.word, tiles=good.tiles, words=good.words) == good
    pending = GAME.view(table.play(state, "H8 MOSTU"), 1).pending
    assert {"valid", "invalid"}.isdisjoint(msgspec.to_builtins(pending))


def test_S6_the_tiles_of_a_withdrawn_play_are_public(table, window):
    state = table.play(window, "1: accept", "2: challenge")
    for number in range(20):
        imagined = GAME.imagine(GAME.view(state, 1), SeedChance("devine", number))
        assert not Counter("MOSTU") - Counter(imagined.racks[0])
