"""The example of docs/fairness.md, and records that were tampered with."""

from pathlib import Path

from msgspec.structs import replace

from tablee.core.fairness import NO_SALT, verify

SECRET, SALTS = "4c1f0d7a9be238561f2e3d4c5b6a7988", ("c0ffee5a17", NO_SALT)
COMMIT = "7ed24c445f4c609c9755db18602c85dc4f13bdab5782bc32b93e3c04ab00535d"
PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")


def wrong(record, commit=COMMIT):
    """Return the problems by check."""
    return {check.what: check.detail for check in verify(record, commit) if check.ok is False}


def with_draw(record, at, **changes):
    listed = [*record.draws]
    listed[at] = replace(listed[at], **changes)
    return replace(record, draws=tuple(listed))
