"""The commitment to a deal, its salts and its secret."""

from evening import ANNE, BASILE, CLAIRE, Evening, refusal

from tablee.core.fairness import commitment, seed_of
from tablee.table import dealing, seating
from tablee.table.events import (
    Salted,
    Secret,
    Started,
)


def test_a_deal_is_salted_and_matches_its_commitment() -> None:
    evening = Evening("kora")
    table = evening.table
    assert refusal(dealing.salt, table, ANNE, "ab") == "no_commitment"
    evening.do(dealing.hide_secret(table, "5ec2e7"))
    assert evening.log[-1] == Secret("5ec2e7")
    assert dealing.hide_secret(table, "another") == []
    promised = table.commit
    assert promised == commitment("5ec2e7")
    evening.do(dealing.salt(table, BASILE, "beef"))
    assert evening.log[-1] == Salted(1, "beef")
    assert dealing.salt(table, BASILE, "beef") == []
    assert refusal(dealing.salt, table, CLAIRE, "00") == "not_seated"
    evening.begin()
    started, _ = evening.log[-2:]
    assert isinstance(started, Started)
    assert started.secret == "5ec2e7"
    assert started.salts == ("-", "beef")
    assert started.seed == seed_of("5ec2e7", ("-", "beef"))
    assert table.commit == promised
    assert refusal(dealing.salt, table, BASILE, "ab") == "match_running"


def test_giving_a_seat_up_removes_its_salt() -> None:
    evening = Evening("kora")
    evening.do(dealing.hide_secret(evening.table, "5ec2e7"))
    evening.do(dealing.salt(evening.table, BASILE, "beef"))
    evening.do(seating.leave(evening.table, BASILE))
    evening.do(seating.sit(evening.table, CLAIRE, None))
    evening.begin()
    assert evening.table.dealt is not None
    assert evening.table.dealt.salts == ("-", "-")


def test_the_start_of_a_match_commits_to_the_deal_after_it() -> None:
    evening = Evening()
    evening.do(dealing.hide_secret(evening.table, "5ec2e7"))
    table = evening.begin()
    assert evening.log[-1] == Secret("graine")
    assert table.commit == commitment("5ec2e7")  # nobody sees the next commitment during the match
    assert dealing.hide_secret(table, "new") == []
    evening.do(seating.leave(table, BASILE))
    assert table.commit == commitment("graine")
    assert dealing.hide_secret(table, "new") == []
    assert evening.restored().secret == "graine"


def test_after_a_deal_without_a_commitment_a_new_secret_waits_for_the_end_of_the_match() -> None:
    evening = Evening()
    table = evening.begin()
    assert isinstance(evening.log[-1], Started)
    assert dealing.hide_secret(table, "new") == []
    evening.do(seating.leave(table, BASILE))
    assert refusal(dealing.committed, table) == "no_commitment"
    assert dealing.hide_secret(table, "new") == [Secret("new")]
