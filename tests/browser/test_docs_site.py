"""The built documentation in a browser: every page, at two widths, under the server's strict policy."""

import subprocess
import sys

import pytest
from browse import DESKTOP, PHONE, ROOT, assert_fits
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def built():
    """Build the site where a server that runs from a clone finds it."""
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=ROOT, check=True)
    pages = sorted((ROOT / "site").rglob("index.html"))
    return [path.parent.relative_to(ROOT / "site").as_posix().replace(".", "") for path in pages]


@pytest.mark.soak
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_page_fits_asks_nobody_else_and_can_be_searched(built, own_site, someone, viewport):
    """`someone` fails on any error in the console, such as a script that the policy blocks."""
    page = someone(own_site, "/docs/", viewport=viewport)
    foreign = []
    page.on("request", lambda request: None if request.url.startswith(own_site.url) else foreign.append(request.url))
    for name in built:
        page.goto(f"/docs/{name}/" if name else "/docs/")
        expect(page.locator("h1").first).to_be_visible()
        assert_fits(page, viewport["width"])
    assert [url for url in foreign if not url.startswith("data:")] == []
    if viewport == DESKTOP:
        page.get_by_placeholder("Search").fill("kora")
        expect(page.locator(".md-search-result__item").first).to_be_visible()
