"""Golden games: parties, or the ends of them, as text, every position of them pinned.

A file of golden/ begins with what it shows, its seats, its seed and its options (or the position that it starts
`from`); then comes one line an action: ply, seat, action, `clock` where the table acted, and the position it leads to.

To add a game, write the head and the actions without positions. To write every position again, after a change of the
notation or of the rules that is meant:

    python -m pytest tests/games/president/test_golden.py --update-golden

and read the difference before you keep it.
"""

from pathlib import Path

import pytest

from tablee.core.game import Cause
from tablee.core.match import Match, Step, read_options
from tablee.games.president.notation import PresidentNotation
from tablee.games.president.rules import President
from tablee.games.president.values import Close, Give, Stop

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
NOTATION = PresidentNotation()


def read(text):
    """The heading, the head as a dict, and the actions as (seat, text, cause)."""
    heading, head, steps = "", {}, []
    for line in text.splitlines():
        words = line.partition("|")[0].split()
        if line.startswith("#"):
            heading = line
        elif words and words[0].isdigit():
            if words[0] != "0":
                cause = Cause(words.pop()) if words[-1] == "clock" else None
                steps.append((int(words[1]), " ".join(words[2:]), cause))
        elif words:
            head[words[0]] = line.partition(" ")[2].strip()
    return heading, head, steps


def start(head):
    options = dict(pair.split("=") for pair in head.get("options", "").split(",") if pair)
    options = {name: int(value) if name == "rounds" else value for name, value in options.items()}
    match = Match(President(), int(head["seats"]), read_options(President(), options), head["seed"])
    if "from" in head:
        match.state = NOTATION.read_state(head["from"])
    return match


def play(match, seat, text, cause):
    if cause is None:
        match.play(seat, NOTATION.read_action(text))
    else:
        match.act_for(seat, cause)
        assert NOTATION.write_action(match.steps[-1].action) == text, f"the table plays otherwise for {cause}"


def written(text):
    """The whole file as the rules in force write it."""
    heading, head, steps = read(text)
    match = start(head)
    lines = [heading, *(f"{word} {value}" for word, value in head.items() if word != "outcome"), ""]
    lines.append(f"{0:3} {'':<17} | {NOTATION.write_state(match.state)}")
    for ply, (seat, action, cause) in enumerate(steps, 1):
        play(match, seat, action, cause)
        told = f"{seat} {action} {cause or ''}"
        lines.append(f"{ply:3} {told:<17} | {NOTATION.write_state(match.state)}")
    end = match.outcome
    told = f"{'/'.join(map(str, end.scores))} places {'/'.join(map(str, end.places))}" if end else "none yet"
    return "\n".join([*lines, "", f"outcome {told}", ""])


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_plays_as_it_is_written(path, update_golden):
    text = path.read_text("utf-8")
    if update_golden:
        text = written(text)
        path.write_text(text, "utf-8")
    for played, kept in zip(written(text).splitlines(), text.splitlines(), strict=True):
        assert played == kept


def test_the_golden_games_replay_from_their_records():
    for path in GAMES:
        _, head, steps = read(path.read_text("utf-8"))
        match = start(head)
        for step in steps:
            play(match, *step)
        if "from" not in head:
            assert Match.replay(match.record()).state == match.state, path.stem


def test_the_golden_games_show_every_special_rule():
    endings, shown = set(), set()
    for path in GAMES:
        _, head, steps = read(path.read_text("utf-8"))
        match = start(head)
        for seat, text, cause in steps:
            action = NOTATION.read_action(text)
            before = match.state
            match.advance(Step(seat, action, cause))
            after = match.state
            if after.last_trick is not before.last_trick:
                endings.add(after.last_trick.ending)
            shown |= {kind.__name__ for kind in (Close, Give, Stop) if isinstance(action, kind)}
            shown |= {"out of turn"} if seat != before.to_act and isinstance(action, Close) else set()
            shown |= {"ou_rien"} if after.ou_rien else set()
            shown |= {"reverse in a suite"} if (before.direction, after.direction) == ("suite", "reverse") else set()
            shown |= {"revolution"} if after.revolution > before.revolution else set()
            shown |= {"counter"} if before.revolution > after.revolution and after.manche == before.manche else set()
            shown |= {"sunk"} if after.sunk else set()
    assert endings == {"passes", "stop", "closing_rank", "carre", "four", "manche"}
    assert shown == {
        "Close", "Give", "Stop", "out of turn", "ou_rien", "reverse in a suite", "revolution", "counter", "sunk"
    }  # fmt: skip
