"""The blocks of code of a page in Markdown. `<!-- not run: REASON -->` before a block says why no test runs it."""

import re
from typing import NamedTuple

FENCED = re.compile(r"^( *)```(\w*)(?: file=(\S+))?\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}\S[^\n]*\n(?:\n(?= {4}\S))?)+")
MARK = re.compile(r"<!-- not run: (\S.*?) -->\s*$", re.DOTALL)


class Block(NamedTuple):
    language: str
    file: str
    """The file that the block is; the template of `tablee new` has it."""
    text: str
    reason: str
    """Why it is not run; empty if it is."""


def blocks(page):
    """Return the blocks of a page: fenced ones, and indented ones outside lists."""
    text = page.read_text("utf-8")
    rest = FENCED.sub(lambda match: re.sub(r"[^\n]", "·", match[0]), text)
    fenced = [Block(one[2], one[3] or "", one[4], reason_before(text, one.start())) for one in FENCED.finditer(text)]
    return fenced + [Block("", "", one[0], reason_before(text, one.start())) for one in INDENTED.finditer(rest)]


def reason_before(text, at):
    mark = MARK.search(text[:at])
    return mark[1] if mark else ""
