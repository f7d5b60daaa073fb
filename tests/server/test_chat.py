"""Messages: sent, kept, limited, moderated."""

import unicodedata
from pathlib import Path

import pytest
from live import Line, LiveServer, Person, seat_two, until
from pair import open_server

from tablee.core.game import Refused
from tablee.server.moderation import Filter, clean_message


def test_messages_are_broadcast_kept_and_limited(hourglass: LiveServer) -> None:
    code, _, (first, second) = seat_two(hourglass)
    watcher = Person(hourglass).open(code)
    first.ask("say", text="  Bonjour à tous  ")
    line = second.expect("said")["line"]
    assert (line["text"], line["channel"], line["kind"]) == ("Bonjour à tous", "players", "text")
    watcher.ask("say", kind="emoji", text="🎉")
    assert first.expect("said")["line"]["channel"] == "watchers"
    assert first.refused("say", text="<b>gros</b>")["code"] == "chat_markup"
    assert first.refused("say", text="a\x00b")["code"] == "chat_control"
    assert first.refused("say", text="\u202eà l'envers")["code"] == "chat_control"
    assert first.refused("say", text="a" * 301)["code"] == "chat_too_long"
    assert first.refused("say", text=" \n ")["code"] == "chat_empty"
    first.send_raw(b'{"type": "say", "id": 77, "text": "' + b"a" * 10_000 + b'"}')
    assert first.expect("refused")["code"] == "too_large"
    first.ask("say", text="3 < 4 et I <3 U, quel Connard !")
    second.expect("said")
    assert second.expect("said")["line"]["text"] == "3 < 4 et I <3 U, quel ••••••• !"
    answers = [first.ask("say", text=f"message {n}")["type"] for n in range(12)]
    assert "refused" in answers
    assert first.frames[-1]["code"] == "chat_too_fast"
    late = Person(hourglass).open(code)
    assert [message["n"] for message in late.expect("chat")["lines"]][:3] == [0, 1, 2]
    nobody = Line(hourglass, code)
    assert nobody.refused("say", text="bonjour")["code"] == "unknown_person"


def test_a_message_is_removed_by_its_author_or_the_host_and_reported_once(hourglass: LiveServer) -> None:
    code, _, (first, second) = seat_two(hourglass)
    second.ask("say", text="un")
    second.ask("say", text="deux")
    assert first.ask("report", n=0)["type"] == "done"
    assert first.ask("report", n=0)["type"] == "done"
    assert second.ask("unsay", n=1)["type"] == "done"
    assert first.ask("unsay", n=0)["type"] == "done"
    assert until(second, lambda frame: frame["n"] == 0, "unsaid")
    assert Person(hourglass).open(code).expect("chat")["lines"] == []


def test_messages_and_a_pause_survive_a_kill(tmp_path: Path) -> None:
    server = open_server(tmp_path).start()
    try:
        code, people, (first, second) = seat_two(server, game="dames")
        first.ask("say", text="encore là")
        Person(server, "Passante").open(code).ask("say", text="moi aussi")
        first.ask("propose", kind="pause")
        second.ask("answer", yes=True)
        server.kill()
        server.start()
        again = people[0].open(code)
        assert again.expect("table")["paused"]
        lines = again.expect("chat")["lines"]
        assert [line["text"] for line in lines] == ["encore là", "moi aussi"]
        assert lines[1]["name"] == "Passante"
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("quel con\u200bnard", "quel •••\u200b••••"),
        ("c\u0336onnard", "•\u0336••••••"),
        ("ｆｕｃｋ", "••••"),
        ("un 👩\u200d🚀 qui députe", "un 👩\u200d🚀 qui députe"),
    ],
)
def test_unseen_signs_hide_no_word(said: str, kept: str) -> None:
    assert clean_message(said, Filter()) == kept


@pytest.mark.parametrize(
    "said",
    ["\u2067abc\u2069", "abc\u200fdef", "\u061cabc", "a\u200eb", "une ligne\u2028puis une autre", "a\u2029b", "a\nb"],
)
def test_nothing_turns_the_text_round_or_begins_a_line(said: str) -> None:
    with pytest.raises(Refused, match="chat_control"):
        clean_message(said, Filter())


@pytest.mark.parametrize("said", ["", "  ", "\u200b", "\u3164 \u2800", "\u200d\ufe0f", "\u0301", "\u00ad\u2060\ufeff"])
def test_a_message_shows_something(said: str) -> None:
    with pytest.raises(Refused, match="chat_empty"):
        clean_message(said, Filter())


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Z" + "\u0335" * 250 + "oé", "Z\u0335\u0335\u0335oé"),
        ("a" + "\u0335\u200d" * 100, "a" + "\u0335\u200d" * 3 + "\u200d" * 97),
        ("\u0301\u0301 bien", "bien"),
    ],
)
def test_a_letter_bears_few_marks(said: str, kept: str) -> None:
    assert clean_message(said, Filter()) == kept


@pytest.mark.parametrize(
    "said",
    [
        "Déjà, ça y est ! « Ô »",
        "Việt Nam",
        "ภูเขาที่นี่",
        "👩\u200d❤\ufe0f\u200d👩 👍🏽 1\ufe0f\u20e3 🇫🇷",
        "🏴\U000e0067\U000e0062\U000e007f",
    ],
)
def test_accents_and_emoji_are_kept(said: str) -> None:
    assert clean_message(said, Filter()) == unicodedata.normalize("NFC", said)
