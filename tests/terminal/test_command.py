"""What `tablee play` says if it cannot begin."""

import pytest
from typer.testing import CliRunner

from tablee.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["belote"], "there is no game 'belote'"),
        (["kora", "--bot", "champion"], "kora has no level 'champion'; the levels are random, facile"),
        (["kora", "--seat", "2"], "the seats go from 0 to 1"),
        (["kora", "--seats", "5"], "5 seats; the game takes 2"),
        (["kora", "--options", '{"deals": 2}'], "option 'deals'"),
        (["kora", "--lang", "de"], "the languages are fr and en"),
        ([], "name a game, or a table with --join"),
        (["kora"], "needs a terminal"),
        (["--join", "K7QX2M"], "expected CODE@HOST"),
        (["--join", "K7QX2M@127.0.0.1:1"], "needs a terminal"),
    ],
)
def test_the_reason_is_one_line(words, said):
    result = CliRunner().invoke(main, ["play", *words])
    assert result.exit_code == 2
    assert said in result.output
    assert len(result.output.splitlines()) == 1
