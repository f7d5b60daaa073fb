"""docs/hosting.md quotes the files of deploy/, and the systemd unit fits the server."""

import re
import shlex
from configparser import ConfigParser

import pytest
import typer
from manifests import ROOT

from tablee.cli import main

PAGE = (ROOT / "docs/hosting.md").read_text()
UNIT = ROOT / "deploy/tablee.service"


@pytest.mark.parametrize("name", ["Caddyfile", "tablee.service"])
def test_the_page_quotes_a_file_as_it_is(name):
    lines = (ROOT / "deploy" / name).read_text().splitlines()
    assert "\n".join(f"    {line}" if line else "" for line in lines) in PAGE


def test_every_file_that_the_page_names_is_there():
    names = re.findall(r"`((?:deploy|docs|tests)/[\w./-]+|compose\.yaml|Dockerfile)`", PAGE)
    assert len(names) > 4
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_every_variable_that_the_page_names_is_an_option_or_in_a_file():
    known = (ROOT / "deploy/Caddyfile").read_text() + (ROOT / "Dockerfile").read_text()
    options = {parameter.envvar for parameter in serve_command().params}
    assert [name for name in re.findall(r"\bTABLEE_[A-Z_]+", PAGE) if name not in options and name not in known] == []


def serve_command() -> typer.core.TyperCommand:
    return typer.main.get_group(main).commands["serve"]  # type: ignore[return-value]


def test_the_unit_starts_the_server_with_options_that_it_has():
    _, command, *words = shlex.split(unit()["Service"]["ExecStart"])
    assert command == "serve"
    parsed = serve_command().make_context("serve", words)
    assert str(parsed.params["data"]) == f"/var/lib/{unit()['Service']['StateDirectory']}"


def test_the_unit_may_write_only_into_its_data_folder():
    service = unit()["Service"]
    assert service["DynamicUser"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["ProtectHome"] == "yes"
    assert "ReadWritePaths" not in service


def unit() -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser
