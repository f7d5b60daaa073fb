"""Hooks of mkdocs: pages that follow from the code, files outside docs/, and scripts that a strict CSP allows."""

from __future__ import annotations

import posixpath
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scripts import docs_pages  # noqa: E402

OUTSIDE = {"CHANGELOG.md": "changelog.md", "bench/README.md": "performance.md"}
"""Files outside docs/ that are pages of the site."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
FILE = re.compile(r"^(```\w+) file=(\S+)$", re.MULTILINE)
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)

scripts: dict[str, str] = {}


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages, the pages from outside docs/ and the logo."""
    pages = {
        "commands.md": docs_pages.commands_page(),
        "frames.md": docs_pages.frames_page(),
        "api.md": docs_pages.api_page(),
        **{page: (ROOT / source).read_text("utf-8") for source, page in OUTSIDE.items()},
    }
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    logo = (ROOT / "web/public/favicon.svg").read_text("utf-8")
    files.append(File.generated(config, "assets/logo.svg", content=logo))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links between the files of the repository into links between pages; other files become plain text."""
    here = page.file.src_uri
    source = next((outside for outside, name in OUTSIDE.items() if name == here), f"docs/{here}")

    def link(found: re.Match[str]) -> str:
        image, text, target, anchor = found[1], found[2], found[3], found[4] or ""
        if ":" in target or target.startswith("/"):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        inside = OUTSIDE.get(path, path.removeprefix("docs/") if path.startswith("docs/") else "")
        page_file = files.get_file_from_path(inside) if inside else None
        if page_file is None:
            return text
        if text.endswith(".md"):
            text = title_of(page_file.content_string) or text
        relative = posixpath.relpath(inside, posixpath.dirname(here) or ".")
        return f"{image}[{text}]({relative}{anchor})"

    return FILE.sub(r'\1 title="\2"', LINK.sub(link, markdown))


def title_of(markdown: str) -> str:
    """Return the first heading of a page."""
    found = re.search(r"^# (.+)$", markdown, re.MULTILINE)
    return found[1] if found else ""


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Move inline scripts into files: the server's policy allows none."""
    depth = page.url.count("/")

    def external(found: re.Match[str]) -> str:
        name = f"assets/inline/{sha256(found[1].encode()).hexdigest()[:16]}.js"
        scripts[name] = found[1]
        return f'<script src="{"../" * depth}{name}"></script>'

    return INLINE.sub(external, output)


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    """Do the same for the page of a missing address, which is served at any depth."""

    def external(found: re.Match[str]) -> str:
        name = f"assets/inline/{sha256(found[1].encode()).hexdigest()[:16]}.js"
        scripts[name] = found[1]
        return f'<script src="/docs/{name}"></script>'

    return INLINE.sub(external, output_content) if template_name == "404.html" else output_content


def on_post_build(config: Any) -> None:
    """Write the scripts, and leave out what nobody reads."""
    site = Path(config["site_dir"])
    for name, text in scripts.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for unused in (*site.rglob("*.map"), *site.glob("sitemap.xml*"), *site.glob("objects.inv")):
        unused.unlink()
