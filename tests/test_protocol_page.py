"""docs/protocol.md describes every frame and every refusal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from tablee.server.frames import ClientFrame, ServerFrame
from tablee.server.search_frames import SearchClientFrame, SearchServerFrame

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
SENT = list(dict.fromkeys((*get_args(ServerFrame), *get_args(SearchServerFrame))))
FRAMES = list(dict.fromkeys((*get_args(ClientFrame), *get_args(SearchClientFrame), *SENT)))
HEADINGS = [re.findall(r"`(\w+)`", line) for line in PAGE.splitlines() if line.startswith("#### ")]


def tag_of(frame: type) -> str:
    return str(frame.__struct_config__.tag)  # type: ignore[attr-defined]


@pytest.mark.parametrize("frame", FRAMES, ids=tag_of)
def test_a_frame_has_a_section(frame: type) -> None:
    assert [tag for heading in HEADINGS for tag in heading].count(tag_of(frame)) >= 1


def test_no_section_describes_a_frame_that_is_gone() -> None:
    known = {tag_of(frame) for frame in FRAMES}
    assert {tag for heading in HEADINGS for tag in heading} == known


def refusal_codes() -> set[str]:
    """The codes that the server and the table raise, read from their source."""
    folders = (ROOT / "src" / "tablee" / name for name in ("core", "server", "store", "table"))
    sources = [path.read_text("utf-8") for folder in folders for path in folder.glob("*.py")]
    found = {code for text in sources for code in re.findall(r'Refus(?:ed|al)\(\s*"(\w+)"', text)}
    return found - {"not_the_fallback"}  # about a record, never sent to a client


@pytest.mark.parametrize("code", sorted(refusal_codes()))
def test_a_refusal_is_explained(code: str) -> None:
    assert f"`{code}" in PAGE


@pytest.mark.parametrize("frame", SENT, ids=tag_of)
def test_every_field_of_a_server_frame_is_named(frame: type) -> None:
    sections = PAGE.partition("### Server frames")[2].split("\n#### ")
    section = next(text for text in sections if f"`{tag_of(frame)}`" in text.splitlines()[0])
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", section))))
    assert named >= set(frame.__struct_fields__)  # type: ignore[attr-defined]
