"""Golden games: whole parties as text, every position of them pinned.

A file of golden/ begins with what it shows, its seed and its options (or the position that it starts `from`); then
comes one line an action: ply, seat, action, `clock` or `leave` where the table acted, and the position it leads to.

To add a game, write the head and the actions without positions. To write every position again, after a change of the
notation or of the rules that is meant:

    python -m pytest tests/games/kora/test_golden.py --update-golden

and read the difference before you keep it.
"""

from pathlib import Path

import pytest

from tablee.core.game import Cause
from tablee.core.match import Match, Step, read_options
from tablee.games.kora.notation import KoraNotation
from tablee.games.kora.rules import Kora

GAMES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
NOTATION = KoraNotation()


def read(text):
    """The heading, the head as a dict, and the actions as (seat, text, cause)."""
    heading, head, steps = "", {}, []
    for line in text.splitlines():
        words = line.partition("|")[0].split()
        if line.startswith("#"):
            heading = line
        elif words and words[0].isdigit():
            if words[0] != "0":
                cause = Cause(words.pop()) if words[-1] in ("clock", "leave") and len(words) > 3 else None
                steps.append((int(words[1]), " ".join(words[2:]), cause))
        elif words:
            head[words[0]] = line.partition(" ")[2].strip()
    return heading, head, steps


def start(head):
    options = dict(pair.split("=") for pair in head.get("options", "").split(",") if pair)
    options = {name: value if name == "betting" else int(value) for name, value in options.items()}
    match = Match(Kora(), 2, read_options(Kora(), options), head["seed"])
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
    told = f"{end.scores[0]}/{end.scores[1]} places {end.places[0]}/{end.places[1]} {end.reason}" if end else "none yet"
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


def test_the_golden_games_show_every_way_to_win_a_deal_and_to_end_a_partie():
    reasons, ends = set(), set()
    for path in GAMES:
        _, head, steps = read(path.read_text("utf-8"))
        match = start(head)
        seen = [match.state]
        for seat, text, cause in steps:
            match.advance(Step(seat, NOTATION.read_action(text), cause))
            seen.append(match.state)
        reasons |= {state.last_deal.reason for state in seen if state.last_deal}
        ends.add(match.outcome.reason)
    assert reasons == {"trick", "kora", "33", "333", "sevens", "low_sum"}
    assert ends == {"deals", "bank", "left"}
