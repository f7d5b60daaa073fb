"""The Dockerfile passes hadolint and keeps to what tests/support/dockerfile.py can build."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from dockerfile import Ignored, read

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text()
HADOLINT = Path(sys.executable).with_name("hadolint")


def hadolint(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([HADOLINT, "--no-color", "-"], input=text, capture_output=True, text=True)


def test_hadolint_finds_nothing():
    assert hadolint(TEXT).stdout == ""


@pytest.mark.parametrize(
    ("good", "bad", "rule"),
    [
        ("FROM python:3.12", "FROM python:latest", "DL3007"),
        ("WORKDIR /src\n", "WORKDIR src\n", "DL3000"),
        ("COPY --from=build", "COPY --from=bulid", "DL3022"),
    ],
)
def test_hadolint_would_find_mistakes(good, bad, rule):
    assert rule in hadolint(TEXT.replace(good, bad)).stdout


def test_the_image_starts_from_nothing_and_is_not_run_by_root():
    *_, image = read(TEXT)
    assert image.base == "scratch"
    assert image.last("USER") == "10001:10001"
    assert "/healthz" in image.last("HEALTHCHECK")
    assert image.last("EXPOSE") == "8000"


def test_base_images_have_a_version_and_no_registry():
    bases = [stage.base for stage in read(TEXT) if stage.base != "scratch"]
    assert all(re.fullmatch(r"[a-z]+:\d[\w.-]*", base) for base in bases), bases


def test_run_steps_name_no_absolute_path():
    """Otherwise a build without Docker would write outside its folder."""
    runs = [text for stage in read(TEXT) for name, text in stage.steps if name == "RUN"]
    assert len(runs) == 5
    assert [run for run in runs if re.search(r"(^|[\s=\"'])[/~]", run)] == []


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("src/tablee/cli/serve.py", False),
        ("src/tablee/cli/__pycache__/serve.cpython-312.pyc", True),
        ("src/tablee/server/static/index.html", True),
        ("web/src/main.ts", False),
        ("web/node_modules/vite/package.json", True),
        ("data/secret.key", True),
        (".git/config", True),
        (".venv/bin/python", True),
        ("docs/rules/dames.md", False),
        ("docs/hosting.md", True),
    ],
)
def test_the_context_holds_sources_and_nothing_private(path, ignored):
    assert Ignored((ROOT / ".dockerignore").read_text())(path) is ignored
