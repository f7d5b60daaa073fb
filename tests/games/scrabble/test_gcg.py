"""GCG: writing files for other programs, and reading theirs as replays."""

import inspect
import re
from pathlib import Path

import msgspec
import pytest

from tablee.core.discover import find
from tablee.core.game import Cause, Leave
from tablee.core.match import Match, Step
from tablee.core.replay import CannotRead, FileScore, Remark
from tablee.games.scrabble import gcg, gcg_reading
from tablee.games.scrabble.board import PLACES, value_of
from tablee.games.scrabble.gcg_reading import read, read_square
from tablee.games.scrabble.gcg_writing import write, write_square
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Accept, Challenge, Exchange, Options, Pass, Place
from tablee.games.scrabble.view import adjustments

GAME = Scrabble()
FILES = Path(__file__).parent / "gcg"

WHOLE = """\
#character-encoding UTF-8
#player1 Alice Alice Martin
#player2 Bob Bob
#title Une partie
>Alice: AEMOSTU 8H MOTS +10 10
#note un bon début
sur deux lignes
>Bob: ?EELRTU K8 .EuLE +8 8
"""

SHORT = """\
#player1 alice Alice Martin
#player2 bob Bob
"""

PLAYED = f"""{SHORT}>alice: AEMOSTU 8H MOTS +10 10
"""


def test_scrabble_has_the_format():
    assert set(find("scrabble").formats) == {"gcg"}


@pytest.mark.parametrize(
    ("ours", "theirs"), [("H8", "8H"), ("8H", "H8"), ("H12", "8L"), ("12H", "L8"), ("A15", "1O"), ("1O", "A15")]
)
def test_rows_are_numbers_and_columns_letters_the_other_way_round(ours, theirs):
    assert write_square(ours) == theirs
    assert read_square(theirs) == ours


def test_every_square_has_its_name_in_both():
    assert {read_square(write_square(at)) for at in PLACES} == set(PLACES)
    assert all(read_square(write_square(at)) == at for at in PLACES)
    assert read_square("16A") is read_square("P1") is read_square("0A") is None


def begun_by(seat, **options):
    """Return a match that a seat begins."""
    seeds = (f"gcg {number}" for number in range(20))
    matches = (Match(GAME, 2, Options(**options), seed) for seed in seeds)
    return next(match for match in matches if match.state.starter == seat)


def lines(match, names=("Alice Martin", "Bob")):
    return write(match, names).splitlines()


@pytest.mark.parametrize("first", [0, 1])
def test_the_head_names_encoding_players_lexicon_and_tiles_the_beginner_first(first):
    match = begun_by(first)
    players = [("Alice_Martin", "Alice Martin"), ("Bob", "Bob")]
    assert lines(match) == [
        "#character-encoding UTF-8",
        "#player1 {} {}".format(*players[first]),
        "#player2 {} {}".format(*players[1 - first]),
        f"#lexicon {match.options.lexicon}",
        "#note LetterDistribution: french",
    ]


@pytest.mark.parametrize(
    ("names", "players"),
    [
        (["Zoé", "Zoé"], ["#player1 Zoé Zoé", "#player2 Zoé_ Zoé"]),
        (["a:b >c", "#d\ne"], ["#player1 a_b_c a:b >c", "#player2 _d_e #d e"]),
        ([], ["#player1 Joueur_1 Joueur 1", "#player2 Joueur_2 Joueur 2"]),
        (["", "  "], ["#player1 Joueur_1 Joueur 1", "#player2 Joueur_2 Joueur 2"]),
    ],
)
def test_nicknames_have_no_spaces_and_are_all_different(names, players):
    assert lines(begun_by(0), names)[1:3] == players


def test_plays_exchanges_passes_withdrawn_plays_contests_and_the_end():
    match = begun_by(0, validation="challenge")
    rack, other = match.state.racks
    phoney = "".join(sorted(rack, reverse=True))[:5]
    match.play(0, Place("H8", phoney))
    tried = match.state.pending.play.score
    match.play(1, Challenge())
    assert match.state.log[-1].kind == "withdrawn"
    words = [action for action in match.legal(1) if isinstance(action, Place) and action.at == "H8"]
    match.play(1, words[0])
    score = match.state.pending.play.score
    match.play(0, Challenge())
    after = match.state.racks[1]
    match.play(0, Exchange(rack[:2]))
    match.play(1, Pass())
    for turn in range(5):
        match.act_for(turn % 2, Cause.CLOCK)
    assert match.outcome.reason == "passes"
    final = match.state.racks[0]
    lost = [-change for change in match.view(None).final.adjustments]
    assert lines(match, ["A", "B"])[5:] == [
        f">A: {rack} 8H {phoney} +{tried} {tried}",
        f">A: {rack} --  -{tried} 0",
        "#note contested by B",
        f">B: {other} 8H {words[0].word} +{score} {score}",
        f">A: {rack} (challenge) -10 -10",
        f">A: {rack} -{rack[:2]} +0 -10",
        f">B: {after} - +0 {score}",
        *[f">A: {final} - +0 -10", f">B: {after} - +0 {score}"] * 2,
        f">A: {final} - +0 -10",
        f">A: {final} ({final}) -{lost[0]} {-10 - lost[0]}",
        f">B: {after} ({after}) -{lost[1]} {score - lost[1]}",
    ]
    assert GAME.outcome(read(write(match, ["A", "B"])).states[-1]) == match.outcome


def finished():
    """Return a whole game that ends with a player going out."""
    match = Match(GAME, 2, Options(), "longue 3")
    while match.outcome is None:
        (seat,) = match.turn.must
        plays = [action for action in match.legal(seat) if isinstance(action, Place)]
        best = max(plays, key=lambda action: (GAME.preview(match.state, seat, action).score, action.word), default=None)
        match.advance(Step(seat, best or Pass()))
    assert match.outcome.reason == "out"
    return match


def test_the_last_line_pays_the_player_who_goes_out():
    match = finished()
    winner = match.state.log[-1].seat
    rack = match.state.racks[1 - winner]
    gained = match.view(None).final.adjustments[winner]
    *_, lost, paid = lines(match, ["Alice", "Bob"])
    names = ["Alice", "Bob"]
    assert lost == f">{names[1 - winner]}: {rack} ({rack}) -{gained} {match.outcome.scores[1 - winner]}"
    assert paid == f">{names[winner]}:  ({rack}) +{gained} {match.outcome.scores[winner]}"
    replay = read(write(match, names))
    assert replay.outcome.reason == "out"
    assert sorted(replay.outcome.scores) == sorted(match.outcome.scores)
    assert len(replay.states) == len(replay.steps) + 1 == match.ply + 1


def test_a_file_of_another_program_is_replayed_with_its_tiles():
    replay = read(WHOLE)
    assert replay.names == ("Alice Martin", "Bob")
    assert replay.steps == (Step(0, Place("H8", "MOTS")), Step(1, Place("11H", "SEuLE")))
    assert replay.states[0].racks == ("AEMOSTU", "?EELRTU")
    assert [state.scores for state in replay.states] == [(0, 0), (10, 0), (10, 8)]
    assert replay.outcome is None


def test_the_example_of_the_module_can_be_read():
    example = [line.strip() for line in gcg.__doc__.splitlines() if line.startswith("    ")]
    replay = read("\n".join(example))
    assert [step.action for step in replay.steps if isinstance(step.action, Challenge)] == [Challenge()] * 2
    assert replay.outcome.scores == (16, -13)


def test_letters_that_were_there_may_be_dots_themselves_or_in_brackets():
    for spelled in (".EL", "SEL", "(S)EL"):
        replay = read(f"{PLAYED}>bob: AEELRTU K8 {spelled} +3 3\n")
        assert replay.steps[-1] == Step(1, Place("11H", "SEL"))


def test_a_joker_is_lower_case():
    replay = read(f"{SHORT}>alice: ?AEOSTU 8H mOTS +6 6\n")
    assert replay.states[-1].board[112:116] == "mOTS"


def test_racks_may_be_partly_known_or_not_at_all():
    replay = read(f"{SHORT}>alice: MOTS 8H MOTS +10 10\n>bob: K8 .EL +3 3\n>alice:  - +0 10\n")
    assert [state.scores for state in replay.states] == [(0, 0), (10, 0), (10, 3), (10, 3)]
    assert replay.states[1].racks == ("", "EL")


def test_an_exchange_may_have_only_the_number_of_tiles():
    replay = read(f"{SHORT}>alice: AEMOSTU -3 +0 0\n>bob: AEIRSTU - +0 0\n")
    assert replay.steps[0] == Step(0, Exchange("___"))
    assert replay.states[-1].log[0].count == 3


def test_a_withdrawn_play_is_replayed_with_its_contest():
    replay = read(f"{PLAYED}>bob: AEELRTU K8 .L +2 2\n>bob: AEELRTU --  -2 0\n>alice: AEIIRTU - +0 10\n")
    assert replay.options.validation == "challenge"
    actions = [step.action for step in replay.steps]
    assert actions == [Place("H8", "MOTS"), Accept(), Place("11H", "SL"), Challenge(), Pass()]
    assert replay.states[-1].scores == (10, 0)
    assert replay.states[-1].log[1].kind == "withdrawn"


def test_a_wrong_contest_costs_10():
    replay = read(f"{PLAYED}>bob: AEELRTU (challenge) -10 -10\n>bob: AEELRTU - +0 -10\n")
    assert replay.states[-1].scores == (10, -10)
    assert [step.action for step in replay.steps[:2]] == [Place("H8", "MOTS"), Challenge()]


@pytest.mark.parametrize("contesters", [{1}, {2}, {1, 2}])
def test_the_contesters_among_three_players_are_noted(contesters):
    seeds = (f"trois {number}" for number in range(20))
    matches = (Match(GAME, 3, Options(validation="challenge"), seed) for seed in seeds)
    match = next(match for match in matches if match.state.starter == 0)
    match.play(0, Place("H8", "".join(sorted(match.state.racks[0], reverse=True))[:5]))
    for seat in (1, 2):
        match.play(seat, Challenge() if seat in contesters else Accept())
    assert match.state.log[-1].kind == "withdrawn"
    replay = read(write(match, ["A", "B", "C"]))
    assert replay.states[-1].log == match.state.log
    assert [step.action for step in replay.steps] == [step.action for step in match.steps]


@pytest.mark.parametrize("note", ["contested by nobody", "contested by bob", "chloe left the game", "contested by"])
def test_other_notes_are_ignored(note):
    replay = read(f"{PLAYED}>bob: AEELRTU K8 .L +2 2\n>bob: AEELRTU --  -2 0\n#note {note}\n>alice: AEU - +0 10\n")
    assert replay.states[-1].log[1].contesters == (0,)


def test_points_of_other_rules_count_and_get_a_remark():
    replay = read(
        f"{PLAYED}>alice: AEU (challenge) +5 15\n>bob: EL K8 .EL +3 3\n>bob: (time) -20 -17\n"
        ">bob:  (AEU) +6 -11\n>alice: AEU (time) -10 5\n"
    )
    assert [state.scores for state in replay.states] == [(0, 0), (15, 0), (15 - 10, -17 + 6)]
    assert replay.remarks == (
        Remark(1, 0, "(challenge) +5"),
        Remark(2, 1, "(time) -20"),
        Remark(2, 0, "(time) -10"),
    )


@pytest.mark.parametrize("at", ["k8", "K8"])
def test_columns_may_be_small_letters(at):
    assert read(f"{PLAYED}>bob: AEELRTU {at} .EL +3 3\n").steps[-1] == Step(1, Place("11H", "SEL"))


def test_an_exchange_may_come_without_a_rack():
    replay = read(f"{SHORT}>alice: -MO? +0 0\n>bob: AEIRSTU - +0 0\n")
    assert replay.steps[0] == Step(0, Exchange("?MO"))
    assert replay.states[0].racks[0] == "?MO"


@pytest.mark.parametrize(
    "comment", ["  un bon coup", " #note joli", "\n#note 8E JOLI\nsur deux lignes", "\n#NOTE joli\nx"]
)
def test_a_move_may_have_a_comment(comment):
    replay = read(f"{SHORT}>alice: AEMOSTU 8H MOTS +10 10{comment}\n>bob: AE - +0 0\n")
    assert replay.states[-1].scores == (10, 0)


def test_players_may_come_in_any_order():
    replay = read("#Player2 bob Bob\n#PLAYER1 alice Alice Martin\n>alice: AEMOSTU 8H MOTS +10 10\n>bob: AE - +0 0\n")
    assert replay.names == ("Alice Martin", "Bob")
    assert replay.states[-1].scores == (10, 0)


def sample(name):
    return read((FILES / f"{name}.gcg").read_text("utf-8"))


def test_the_score_of_a_file_with_english_rules_is_its_own():
    replay = sample("english_end")
    assert replay.outcome.reason == "out"
    assert replay.outcome.scores == (10, 9)
    assert replay.file_score == FileScore((10, 9), "gained_twice")
    assert GAME.view(replay.states[-1], None).final.adjustments == (0, 6)


@pytest.mark.parametrize(
    ("ending", "scores", "rule"),
    [
        (">alice: AEU (AEU) -3 7\n>bob:  (AEU) +3 6\n", (7, 6), "lost_and_gained"),
        (">bob: (AEU) +3 6\n>alice: AEU (AEU) -3 7\n", (7, 6), "lost_and_gained"),
        (">bob: (AEU) +3 6\n", (10, 6), "gained"),
        (">bob: (AEU) +6 9\n", (10, 9), "gained_twice"),
        (">alice: AEU (AEU) -3 7\n", (7, 3), "lost"),
        (">alice: AEU (AEU) -6 4\n", (4, 3), "lost_twice"),
        (">alice: AEU (AEU) -3 7\n>bob: (AEU) +6 9\n", (7, 9), "other"),
        (">bob: (AEU) +6 9\n>bob: (time) -10 -1\n", (10, -1), "gained_twice"),
    ],
)
def test_the_rule_for_the_tiles_left_is_named(ending, scores, rule):
    replay = read(f"{PLAYED}>bob: EL K8 .EL +3 3\n{ending}")
    assert replay.outcome.scores == scores
    assert replay.file_score == FileScore(scores, rule)


def test_a_file_that_does_not_end_has_no_final_score():
    assert read(PLAYED).file_score is None


def test_a_wrong_total_at_the_end_is_refused():
    with pytest.raises(CannotRead, match=r"line 5: \(AEU\) \+6: the total is 9, not 10"):
        read(f"{PLAYED}>bob: EL K8 .EL +3 3\n>bob: (AEU) +6 10\n")


def test_a_whole_game_may_end_with_another_rule_or_with_none():
    match = finished()
    *played, _, _ = lines(match, ["Alice", "Bob"])
    winner = match.state.log[-1].seat
    rack = match.state.racks[1 - winner]
    worth = value_of(rack)
    scores = [score - change for score, change in zip(match.state.scores, adjustments(match.state), strict=True)]
    name, other = ("Alice", "Bob") if winner == 0 else ("Bob", "Alice")
    paid = f">{name}:  ({rack}) +{2 * worth} {scores[winner] + 2 * worth}"
    passed = f">{other}: {rack} - +0 {scores[1 - winner]}"
    for ending, gained, rule in (
        ([paid], 2 * worth, "gained_twice"),
        ([passed, paid], 2 * worth, "gained_twice"),
        ([], 0, "not_counted"),
        ([passed], 0, "not_counted"),
    ):
        replay = read("\n".join([*played, *ending]))
        assert replay.outcome.reason == "out"
        assert sorted(replay.outcome.scores) == sorted([scores[winner] + gained, scores[1 - winner]])
        assert replay.file_score.rule == rule
        assert len(replay.steps) == match.ply


def test_quackle_writes_two_signs_and_unknown_racks():
    replay = sample("quackle")
    assert replay.outcome.reason == "passes"
    assert replay.outcome.scores == (12, -2)
    assert replay.file_score == FileScore((12, -2), "lost")
    assert replay.remarks == (Remark(1, 0, "(challenge) +5"),)


def test_the_older_form_takes_back_a_play_or_loses_a_turn():
    replay = sample("older")
    assert [move.kind for move in replay.states[-1].log] == ["place", "withdrawn", "pass", "place", "pass", "pass"]
    assert replay.states[-1].scores == (10, 3)


def test_the_older_form_may_give_a_withdrawn_play_no_points():
    replay = read(f"{PLAYED}>bob: AEELRTU K8 .L +0 0\n>bob: AEELRTU -- +0 0\n>alice: AEIIRTU - +0 10\n")
    assert [move.kind for move in replay.states[-1].log] == ["place", "withdrawn", "pass"]


def test_a_pass_after_the_last_play_is_no_turn():
    replay = sample("pass_after_out")
    assert len(replay.steps) == 2
    assert replay.outcome.scores == (10, 9)
    assert replay.states[-1].racks == ("AEU", "")


def test_placeholders_for_racks_are_unknown_racks():
    replay = sample("placeholders")
    assert replay.steps[1] == Step(1, Place("11H", "SEL"))
    assert [state.racks[1] for state in replay.states][:3] == ["EL", "EL", ""]
    assert len(replay.steps) == 8


@pytest.mark.parametrize("play", ["K8 .EL +4 4", "A1 EL +2 2", "K8 .EL +3 4"])
def test_a_placeholder_hides_no_contradiction(play):
    with pytest.raises(CannotRead, match="line 4"):
        read(f"{PLAYED}>bob: ??????? {play}\n")


def test_a_player_leaves():
    match = Match(GAME, 3, Options(), "départ")
    match.play(match.state.to_act, Pass())
    match.act_for(match.state.to_act, Cause.LEAVE)
    match.play(match.state.to_act, Pass())
    text = write(match, ["Alice", "Bob", "Chloé"])
    assert text.count("left the game") == 1
    replay = read(text)
    assert [type(step.action) for step in replay.steps] == [Pass, Leave, Pass]


def test_line_ends_and_byte_order_marks_are_read():
    replay = read("\ufeff" + PLAYED.replace("\n", "\r\n"))
    assert replay.states[-1].scores == (10, 0)


BROKEN = [
    ("", "found 0"),
    ("#player1 alice Alice\n>alice: AE - +0 0\n", "found 1"),
    (SHORT, "found no turn"),
    ("hello\n", "line 1: a line must begin with"),
    ("#player1\n", "line 1: '#player1 ': .*a different name"),
    ("#player1 a A\n#player2 a B\n", "line 2: .*a different name"),
    ("#player5 a A\n", "line 1: .*numbered from 1"),
    ("#player1 a A\n#player1 b B\n", "line 2: .*numbered from 1"),
    ("#player1 a A\n#player3 b B\n>a: AE - +0 0\n", "found 2"),
    (f"{SHORT}>chloe: AE - +0 0\n", "line 3: unknown player 'chloe'; this file names alice, bob"),
    (f"{SHORT}>alice AE - +0 0\n", "line 3: this is not a turn"),
    (f"{SHORT}>alice: AE 8H MOTS\n", "line 3: this is not a turn"),
    (f"{SHORT}>alice: AEMOSTU 16A MOTS +10 10\n", "line 3: 16A MOTS: this square does not exist"),
    (f"{SHORT}>alice: AEMOSTU 8M MOTS +10 10\n", "line 3: 8M MOTS: .*does not fit"),
    (f"{SHORT}>alice: AEMOSTU 1A MOTS +10 10\n", "line 3: 1A MOTS: not on centre"),
    (f"{SHORT}>alice: AEIRSTU 8H MOTS +10 10\n", "line 3: 8H MOTS: not on rack"),
    (f"{SHORT}>alice: AEMOSTU 8H MOTS +12 12\n", "line 3: 8H MOTS: this play scores 10 with French tiles, not 12"),
    (f"{SHORT}>alice: AEMOSTU 8H MOTS +10 11\n", "line 3: 8H MOTS: the total is 10, not 11"),
    (f"{SHORT}>alice: AEMOSTU - +0 1\n", "line 3: pass: the total is 0, not 1"),
    (f"{SHORT}>alice: AEMOSTU -XY +0 0\n", "line 3: XY is not all on the rack AEMOSTU"),
    (f"{PLAYED}>alice: AEMOSTU - +0 10\n", "line 4: it is the turn of player 2, not of 1"),
    (f"{PLAYED}>bob: AEELRTU K8 .. +3 3\n", "line 4: K8 ..: .*does not fit"),
    (f"{PLAYED}>bob: AEELRTU K9 EL +3 3\n", "line 4: K9 EL: .*only a part of its word"),
    (f"{PLAYED}>bob: AEELRTU 1A LE +2 2\n", "line 4: 1A LE: not touching"),
    (f"{PLAYED}>bob: AEELRTU --  -10 0\n", "line 4: .*not the last one"),
    (f"{PLAYED}>alice: AEELRTU --  -9 0\n", "line 4: .*not the last one"),
    (f"{PLAYED}>alice: AEELRTU (challenge) +5 16\n", r"line 4: \(challenge\) \+5: the total is 15, not 16"),
    (f"{SHORT}>bob: AEELRTU (time) -10 -10\n", r"line 3: \(time\) -10 comes before the first turn"),
    (f"{SHORT}>alice: AEMOSTU 8H MOTS +{'1' * 5000} 10\n", "line 3: this is not a turn"),
    (f"{SHORT}>alice: AEMOSTU {'8' * 5000}H MOTS +10 10\n", "line 3: this is not a turn"),
    (f"{SHORT}>alice: AEMOSTU 8H MOTS +10 ١٠\n", "line 3: this is not a turn"),
    (f"{SHORT}>alice: AEMOSTU 8H MO)TS +10 10\n", "line 3: this is not a turn"),
    (f"{SHORT}>alice: (AE) -2 -2\n", r"line 3: \(AE\) -2 comes before the first turn"),
    (f"{PLAYED}>alice: AEELRTU -- +0 10\n", "line 4: .*not the last one"),
    (f"{PLAYED}>bob: EL K8 .EL +3 3\n>bob: (AEU) +6 9\n>alice: AEU 8K .A +2 12\n", "line 6: the game is over"),
    (f"{PLAYED}>bob: KK - +0 0\n", "more tiles of a letter"),
    (f"{PLAYED}>bob: AE (AE) -5 -5\n", "line 4: the tiles AE are worth 2, not 5"),
    (f"{SHORT}" + ">alice: A - +0 0\n>bob: E - +0 0\n" * 4, "line 9: the game is over"),
]


@pytest.mark.parametrize(("text", "problem"), BROKEN)
def test_a_bad_file_gets_an_error_with_line_and_problem(text, problem):
    with pytest.raises(CannotRead, match=problem):
        read(text)


def reason(text):
    with pytest.raises(CannotRead) as caught:
        read(text)
    return caught.value.why.code


def test_every_reason_is_tested():
    found = re.findall(r'Refusal\(\s*"(\w+)"', Path(gcg_reading.__file__).read_text("utf-8"))
    assert {*found, "not_on_rack", "not_on_centre", "not_touching"} == {reason(text) for text, _ in BROKEN}


@pytest.mark.parametrize("text", ["\x00\xff\x00", "PK\x03\x04" * 50, "A" * 100_000, ">" * 10_000, "#" * 10_000])
def test_any_other_file_is_refused_with_a_short_error(text):
    with pytest.raises(CannotRead) as caught:
        read(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "line", [">alice:{0}x", ">alice: AE{0}x", ">alice: 8H MOTS +10{0}x", ">alice: (time){0}x", ">{1}x", ">alice: {2}x"]
)
def test_a_malicious_line_is_read_in_linear_time(line):
    """A pattern that backtracks would take hours for these lines and block the server."""
    million = 1 << 20
    with pytest.raises(CannotRead, match="line 3"):
        read(SHORT + line.format(" " * million, ":" * million, "A" * million))


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_rule_for_the_tiles_left_has_its_words(language):
    texts = Path(__file__).parents[3] / "web" / "src" / "games" / "scrabble" / f"{language}.json"
    rules = set(re.findall(r'"((?:lost|gained|not|other)\w*)"', inspect.getsource(gcg_reading.file_score)))
    assert len(rules) == 7
    assert {f"file_rules.{rule}" for rule in rules} <= msgspec.json.decode(texts.read_bytes()).keys()
