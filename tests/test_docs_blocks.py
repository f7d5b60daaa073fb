"""Every block of code in the docs runs in a test, or says in the Markdown why it does not."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from doc_blocks import blocks

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "bench/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = ("bash", "console", "sh", "shell")
PROGRAMS = (
    *("tablee", "make", "python", "python3", "pip", "pipx", "uvx", "npm", "git", "curl", "printf", "echo", "sudo"),
    *("docker", "kubectl", "systemctl", "apt-get", "openssl", "psql"),
)
"""First words that make an indented block a block of commands."""
RUN_HERE = {"printf 4c1f0d7a9be238561f2e3d4c5b6a7988 | sha256sum"}
"""Commands that this file runs; test_docs.py runs or parses those of `tablee`."""


def lines_of(block):
    """Return the commands of a block, without comments and output; a line that goes on is one command."""
    joined = block.text.replace("\\\n", " ")
    lines = (re.sub(r"\s+# .*", "", line).strip() for line in joined.splitlines())
    commands = [line.removeprefix("$ ") for line in lines if line and not line.startswith("#")]
    return [line for line in commands if block.language or line.split()[0] in PROGRAMS]


def is_shell(block):
    return block.language in SHELL or (not block.language and block.text.split()[0] in PROGRAMS)


def targets():
    return set(re.findall(r"^([\w.$()/-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def is_covered(command):
    """Whether a test runs or checks a command: ours, a target of the Makefile, or one of `RUN_HERE`."""
    words = command.split()
    if words[0] == "tablee":
        return True
    if words[0] == "make":
        return all(word in targets() for word in words[1:] if "=" not in word)
    return command in RUN_HERE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_of_commands_is_covered_or_says_why_not(page):
    unmarked = [
        command
        for block in blocks(page)
        if is_shell(block) and not block.reason
        for command in lines_of(block)
        if not is_covered(command)
    ]
    assert unmarked == [], "put <!-- not run: REASON --> before the block"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_block_of_data_can_be_read(page):
    """Python runs in test_docs.py."""
    readers = {"json": json.loads, "toml": tomllib.loads}
    for block in blocks(page):
        assert block.language in {"", "python", "js", "text", *SHELL, *readers}
        if block.language in readers and not block.reason:
            readers[block.language](block.text)


def test_python_outside_the_pages_that_run_is_marked():
    """test_docs.py runs README.md and docs/*.md; Python elsewhere needs a reason."""
    elsewhere = [page for page in PAGES if page.parent not in (ROOT, ROOT / "docs")]
    unmarked = [page for page in elsewhere for block in blocks(page) if block.language == "python" and not block.reason]
    assert unmarked == []


def test_the_marks_are_few_and_used():
    """A mark before a paragraph, or one that a test made needless, goes away."""
    for page in PAGES:
        text = page.read_text("utf-8")
        reasons = [block.reason for block in blocks(page) if block.reason]
        assert len(reasons) == text.count("\n<!-- not run:"), page


@pytest.mark.parametrize("command", sorted(RUN_HERE))
def test_a_command_of_the_system_gives_what_the_page_says(command):
    page = (ROOT / "docs/fairness.md").read_text("utf-8")
    printed = subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout
    assert command in page
    assert printed.split()[0] in page


def test_a_block_without_a_mark_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n    docker ps\n\n<!-- not run: why -->\n\n    docker run\n\n```bash\ncurl x\n```\n")
    shell = [(block.text.strip(), block.reason) for block in blocks(page) if is_shell(block)]
    assert sorted(shell) == [("curl x", ""), ("docker ps", ""), ("docker run", "why")]
