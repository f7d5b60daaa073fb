"""Match: the one way to run a game, and the record that plays it again."""

import pickle

import msgspec
import pytest
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.discover import UnknownGame
from tablee.core.game import Cause, Leave, Outcome, Refusal, Refused
from tablee.core.match import Match
from tablee.core.record import CannotReplay, Record, RecordStep
from tablee.games.kora.values import Options, Play

# Seat 0 leads: 2♠ 9♠ 7♦ 10♦ 2♣ against 4♠ 10♠ 4♥ 7♥ 7♣.
SEED = "x"


def start(**options):
    return Match.start("kora", seats=2, options=options, seed=SEED)


def play_out(match):
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[0])
    return match


def position(match):
    return match.game.notation.write_state(match.state)


@pytest.fixture
def finished():
    return play_out(start(deals=3))


def refuses(match, seat, action, code, **values):
    """Assert that an action is refused with a code and at least these values, and that the match stays as it was."""
    before = position(match), match.record()
    with pytest.raises(Refused) as caught:
        match.play(seat, action)
    refusal = caught.value.refusal
    assert (refusal.code, {name: refusal.values.get(name) for name in values}) == (code, values)
    assert (position(match), match.record()) == before


def test_a_match_starts_at_ply_0_with_the_game_s_first_state():
    match = start()
    assert (match.ply, match.seats, match.seed, match.outcome) == (0, 2, SEED, None)
    assert position(match) == ("deal 1 stage play banks 100/100 leader 0 stake 10 hands 2S,9S,7D,TD,2C/4S,TS,4H,7H,7C")


def test_seats_and_options_have_defaults():
    match = Match.start("kora", seed=SEED)
    assert (match.seats, match.options) == (2, Options())


def test_options_come_as_a_dict_or_as_the_struct():
    assert start(stake=5).options == Match.start("kora", options=Options(stake=5), seed=SEED).options


def test_an_unknown_game_is_named():
    with pytest.raises(UnknownGame, match="sans-nom"):
        Match.start("sans-nom", seed=SEED)


@pytest.mark.parametrize("seats", [-1, 0, 1, 3, 64])
def test_seats_out_of_range_are_refused_with_the_range(seats):
    with pytest.raises(Refused) as caught:
        Match.start("kora", seats=seats, seed=SEED)
    assert caught.value.refusal.code == "bad_seats"
    assert caught.value.refusal.values == {"seats": seats, "least": 2, "most": 2}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("deals", 2),
        ("deals", "3"),
        ("deals", True),
        ("stake", 0),
        ("stake", 10_001),
        ("stake", 1.5),
        ("bank", 0),
        ("bank", 10_001),
        ("bank", None),
        ("betting", "wild"),
        ("tricks", 5),
    ],
)
def test_a_bad_option_is_refused_with_the_name_of_its_field(field, value):
    with pytest.raises(Refused) as caught:
        start(**{field: value})
    assert (caught.value.refusal.code, caught.value.refusal.values["field"]) == ("bad_option", field)
    assert caught.value.refusal.values["problem"]


def test_a_refusal_comes_whole_out_of_a_worker_process():
    again = pickle.loads(pickle.dumps(Refused("bad_seats", seats=1, least=2)))
    assert (again.refusal, str(again)) == (
        Refusal("bad_seats", {"seats": 1, "least": 2}),
        "bad_seats(seats=1, least=2)",
    )


def test_a_badly_built_options_struct_is_refused_too():
    with pytest.raises(Refused, match=r"bad_option.*field='deals'"):
        Match.start("kora", options=Options(deals=2), seed=SEED)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [[1], "deals=3", 7])
def test_options_that_are_no_object_are_refused(options):
    with pytest.raises(Refused, match="bad_option"):
        Match.start("kora", options=options, seed=SEED)


def test_turn_names_the_seat_that_the_game_waits_for():
    match = start()
    assert (match.turn.must, match.turn.may, match.turn.stage) == ({0}, frozenset(), "play")
    match.play(0, Play("7D"))
    assert match.turn.must == {1}
    play_out(match)
    assert (match.turn.must, match.turn.stage) == (frozenset(), "over")


def test_legal_lists_the_actions_of_a_seat_and_nothing_for_the_others():
    match = start()
    assert match.legal(0) == [Play("2S"), Play("9S"), Play("7D"), Play("TD"), Play("2C")]
    assert match.legal(1) == []


def test_play_takes_the_struct_or_its_json_dict():
    struct, json = start(), start()
    struct.play(0, Play("9S"))
    json.play(0, {"type": "play", "card": "9S"})
    assert (struct.state, struct.steps) == (json.state, json.steps)
    assert struct.ply == 1


def test_every_listed_action_can_be_played_from_its_json():
    for action in start().legal(0):
        match = start()
        match.play(0, msgspec.json.decode(msgspec.json.encode(action)))
        assert match.steps[0].action == action


def test_view_is_the_seat_s_own():
    match = start()
    assert [held.card for held in match.view(0).hand] == ["2S", "9S", "7D", "TD", "2C"]
    assert [held.card for held in match.view(1).hand] == ["4S", "TS", "4H", "7H", "7C"]
    assert match.view(None).hand == ()


def test_not_your_turn_is_refused():
    refuses(start(), 1, Play("4S"), "not_your_turn")


def test_a_seat_that_does_not_exist_is_refused():
    for seat in (2, -1):
        refuses(start(), seat, Play("4S"), "no_such_seat")


def test_a_reserved_action_is_refused_to_a_player():
    for seat in (0, 1):
        refuses(start(), seat, Leave(), "reserved")
        refuses(start(), seat, {"type": "leave"}, "reserved")


def test_no_action_is_legal_after_the_end():
    match = play_out(start())
    for action in (Play("2S"), Leave(), {"type": "accept"}):
        refuses(match, 0, action, "over")


def test_a_rule_of_the_game_refuses_with_its_own_code_and_values():
    match = start()
    refuses(match, 0, Play("KH"), "not_in_hand", card="KH")
    refuses(match, 0, {"type": "accept"}, "wrong_stage", stage="play")
    match.play(0, Play("9S"))
    refuses(match, 1, Play("7H"), "must_follow", card="7H", led="9S")


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "fly"}, "type"),
        ({"type": "play", "card": "ZZ"}, "card"),
        ({"type": "play", "card": 7}, "card"),
        ({"type": "play", "card": "2S", "cheat": 1}, "cheat"),
        ({"type": "propose", "stake": 0}, "stake"),
        ({"type": "play"}, "card"),
        ({"card": "2S"}, "type"),
        ("2S", ""),
        (None, ""),
        ([], ""),
    ],
    ids=str,
)
def test_a_malformed_action_is_refused_with_the_name_of_its_field(action, field):
    refuses(start(), 0, action, "bad_action", field=field)


def test_a_refusal_reads_well():
    with pytest.raises(Refused) as caught:
        start().play(0, Play("KH"))
    assert str(caught.value) == "not_in_hand(card='KH')"


def test_the_clock_plays_the_fallback_and_says_why():
    match = start()
    match.act_for(0, Cause.CLOCK)
    assert [(step.seat, step.action, step.cause) for step in match.steps] == [(0, Play("2C"), Cause.CLOCK)]
    assert match.turn.must == {1}


@pytest.mark.parametrize("cause", [Cause.LEAVE, Cause.RESIGN])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_may_leave_or_resign_in_turn_or_not(seat, cause):
    match = start()
    match.act_for(seat, cause)
    assert match.steps[-1].action == Leave()
    assert match.outcome == Outcome((100, 100), (2, 1) if seat == 0 else (1, 2), "left")


@pytest.mark.parametrize(
    ("seat", "cause", "code"),
    [(1, Cause.CLOCK, "not_your_turn"), (2, Cause.LEAVE, "no_such_seat"), (-1, Cause.CLOCK, "no_such_seat")],
)
def test_the_table_acts_only_for_a_seat_that_there_is_and_that_is_waited_for(seat, cause, code):
    match = start()
    before = position(match)
    with pytest.raises(Refused, match=code):
        match.act_for(seat, cause)
    assert (position(match), match.ply) == (before, 0)


def test_the_table_cannot_act_after_the_end():
    match = play_out(start())
    before = position(match), match.outcome
    for cause in Cause:
        with pytest.raises(Refused, match="over"):
            match.act_for(0, cause)
    assert (position(match), match.outcome) == before


def test_ply_k_draws_from_the_chance_of_ply_k():
    """The tenth card ends deal 1: deal 2 is dealt from the seed at ply 10, the setup at ply 0."""
    match = start(deals=3)
    assert match.state == match.game.setup(2, match.options, SeedChance(SEED, 0))
    for _ in range(9):
        match.play(min(match.turn.must), match.legal(min(match.turn.must))[0])
    before, seat = match.state, min(match.turn.must)
    last = match.legal(seat)[0]
    match.play(seat, last)
    assert (match.ply, match.state.deal) == (10, 2)
    assert match.state == match.game.apply(before, seat, last, SeedChance(SEED, 10))


def test_a_record_holds_the_seed_and_the_actions_as_on_the_wire(finished):
    record = finished.record()
    assert (record.game, record.version, record.seats, record.seed) == ("kora", 1, 2, SEED)
    assert record.options == {"deals": 3, "stake": 10, "bank": 100, "betting": "fixed"}
    assert record.steps[0] == RecordStep(0, {"type": "play", "card": "2S"})
    assert (len(record.steps), record.outcome) == (finished.ply, finished.outcome)


def test_a_record_survives_json(finished):
    record = finished.record()
    assert Record.from_json(record.to_json()) == record
    assert Record.from_json(record.to_json().decode()).to_json() == record.to_json()


def test_replay_leads_to_the_same_state_turn_and_record(finished):
    again = Match.replay(Record.from_json(finished.record().to_json()))
    assert (again.state, again.turn, again.steps) == (finished.state, finished.turn, finished.steps)
    assert again.record() == finished.record()


def test_an_unfinished_match_replays_and_goes_on_as_the_live_one_does():
    live = start(deals=3)
    for _ in range(13):
        live.play(min(live.turn.must), live.legal(min(live.turn.must))[-1])
    assert live.outcome is None
    assert play_out(Match.replay(live.record())).state == play_out(live).state


def test_forced_steps_replay():
    match = start(deals=3)
    for _ in range(4):
        match.act_for(min(match.turn.must), Cause.CLOCK)
    match.act_for(1, Cause.LEAVE)
    again = Match.replay(Record.from_json(match.record().to_json()))
    assert (again.steps, again.outcome) == (match.steps, Outcome((100, 100), (1, 2), "left"))


def refused_replay(record):
    with pytest.raises(CannotReplay) as caught:
        Match.replay(record)
    return str(caught.value)


def with_step(record, ply, **changes):
    steps = list(record.steps)
    steps[ply - 1] = replace(steps[ply - 1], **changes)
    return replace(record, steps=tuple(steps))


def test_replay_refuses_other_rules_by_version(finished):
    assert refused_replay(replace(finished.record(), version=2)) == ("kora was played under rules 2; these are rules 1")


def test_replay_refuses_an_unknown_game(finished):
    assert "'sans-nom'" in refused_replay(replace(finished.record(), game="sans-nom"))


def test_replay_refuses_a_changed_action_and_names_the_step(finished):
    problem = refused_replay(with_step(finished.record(), 4, action={"type": "play", "card": "KH"}))
    assert problem.startswith("step 4 (seat ")
    assert "not_in_hand(card='KH')" in problem


def test_replay_refuses_another_seat_s_name_on_a_step(finished):
    assert "step 1 (seat 1" in refused_replay(with_step(finished.record(), 1, seat=1))


def test_replay_refuses_a_malformed_action(finished):
    assert "step 2" in refused_replay(with_step(finished.record(), 2, action={"type": "fly"}))


def test_replay_refuses_a_changed_seed(finished):
    assert "step 1 " in refused_replay(replace(finished.record(), seed="y"))


@pytest.mark.parametrize(
    "outcome", [None, Outcome((130, 70), (1, 2), "bank"), Outcome((0, 200), (2, 1), "deals")], ids=str
)
def test_replay_refuses_a_forged_outcome(finished, outcome):
    problem = refused_replay(replace(finished.record(), outcome=outcome))
    assert str(outcome) in problem
    assert str(finished.outcome) in problem


def test_replay_refuses_an_outcome_before_the_end():
    record = replace(start().record(), outcome=Outcome((110, 90), (1, 2), "deals"))
    assert "the rules with None" in refused_replay(record)


def test_replay_refuses_a_step_after_the_end(finished):
    record = finished.record()
    assert "over()" in refused_replay(replace(record, steps=(*record.steps, record.steps[-1])))


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (RecordStep(0, {"type": "play", "card": "9S"}, Cause.CLOCK), "not_the_fallback"),  # the lowest is 2♣
        (RecordStep(0, {"type": "play", "card": "2C"}, Cause.LEAVE), "not_the_fallback"),
        (RecordStep(1, {"type": "play", "card": "4H"}, Cause.CLOCK), ""),  # the match waits for seat 0
        (RecordStep(0, {"type": "leave"}, Cause.CLOCK), "not_the_fallback"),  # the clock never abandons
        (RecordStep(2, {"type": "leave"}, Cause.LEAVE), "no_such_seat"),
        (RecordStep(0, {"type": "leave"}), "reserved"),
    ],
    ids=str,
)
def test_replay_refuses_a_step_that_the_table_would_not_have_played(step, why):
    outcome = Outcome((100, 100), (2, 1), "left") if step.action["type"] == "leave" else None
    problem = refused_replay(replace(start().record(), steps=(step,), outcome=outcome))
    assert problem.startswith("step 1 ")
    assert why in problem


def test_replay_refuses_seats_and_options_that_cannot_begin(finished):
    assert "bad_seats" in refused_replay(replace(finished.record(), seats=5))
    assert "field='deals'" in refused_replay(replace(finished.record(), options={"deals": 4}))


def test_a_record_with_an_unknown_field_is_not_read(finished):
    data = msgspec.json.decode(finished.record().to_json())
    with pytest.raises(msgspec.ValidationError, match="note"):
        Record.from_json(msgspec.json.encode({**data, "note": "hello"}))
    data["steps"][0]["note"] = "hello"
    with pytest.raises(msgspec.ValidationError, match=r"note.*\$\.steps"):
        Record.from_json(msgspec.json.encode(data))


def test_a_record_cut_short_is_not_read(finished):
    with pytest.raises(msgspec.DecodeError):
        Record.from_json(finished.record().to_json()[:-2])
