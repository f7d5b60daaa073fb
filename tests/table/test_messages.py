"""The chat of a table."""

from evening import ANNE, BASILE, CLAIRE, Evening, refusal

from tablee.table import messages
from tablee.table.chat import MOST_KEPT
from tablee.table.events import (
    Reported,
    Said,
)


def test_players_and_spectators_speak_apart_and_every_message_is_kept() -> None:
    evening = Evening()
    table = evening.table
    evening.do(messages.say(table, ANNE, "text", "Bonne partie !", 12.3456))
    evening.do(messages.say(table, CLAIRE, "emoji", "🎉", 13.0))
    assert evening.log[-2:] == [
        Said(0, ANNE, "text", "Bonne partie !", "players", 12.346),
        Said(1, CLAIRE, "emoji", "🎉", "watchers", 13.0),
    ]
    assert refusal(messages.say, table, ANNE, "phrase", "rm -rf", 0.0) == "unknown_phrase"
    assert refusal(messages.say, table, ANNE, "emoji", "<b>", 0.0) == "unknown_phrase"
    assert refusal(messages.unsay, table, BASILE, 1) == "not_host"
    assert refusal(messages.unsay, table, ANNE, 9) == "no_such_message"
    evening.do(messages.report(table, BASILE, 1, 14.0))
    assert evening.log[-1] == Reported(1, BASILE, 14.0)
    assert messages.report(table, BASILE, 1, 15.0) == []
    assert evening.restored().chat.reports == table.chat.reports == {(1, BASILE)}
    evening.do(messages.unsay(table, CLAIRE, 1))
    assert list(evening.restored().chat.messages) == [0]
    for _ in range(MOST_KEPT + 5):
        evening.do(messages.say(table, ANNE, "phrase", "thanks", 20.0))
    assert len(table.chat.messages) == MOST_KEPT
    assert table.chat.reports == set()
    assert table.chat.next == MOST_KEPT + 7
