"""The command line: thin, quick to start, and plain when something is wrong."""

import json
import subprocess
import sys

import pytest
from sixth import write_game
from typer.testing import CliRunner

import tablee.games
from tablee import __version__, typescript
from tablee.arena import random_game
from tablee.bots.decide import decide_again
from tablee.cli import main
from tablee.core import discover
from tablee.core.fairness import commitment, proven, seed_of
from tablee.core.match import Match


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("arena", "sans-nom", "--bots", "moyen"), "no game 'sans-nom'; the games are"),
        (("arena", "kora", "--bots", "moyen,expert"), "no bot 'expert'"),
        (("arena", "kora", "--bots", "moyen,facile,random"), "3 bots for 2 seats"),
        (("arena", "kora", "--bots", ","), "at least one"),
        (("arena", "kora", "--bots", "moyen", "--seats", "4"), "4 seats; the game takes 2"),
        (("arena", "kora", "--bots", "moyen", "--options", '{"deals": 4}'), "option 'deals'"),
        (("arena", "kora", "--bots", "moyen", "--options", '{"dels": 4}'), "option 'dels'"),
        (("arena", "kora", "--bots", "moyen", "--options", "{"), "--options is not JSON"),
        (("arena", "kora", "--bots", "moyen", "--options", "[]"), "JSON object"),
        (("arena", "kora", "--bots", "moyen", "--games", "0"), "--games"),
        (("serve", "--admin-token", "jeton"), "the admin token is too short: it needs at least 16 characters"),
        (("serve", "--bus", "localhost"), "--bus takes nats://HOST:PORT"),
        (("serve", "--bus", "nats://localhost"), "it needs --database postgresql://"),
        (("serve", "--bus", "nats://localhost:notaport"), "--bus takes nats://HOST:PORT"),
        (("serve", "--bus", "nats://localhost:99999"), "--bus takes nats://HOST:PORT"),
        (("doctor", "--bus", "nats://[::1"), "--bus takes nats://HOST:PORT"),
        (("serve", "--bus", "nats://:4222"), "--bus takes nats://HOST:PORT"),
        (("serve", "--bus", ""), "--bus is empty: give it a URL, or leave it out"),
        (("serve", "--database", ""), "--database is empty: give it a URL, or leave it out"),
        (("check", "--database", ""), "--database is empty: give it a URL, or leave it out"),
        (("serve", "--url", "http://jeux.example.org"), "--url takes https://HOST"),
        (("serve", "--url", "https://192.168.1.2"), "--url takes https://HOST"),
        (("serve", "--url", "https://[::1"), "--url takes https://HOST"),
        (("simulate", "sans-nom"), "no game 'sans-nom'"),
        (("simulate", "kora", "--seats", "1"), "1 seats; the game takes 2"),
        (("simulate", "kora", "--options", '{"stake": 0}'), "option 'stake'"),
    ],
)
def test_a_mistake_ends_with_code_2_and_says_what_it_is(arguments, text):
    result = run(*arguments)
    assert result.exit_code == 2
    assert text in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("variable", ["TABLEE_DATABASE", "TABLEE_BUS"])
def test_an_empty_variable_does_not_open_an_empty_house(variable, monkeypatch, tmp_path):
    monkeypatch.setenv(variable, "")
    result = run("serve", "--data", tmp_path / "data", "--admin-token", "short")  # no server must run here
    assert (result.exit_code, result.stderr) == (2, f"tablee: {variable} is empty: give it a URL, or unset it\n")
    assert list(tmp_path.iterdir()) == []


def test_arena_prints_one_json_object():
    result = run("arena", "kora", "--bots", "moyen, random", "--games", 5, "--seed", "cli", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["contest"]["bots"] == ["moyen", "random"]
    assert found["rounds"] == 3
    assert [one["games"] for one in found["standings"]] == [6, 6]
    assert sum(one["share"] for one in found["standings"]) == pytest.approx(1)


def test_arena_prints_a_table():
    result = run("arena", "kora", "--bots", "facile,facile", "--games", 4)
    assert result.exit_code == 0
    assert result.stdout.count("50.0 ± 0.0 %") == 2


def test_simulate_counts_games_and_actions():
    result = run("simulate", "kora", "--games", 20, "--options", '{"deals": 3}', "--json")
    found = json.loads(result.stdout)
    assert (found["game"], found["games"]) == ("kora", 20)
    assert found["actions"] > 20 * 20
    assert found["actions_per_second"] > found["games_per_second"] > 0
    assert found["mean_plies"] == found["actions"] / 20
    assert sum(found["reasons"].values()) == 20
    assert "games/s" in run("simulate", "kora", "--games", 2).stdout


def test_simulate_leaves_concessions_out_unless_asked_for():
    plain, conceding = (
        json.loads(run("simulate", "dames", "--games", 10, *flag, "--json").stdout) for flag in ([], ["--concessions"])
    )
    assert "resign" not in plain["reasons"]
    assert "resign" in conceding["reasons"]
    assert plain["mean_plies"] > 5 * conceding["mean_plies"]


def test_replay_prints_a_match_in_the_game_s_notation(tmp_path):
    match = random_game("kora", seats=2, options={}, seed="x")
    (tmp_path / "partie.json").write_bytes(match.record().to_json())
    result = run("replay", tmp_path / "partie.json")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "kora, 2 seats, seed 'x'"
    assert [line.split()[-1] for line in lines[1:11]] == [step.action.card for step in match.steps]
    assert lines[11].startswith("seat 0: place ")


def test_replay_prints_an_unfinished_match(tmp_path):
    match = random_game("kora", seats=2, options={}, seed="x")
    del match.steps[4:]
    match.state = type(match).start("kora", seed="x").state
    (tmp_path / "partie.json").write_bytes(match.record().to_json())
    assert run("replay", tmp_path / "partie.json").stdout.splitlines()[-1] == "not finished"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda record: record["steps"].pop(0), "step 1"),
        (lambda record: record.update(version=99), "rules 99"),
        (lambda record: record.update(game="sans-nom"), "no game 'sans-nom'"),
        (lambda record: record.update(seats="two"), "$.seats"),
    ],
)
def test_replay_says_where_a_record_goes_wrong(tmp_path, change, text):
    record = json.loads(random_game("kora", seats=2, options={}, seed="x").record().to_json())
    change(record)
    (tmp_path / "partie.json").write_text(json.dumps(record))
    result = run("replay", tmp_path / "partie.json")
    assert result.exit_code == 1
    assert "partie.json: " in result.stderr
    assert text in result.stderr


def test_replay_of_a_missing_file_is_an_error(tmp_path):
    result = run("replay", tmp_path / "absent.json")
    assert result.exit_code == 1
    assert "absent.json" in result.stderr


def test_decision_lets_a_bot_decide_again(tmp_path):
    match = random_game("kora", seats=2, options={"deals": 3}, seed="x")
    (tmp_path / "partie.json").write_bytes(match.record().to_json())
    result = run("decision", tmp_path / "partie.json", "--ply", 2, "--level", "facile", "--seconds", 0)
    assert result.exit_code == 0, result.stderr
    title, *ranked = result.stdout.splitlines()
    moment = Match.branch(match.record(), 2, "x")
    chosen, _ = decide_again(Match.branch(match.record(), 2, match.seed), "facile", match.steps[2].seat, 0.0)
    write = match.game.notation.write_action
    assert title == f"seat {match.steps[2].seat}, ply 2, facile: {write(chosen)}"
    assert {line.split()[-1] for line in ranked} == {write(action) for action in moment.legal(match.steps[2].seat)}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--ply", 999, "--level", "facile"), "give a --ply below that"),
        (("--ply", 0, "--level", "expert"), "kora has no level expert"),
        (("--ply", 0, "--level", "facile", "--seat", 7), "not_your_turn"),
    ],
)
def test_decision_says_what_is_wrong(tmp_path, arguments, text):
    match = random_game("kora", seats=2, options={"deals": 3}, seed="x")
    (tmp_path / "partie.json").write_bytes(match.record().to_json())
    result = run("decision", tmp_path / "partie.json", *arguments)
    assert result.exit_code == 1
    assert text in result.stderr


@pytest.fixture
def dealt(tmp_path):
    """A file with a record and its proof, and a function that changes it."""
    salts = ("5a17", "-")
    record = proven(random_game("kora", seats=2, options={}, seed=seed_of("secret", salts)), "secret", salts)
    path = tmp_path / "partie.json"
    path.write_bytes(record.to_json())

    def change(how):
        result = json.loads(path.read_text())
        how(result)
        path.write_text(json.dumps(result))
        return path

    return change


def test_verify_says_that_nothing_is_wrong(dealt):
    result = run("verify", dealt(lambda record: None), "--commit", commitment("secret"))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [
        ["✓", what] for what in ("commitment", "seed", "rules", "draws", "outcome")
    ]
    assert lines[-1].endswith("partie.json: nothing is wrong")


def test_verify_without_the_commitment_says_what_to_compare(dealt):
    result = run("verify", dealt(lambda record: None))
    assert result.exit_code == 0
    assert result.stdout.startswith("– commitment")
    assert commitment("secret") in result.stdout


def test_verify_prints_its_checks_as_json(dealt):
    result = run("verify", dealt(lambda record: record.update(secret="another")), "--json")
    assert result.exit_code == 1
    assert {check["what"]: check["ok"] for check in json.loads(result.stdout)} == {
        "commitment": None,
        "seed": False,
        "rules": True,
        "draws": True,
        "outcome": True,
    }


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            lambda record: record["draws"][3].update(item="[red]"),
            "ply 0, draw 4: the record says [red], the seed",
        ),
        (lambda record: record["steps"][4].update(seat=7), "step 5 (seat 7, "),
        (
            lambda record: record["salts"].reverse(),
            "the record says secret/5a17,-, secret and salts give secret/-",
        ),
        (lambda record: record["outcome"].update(reason="luck"), "the record ends with"),
        (lambda record: record.update(version=99), "kora was played under rules 99; these are rules 1"),
        (lambda record: record.update(game="sans-nom"), "there is no game 'sans-nom' here"),
    ],
)
def test_verify_names_the_place_of_an_error(dealt, change, text):
    result = run("verify", dealt(change))
    assert result.exit_code == 1
    assert next(line for line in result.stdout.splitlines() if line.startswith("✗")).find(text) > 0
    assert "fail" in result.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "partie.json: Input data was truncated"),
        ("PDN", "partie.json: JSON is malformed"),
        ("[]", "Expected `object`"),
        ('{"game": "kora"}', "missing required field `version`"),
        ("\xff", "partie.json: "),
    ],
)
def test_verify_of_a_broken_record_is_an_error(tmp_path, text, problem):
    (tmp_path / "partie.json").write_text(text, "latin-1")
    result = run("verify", tmp_path / "partie.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert problem in result.stderr
    assert "Traceback" not in result.stderr


def test_verify_of_a_missing_file_is_an_error(tmp_path):
    assert "absent.json" in run("verify", tmp_path / "absent.json").stderr


def test_types_are_written_and_checked(tmp_path):
    (tmp_path / "src" / "games" / "kora").mkdir(parents=True)
    stale = run("types", "--check", "--web", tmp_path)
    assert stale.exit_code == 1
    assert all(name in stale.stderr for name in typescript.files(tmp_path))
    assert run("types", "--web", tmp_path).stdout.count("wrote") == len(typescript.files(tmp_path))
    assert run("types", "--check", "--web", tmp_path).exit_code == 0
    assert run("types", "--web", tmp_path).stdout == ""


def test_the_commands_of_a_game_are_mounted_and_imported_only_when_asked_for(tmp_path, monkeypatch):
    folder = tmp_path / "essai"
    write_game(folder, "essai")
    export = folder / "__init__.py"
    export.write_text(
        export.read_text("utf-8").replace("bots=BOTS", 'bots=BOTS, commands={"der": f"{__name__}.cli:app"}')
    )
    (folder / "cli.py").write_text(
        "import typer\n"
        "app = typer.Typer()\n"
        "@app.command()\n"
        "def bonjour(): typer.echo('atout')\n"
        "@app.command()\n"
        "def bonsoir(): typer.echo('dix de der')\n"
    )
    monkeypatch.setattr(tablee.games, "__path__", [*tablee.games.__path__, str(tmp_path)])
    discover.found.cache_clear()
    run("replay", tmp_path / "absent.json")
    assert "tablee.games.essai" not in sys.modules
    try:
        assert run("simulate", "essai", "--games", "1").exit_code == 0
        assert "tablee.games.essai.cli" not in sys.modules
        assert run("der", "bonsoir").stdout == "dix de der\n"
        assert "der" in run("--help").stdout
    finally:
        for name in [name for name in sys.modules if name.startswith("tablee.games.essai")]:
            del sys.modules[name]
        vars(tablee.games).pop("essai")
        discover.found.cache_clear()


def test_a_broken_game_is_named_with_its_error(tmp_path, monkeypatch):
    (tmp_path / "cassee").mkdir()
    (tmp_path / "cassee" / "__init__.py").write_text("import atout\n")
    monkeypatch.setattr(tablee.games, "__path__", [*tablee.games.__path__, str(tmp_path)])
    discover.found.cache_clear()
    try:
        answer = run("simulate", "cassee")
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert "'cassee' cannot be loaded: ModuleNotFoundError: No module named 'atout'" in answer.stderr
        assert run("simulate", "kora", "--games", "1").exit_code == 0
    finally:
        discover.found.cache_clear()


def test_starting_imports_neither_games_nor_the_server():
    """`tablee serve` imports nothing that only another command needs."""
    code = "import sys, tablee.cli; print(*(name for name in sys.modules if name.startswith(('tablee.', 'litestar'))))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [name for name in result.stdout.split() if not name.startswith("tablee.cli")] == []


def test_the_version_is_printed():
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"tablee {__version__}\n")
