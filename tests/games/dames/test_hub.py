"""The Hub protocol, tested through pipes as a draughts program uses it."""

import io
import subprocess
import sys
import threading

import pytest

from tablee.core.match import Match
from tablee.games.dames.board import TEN
from tablee.games.dames.hub import Hub, Limits
from tablee.games.dames.hub_lines import (
    BadLine,
    parse,
    read_move,
    read_position,
    write_line,
    write_move,
    write_position,
)
from tablee.games.dames.notation import position_of, read_fen

START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"


class Engine:
    """A session with the engine."""

    def __init__(self):
        command = [sys.executable, "-m", "tablee", "dames", "hub"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, command):
        """Read and return all lines up to one that starts with a command."""
        lines: list[str] = []
        while not lines or lines[-1].split(" ")[0] != command:
            line = self.process.stdout.readline()
            assert line, f"the engine ended after {lines}"
            lines.append(line.rstrip("\n"))
        return lines

    def move(self):
        return parse(self.until("done")[-1])[1]


@pytest.fixture(scope="module")
def started():
    engine = Engine()
    engine.say("hub")
    assert engine.until("wait")[0].startswith("id name=Tablee version=")
    engine.say("set-param name=tt-size value=16", "init")
    engine.until("ready")
    yield engine
    engine.say("quit")
    assert engine.process.wait() == 0
    engine.process.stdin.close()
    engine.process.stdout.close()


@pytest.fixture
def engine(started):
    """Return the engine with no output left to read."""
    started.say("new-game", "ping")
    started.until("pong")
    return started


def test_a_whole_game_against_itself(engine):
    """Every move is legal by the rules, and the game ends."""
    match = Match.start("dames", options={"variant": "international"}, seed="hub")
    moves: list[str] = []
    while match.outcome is None:
        engine.say(f'pos pos={START} moves="{" ".join(moves)}"', "level nodes=2000", "go think")
        answer = engine.move()
        moves.append(answer["move"])
        position = position_of(match.state)
        move = read_move(position, answer["move"])
        path = next(action for action in match.legal(position.to_move) if TEN.move(position, action.path) == move)
        match.play(position.to_move, path)
    assert len(moves) > 40
    assert sum("x" in move for move in moves) > 5


def test_information_comes_before_the_move(engine):
    engine.say(f"pos pos={START}", "level depth=5", "go think")
    *infos, done = engine.until("done")
    assert [parse(line)[1]["depth"] for line in infos] == ["1", "2", "3", "4", "5"]
    last = parse(infos[-1])[1]
    assert last["pv"].split()[:2] == [parse(done)[1]["move"], parse(done)[1]["ponder"]]
    assert set(last) == {"depth", "score", "nodes", "time", "nps", "pv"}


@pytest.mark.parametrize("mode", ["think", "ponder", "analyze"])
def test_ping_and_stop_work_during_an_endless_search(engine, mode):
    engine.say(f"pos pos={START}", "level infinite", f"go {mode}", "ping")
    engine.until("pong")
    engine.say("stop")
    assert "move" in engine.move()


def test_several_threads_search_and_stop(engine):
    combination = write_position(read_fen("B:W21,25,33,34,35,36,38,41,46,48,49:B1,2,5,6,10,11,15,16,18,23,24,27"))
    engine.say("set-param name=threads value=2", f"pos pos={combination}", "level depth=10", "go think")
    assert engine.move()["move"] == "18-22"
    engine.say("level infinite", "go analyze", "ping", "stop")
    engine.until("pong")
    assert "move" in engine.move()
    engine.say("set-param name=threads value=1")


def test_after_ponder_hit_the_clock_ends_the_search(engine):
    engine.say(f"pos pos={START}", "level move-time=0.1", "go ponder", "ping")
    assert not any(line.startswith("done") for line in engine.until("pong"))
    engine.say("ponder-hit")
    assert "move" in engine.move()


def test_the_time_of_a_game_is_divided_among_its_moves(engine):
    for level in ("level time=3", "level moves=20 time=2", "level time=1 inc=0.05", "level move-time=0.05"):
        engine.say(f"pos pos={START}", level, "go think")
        assert "move" in engine.move()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dance", "unknown command 'dance'"),
        ("pos", "a position is W or B and 50 letters"),
        ("pos pos=" + START[:-1], "a position is W or B"),
        ("pos pos=" + START.replace("w", "x"), "a position is W or B"),
        ("pos pos=Ww" + "e" * 49, "last row"),
        (f'pos pos={START} moves="32-28 1-2"', "'1-2' is not legal"),
        (f'pos pos={START} moves="32x28"', "'32x28' is not legal"),
        (f'pos pos={START} moves="hello"', "'hello' is not a move"),
        (f'pos pos={START} moves="32-28', "cannot read the arguments"),
        ("level depth=deep", "depth=deep: expected a number"),
        ("level time=-1", "time=-1: expected a number"),
        ("level time=nan", "expected a number"),
        ("set-param name=variant value=killer", "expected normal"),
        ("set-param name=book value=true", "unknown parameter 'book'"),
        ("set-param name=tt-size value=99", "expected 10 to 24"),
        ("set-param name=threads value=0", "expected 1 to 64"),
        ("set-param name=threads value=two", "expected 1 to 64"),
        ("set-param name=evaluation value=guess", "expected learned or hand"),
        ("go home", "expected think, ponder or analyze"),
        ("==", "unknown command"),
        ('level "', "cannot read the arguments"),
        ("level a=b=c", "cannot read the arguments"),
        ("\x00\x01", "unknown command"),
    ],
)
def test_a_bad_line_gets_an_error_and_changes_nothing(engine, line, message):
    engine.say(f"pos pos={START}", "level depth=2", line)
    assert message in parse(engine.until("error")[-1])[1]["message"]
    engine.say(f"pos pos={START}", "level depth=2", "go think")
    assert read_move(read_position(START), engine.move()["move"])


def test_a_second_search_is_refused_while_one_runs(engine):
    engine.say(f"pos pos={START}", "level infinite", "go analyze", "go think", "new-game", "stop")
    lines = engine.until("done")
    assert sum("running" in line for line in lines) == 2


def test_a_position_without_moves_is_refused(engine):
    engine.say("pos pos=W" + "e" * 49 + "b".upper(), "go think")
    assert "no move" in engine.until("error")[-1]


def test_bytes_that_are_not_utf8_and_the_end_of_the_input():
    command = [sys.executable, "-m", "tablee", "dames", "hub"]
    ended = subprocess.run(command, input=b"\xff\xfe\n\nping\ngo analyze\n", capture_output=True, check=True)
    assert b"error" in ended.stdout
    assert b"pong" in ended.stdout
    assert ended.stderr == b""


def test_the_program_can_close_its_end():
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    Hub(["hub\n", "go think\n", "quit\n"], Gone()).talk()
    assert threading.active_count() >= 1


def test_positions_and_moves_read_back():
    assert write_position(TEN.start) == START
    position = read_fen("B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24")
    assert read_position(write_position(position)) == position
    for move in TEN.moves(position):
        assert read_move(position, write_move(move)) == move


def test_the_pieces_taken_come_in_any_order():
    position = read_fen("W:W35:B30,20,9")
    (move,) = TEN.moves(position)
    assert move[2].bit_count() > 1
    written = write_move(move).split("x")
    assert read_move(position, "x".join(written[:2] + written[:1:-1])) == move
    assert read_move(position, "x".join(written[:2])) == move
    with pytest.raises(BadLine, match="not legal"):
        read_move(position, "x".join([*written, "1"]))


def test_lines_keep_spaces_in_quotes():
    assert parse('  level  moves=9 time = 291.5 infinite name="a b" ') == (
        "level",
        {"moves": "9", "time": "291.5", "infinite": "", "name": "a b"},
    )
    assert parse("") == ("", {})
    assert write_line("error", message="no = here") == 'error message="no = here"'
    assert write_line("done", move="32-28") == "done move=32-28"


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        (Limits(), None),
        (Limits(move_time=2.0), 1.97),
        (Limits(time=30.0), 0.97),
        (Limits(time=30.0, moves=10), 2.97),
        (Limits(time=30.0, inc=1.0), 1.87),
        (Limits(time=1.0, moves=1), 0.87),
        (Limits(time=0.0), 0.0),
    ],
)
def test_the_seconds_for_a_move(limits, seconds):
    assert limits.seconds == pytest.approx(seconds) if seconds is not None else limits.seconds is None
