"""Every game is played to its end by touch alone, at three sizes and in both languages, and then replayed.

PICTURES=folder keeps a picture of the start, the middle, the result and the replay of each match.
"""

import os
from itertools import product
from pathlib import Path

import pytest
from browse import DESKTOP, PHONE, OpenPage, record_frames
from live import LiveServer
from playwright.sync_api import Response, ViewportSize, expect
from tour import AT_RESULT, ROUTES, Tour

SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
SIZES = {"desktop": DESKTOP, "phone": PHONE, "sideways": SIDEWAYS}
LANGUAGES = {"fr": "fr-FR", "en": "en-GB"}
QUICK = {
    ("kora", "phone", "en"),
    ("dames-8", "sideways", "fr"),
}
"""The matches of `make test`; `make soak` plays the others too."""

ALL = [
    pytest.param(*one, marks=[] if one in QUICK else [pytest.mark.soak], id="-".join(one))
    for one in product(ROUTES, SIZES, LANGUAGES)
]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "size", "language"), ALL)
def test_a_match_is_played_to_its_end_and_replayed(
    site: LiveServer, someone: OpenPage, game: str, size: str, language: str
) -> None:
    touch = size != "desktop"
    page = someone(site, locale=LANGUAGES[language], viewport=SIZES[size], has_touch=touch, is_mobile=touch)
    expect(page.locator("html")).to_have_attribute("lang", language)
    failed: list[str] = []

    def answered(response: Response) -> None:
        if response.status >= 400:
            failed.append(f"{response.status} {response.url}")

    page.on("response", answered)
    folder = os.environ.get("PICTURES")
    pictures = Path(folder, f"{game}-{size}-{language}") if folder else None
    tour = Tour(page, record_frames(page), ROUTES[game], pictures)
    tour.begin()
    tour.examine("start")
    tour.play()
    tour.examine("result", AT_RESULT)
    tour.replay()
    tour.home()
    assert tour.seen == ["start", "middle", "result", "replay"]
    assert tour.problems == {}
    assert failed == []
