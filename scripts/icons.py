"""Draw the icons of the installed app from web/public/favicon.svg: `.venv/bin/python scripts/icons.py`."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
PUBLIC = ROOT / "web" / "public"
CLOTH = "#1f5a41"
LETTER = '<path d="M20 21h24v7h-3q-.5-3-3.5-3H35v19q0 2 3 2v2H26v-2q3 0 3-2V25h-2.5q-3 0-3.5 3h-3z" fill="#fff" />'


def framed(svg: str, scale: float) -> str:
    """Lay a drawing on plain cloth, so that a phone may cut any shape out of it."""
    inner = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    move = 32 * (1 - scale)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{CLOTH}" />'
        f'<g transform="translate({move} {move}) scale({scale})">{inner}</g></svg>'
    )


def draw(page: Page, svg: str, size: int, name: str) -> None:
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(f"<style>html,body{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{svg}")
    page.screenshot(path=PUBLIC / "icons" / name, omit_background=True)


def main() -> None:
    logo = (PUBLIC / "favicon.svg").read_text()
    badge = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="16 16 32 32">{LETTER}</svg>'
    browser = subprocess.check_output([ROOT / "scripts" / "browser"], text=True).strip()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page()
        for size in (192, 512):
            draw(page, logo, size, f"icon-{size}.png")
        draw(page, framed(logo, 0.8), 512, "maskable-512.png")
        draw(page, framed(logo, 0.9), 180, "apple-touch-icon.png")
        draw(page, badge, 96, "badge.png")
        chromium.close()


if __name__ == "__main__":
    main()
