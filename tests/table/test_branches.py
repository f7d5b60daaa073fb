"""A table whose match goes on from a moment of another match."""

from table_log import Log

from tablee.core.fairness import verify
from tablee.core.match import Match
from tablee.core.record import Record
from tablee.table import Table, dealing, hosting, proposals
from tablee.table.events import Branch
from tablee.table.history import finished, played


def finished_record(game: str) -> Record:
    log = Log(game)
    log.do(lambda table: hosting.seat_bot(table, "alix", 1, "facile"))
    log.start("avant")
    log.act_to_the_end()
    return played(log.events)[0].record()


def branched(game: str, ply: int) -> tuple[Log, Record]:
    """A table whose match goes on from a ply of a finished one."""
    record = finished_record(game)
    match = Match.branch(record, ply, "")
    log = Log(game)
    log.do(lambda table: hosting.seat_bot(table, "alix", 1, "facile"))
    log.do(lambda table: dealing.hide_secret(table, "5ec2e7"))
    branch = Branch(match.origins, record.steps[:ply], "ABCDEF-1")
    log.do(lambda table: dealing.start(table, "alix", "après", branch))
    return log, record


def test_a_branch_is_the_same_table_after_a_restart_and_leaves_a_sound_record() -> None:
    log, record = branched("kora", 4)
    table = log.table
    assert table.match is not None
    assert table.match.state == Match.branch(record, 4, "").state
    assert table.offers == {min(table.turn.must): 4}
    log.act()
    again = Table.restore("ABCDEF", log.events)
    assert again.match is not None
    assert (again.match.state, again.match.steps, again.offers) == (table.match.state, table.match.steps, table.offers)
    log.act_to_the_end()
    (one,) = played(log.events)
    assert one.finish() == log.over[0]
    kept = one.record()
    assert kept.steps[:4] == record.steps[:4]
    assert not [check for check in verify(kept) if check.ok is False]
    assert verify(kept)[1].detail.endswith("draws up to ply 4 follow from earlier seeds")


def test_a_branch_is_never_rated_and_its_rematch_is_an_ordinary_match() -> None:
    log, _ = branched("kora", 2)
    log.table.rated = log.table.played_for_ratings = True
    log.act_to_the_end()
    assert not finished(log.table).rated
    log.do(lambda table: dealing.ask_rematch(table, "alix", "ensuite"))
    assert log.table.dealt is not None
    assert log.table.dealt.branch is None
    log.act_to_the_end()
    assert finished(log.table).rated


def test_moves_of_a_branch_and_before_it_can_be_taken_back() -> None:
    log, record = branched("dames", 6)
    log.do(lambda table: proposals.propose(table, "alix", "take_back", None, {"alix"}))
    assert log.table.match is not None
    assert log.table.match.state == Match.branch(record, 4, "").state
    log.act()
    assert played(log.events)[0].play().state == log.table.match.state
    assert Table.restore("ABCDEF", log.events).match.state == log.table.match.state
