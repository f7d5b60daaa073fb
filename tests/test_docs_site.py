"""The generated pages of the documentation site, and the way in which the server shows the site."""

import os
import re
import sys
from pathlib import Path
from typing import get_args

import pytest
import typer

import tablee
from tablee.cli import main
from tablee.core.game import Refused
from tablee.server import static
from tablee.server.bot_bodies import EventCommand, StreamFrame
from tablee.server.frames import ClientFrame, ServerFrame
from tablee.server.search_frames import SearchClientFrame, SearchServerFrame
from tablee.server.static import StaticFiles

ROOT = Path(__file__).parents[1]
UNIONS = (ClientFrame, ServerFrame, SearchClientFrame, SearchServerFrame, EventCommand, StreamFrame)
FRAMES = list(dict.fromkeys(frame for union in UNIONS for frame in get_args(union)))


@pytest.fixture(scope="module")
def pages():
    """`scripts/docs_pages.py`, which is no part of the package."""
    sys.path.insert(0, str(ROOT))
    try:
        from scripts import docs_pages
    finally:
        sys.path.pop(0)
    return docs_pages


def test_every_command_and_option_is_on_its_page(pages):
    page = pages.commands_page()
    group = typer.main.get_command(main)
    for path, command, context in pages.walk(group, "tablee", None):
        assert f"`{path}`\n" in page
        for parameter in command.get_params(context):
            if not pages.is_hidden(parameter) and parameter.param_type_name == "option":
                assert parameter.opts[0] in page, (path, parameter.opts)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: f"{frame.__module__}.{frame.__name__}")
def test_a_frame_has_its_fields_on_the_page(frame, pages):
    """The page is made from the structs at each build, so it cannot be out of date."""
    found = re.findall(rf"\{{ #(?:\w+-)?{frame.__name__} \}}\n(.*?)(?=\n##|\Z)", pages.frames_page(), re.DOTALL)
    rows = [f"| `{field}" for field in frame.__struct_fields__]
    rows += [f" {pages.cell(text)} |" for text in pages.field_docs(frame).values()]
    assert any(all(row in section for row in rows) for section in found), (rows, found)


def test_every_public_name_is_on_the_page_of_the_api(pages):
    page = pages.api_page()
    assert [name for name in tablee.__all__ if f"::: tablee.{name}\n" not in page] == []


def test_a_field_of_a_body_has_its_docstring(pages):
    page = pages.frames_page()
    assert "### SeatInfo" in page
    assert "This person has asked for another match." in page


@pytest.fixture
def site(tmp_path):
    """A small site in the folder of the client."""
    for name, text in {
        "index.html": "<title>client</title>",
        "docs/index.html": "<title>docs</title>",
        "docs/jouer/index.html": "<title>jouer</title>",
        "docs/assets/site.css": "body {}",
    }.items():
        path = tmp_path / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "static/docs/link.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "static/docs/linked").symlink_to(tmp_path)
    (tmp_path / "index.html").write_text("secret")
    return StaticFiles(tmp_path / "static")


async def get(site, path):
    sent = []

    async def send(message):
        sent.append(message)

    await site({"method": "GET", "path": path, "headers": []}, None, send)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"].decode()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/docs/", "docs"),
        ("/docs/jouer/", "jouer"),
        ("/docs/assets/site.css", "body"),
        ("/", "client"),
        ("/docsx", "client"),
    ],
)
async def test_the_site_is_served_under_docs(site, path, text):
    status, headers, body = await get(site, path)
    assert status == 200
    assert text in body
    assert headers[b"content-type"].startswith(b"text/")


@pytest.mark.parametrize("path", ["/docs", "/docs/jouer"])
async def test_a_page_without_its_slash_leads_to_it(site, path):
    status, headers, _ = await get(site, path)
    assert (status, headers[b"location"]) == (308, f"{path}/".encode())


@pytest.mark.parametrize(
    "path",
    [
        "/docs/none",
        "/docs/../secret.txt",
        "/docs/link.txt",
        "/docs/%2e%2e/secret.txt",
        "/docs/linked/",
        "/docs/linked/secret.txt",
        "/docs//etc/passwd",
        "/docs//jouer/",
        "/docs/jouer/../jouer/",
        "/docs/assets/site.css/",
        "/docs/assets",
        "/docs/\0",
        "/docs/\ud800",
        f"/docs/{'long' * 100}",
    ],
)
async def test_nothing_else_is_served(site, path):
    with pytest.raises(Refused, match="unknown_path"):
        await get(site, path)


async def test_the_site_may_be_built_and_built_anew_while_the_server_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(static, "CLONE", tmp_path)
    site = StaticFiles(tmp_path / "static")
    for path in ("/docs", "/docs/", "/docs/jouer/"):
        with pytest.raises(Refused, match="unknown_path"):
            await get(site, path)
    page = tmp_path / "site" / "index.html"
    page.parent.mkdir()
    for number in range(2):
        page.write_text(f"build {number}")
        os.utime(page, (number, number))
        assert (await get(site, "/docs/"))[::2] == (200, f"build {number}")
