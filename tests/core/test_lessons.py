"""Lessons are checked by the rules; every shipped lesson is right, and every special rule has its moment."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tablee.cli import main
from tablee.core.discover import find, games
from tablee.core.lessons import BadLesson, french, lessons_of, play_lesson, problems_of, read_lesson
from tablee.server.lessons import make_page

ROOT = Path(__file__).parents[2]
SHIPPED = [(key, name) for key in games() for name in lessons_of(key)]
FOREIGN = re.compile(r"'|[^\u202f][;?!»]|[^\u202f]:|«[^\u202f]|\b(tu|ton|ta|tes|toi)\b", re.IGNORECASE)
"""Wrong in the French of players, as in web/src/i18n/i18n.test.ts."""


def example() -> dict[str, Any]:
    """Return the lesson that docs/lessons.md prints."""
    page = (ROOT / "docs/lessons.md").read_text()
    found = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert found, "docs/lessons.md has no example"
    lesson: dict[str, Any] = json.loads(found[1])
    return lesson


def problems(lesson: dict[str, Any]) -> list[str]:
    return problems_of(read_lesson(json.dumps(lesson)))


def test_the_example_of_the_page_is_right() -> None:
    assert problems(example()) == []


@pytest.mark.parametrize(("key", "name"), SHIPPED)
def test_a_shipped_lesson_is_right(key: str, name: str) -> None:
    lesson = read_lesson(lessons_of(key)[name].read_bytes())
    assert problems_of(lesson) == []
    assert 12 <= len(lesson.moments) <= 25
    assert sum(bool(moment.do) for moment in lesson.moments) >= len(lesson.moments) / 2, "the reader makes the moves"
    said = [words for one in lesson.moments for words in (one.say, one.hint, one.done) if words]
    for words in (*said, *lesson.rules.values(), lesson.title):
        assert not FOREIGN.search(words.fr), words.fr


SPECIAL = {
    "dames": "deplacement obligatoire arriere rafle bonus majoritaire promotion dame temps blocage fin_points nulle",
    "kora": "famille prendre autre_famille tour5 kora 33 333 mise sept petite_main payer",
    "ojyx": "reveler pioche defausse echange colonne retourner action attaque bouclier fin_de_manche penalite vote",
    "president": "ordre paire passer deux ou_rien suite reverse seul hors_tour quatre revolution trois "
    "contre_revolution finir titres points echange",
    "scrabble": "placer etoile cases plusieurs joker scrabble echange contestation contestation_perdue passer fin",
}
"""What the documents of each game make special; the first lesson shows all of it."""


@pytest.mark.parametrize("key", SPECIAL)
def test_the_first_lesson_shows_every_special_rule(key: str) -> None:
    lesson = read_lesson(lessons_of(key)["premiere"].read_bytes())
    taught = {rule for moment in lesson.moments for rule in moment.teaches}
    assert set(SPECIAL[key].split()) - taught == set()


@pytest.mark.parametrize(("key", "name"), SHIPPED)
def test_the_page_of_a_lesson_shows_only_what_its_reader_sees(key: str, name: str) -> None:
    page = json.loads(make_page(key, name))
    lesson = read_lesson(lessons_of(key)[name].read_bytes())
    game = find(key).rules
    for shown, sent in zip(play_lesson(lesson), page["moments"], strict=True):
        assert len(sent["frames"]) == len(shown.frames)
        assert (sent["offer"] is not None) == bool(shown.answers)
        for frame, seen in zip(shown.frames, sent["frames"], strict=True):
            step = frame.step
            if step and game.seen(step.seat, step.action, lesson.seat) is None:
                assert seen["step"]["action"] is None


def change(path: list[Any], value: Any) -> dict[str, Any]:
    lesson = example()
    place: Any = lesson
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return lesson


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (["moments", 1, "do"], ["KS"], "cannot play 'KS': not_in_hand"),
        (["moments", 1, "do"], ["nonsense"], "is not an action"),
        (["moments", 1, "do"], ["bet *"], "no legal action fits 'bet \\*'"),
        (["moments", 1, "hint"], None, "needs a `hint`"),
        (["moments", 0, "start"], None, "the first moment needs a `start`"),
        (["moments", 0, "start"], "deal 1 stage", "has no value"),
        (["moments", 2, "play", 0, "seat"], 0, "seat 0 cannot play"),
        (["moments", 2, "play", 0], {"seat": 0, "cause": "clock"}, "no time runs for seat 0"),
        (["moments", 2, "say"], {"fr": "Kora.", "en": "Kora."}, "French and the English are the same"),
        (["moments", 0, "teaches"], None, "the rule 'lead' has no moment"),
        (["moments", 0, "teaches"], ["lead", "castling"], "does not name 'castling'"),
        (["moments", 2, "do"], ["9S"], "end with a remark"),
        (["moments", 2, "start"], "deal", "add `done`"),
        (["moments", 1, "do"], ["7H", "2D"], "lead to different positions"),
        (["names"], [""], "there are 2 seats"),
        (["version"], 99, "written for version 99"),
        (["seats"], 3, "bad_seats"),
        (["options"], {"stake": -1}, "bad_option"),
        (["game"], "go", "there is no game 'go'"),
    ],
)
def test_a_wrong_lesson_is_named_with_its_problem(path: list[Any], value: Any, problem: str) -> None:
    found = problems(change(path, value))
    assert any(re.search(problem, one) for one in found), found


@pytest.mark.parametrize(
    "change_to",
    [{"moments": []}, {"title": {"fr": "Bonjour"}}, {"surprise": 1}, {"rules": {"lead": {"fr": "", "en": "x"}}}],
)
def test_a_file_that_is_no_lesson_is_refused(change_to: dict[str, Any]) -> None:
    with pytest.raises(BadLesson):
        read_lesson(json.dumps(example() | change_to))
    with pytest.raises(BadLesson):
        read_lesson("[")


def test_plain_french_is_typeset() -> None:
    assert french("Qu'est-ce ? « Rien » : voilà !") == ("Qu’est-ce\u202f? «\u202fRien\u202f»\u202f: voilà\u202f!")


def test_the_command_checks_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lesson.json"
    file.write_text(json.dumps(example()))
    right = CliRunner().invoke(main, ["lesson", "check", str(file)])
    assert (right.exit_code, "nothing is wrong" in right.output) == (0, True)
    file.write_text(json.dumps(change(["moments", 1, "hint"], None)))
    wrong = CliRunner().invoke(main, ["lesson", "check", str(file)])
    assert (wrong.exit_code, "moment 2: it needs a `hint`" in wrong.output) == (1, True)
    assert CliRunner().invoke(main, ["lesson", "check", str(tmp_path / "none.json")]).exit_code == 1
