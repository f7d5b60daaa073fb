"""Measure the page's main thread in Chromium on the five boards: placing, a move, a replay step.

    python bench/boards.py [--games kora,dames] [--times 7] [--width 1280 --height 800]
    python bench/boards.py --against ../old/src/tablee/server/static

A real server, a real browser, and gestures of the mouse and the keyboard. Each figure is the median CPU time of the
main thread: Chromium's `TaskDuration` in the time domain `threadTicks`, with scripts, styles, layout and the frames of
the animation that follows. Other programs change it less than wall time. A move is one frame of the match; the time of
one's own move and of the answers is divided by their number. With `--against`, another build of the client takes turns
with this one on the same server.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from playwright.sync_api import Browser, CDPSession, Page, Route, WebSocket, sync_playwright

from common import report
from processes import Tablee
from tablee.core.chance import SeedChance
from tablee.core.discover import find
from tablee.core.game import Think
from tablee.core.match import Match
from tablee.games.scrabble.board import EMPTY, LINES, PLACES
from tablee.games.scrabble.movegen import plays

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "tablee" / "server" / "static"
GAMES = ("kora", "dames", "scrabble", "ojyx", "president")
TARGET_MS = 30
SETTLES = 900
"""Milliseconds after which a change has been drawn and its animation is over."""
SWEEPS = {"kora": 1900, "dames": 2000, "president": 2200}
"""Cards of a finished trick and won points leave the board later."""
REPLAYED_PLIES = 40
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
    "--disable-features=LocalNetworkAccessChecks",  # pages from a folder count as public, the server is local
]
COUNTED = {"style": "RecalcStyleCount", "layout": "LayoutCount"}
TIMED = {"task": "TaskDuration", "script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}

Gesture = Callable[[], None]
Figures = dict[str, float]


class Table:
    """A page with one table, driven by coordinates so that the driver adds nothing to what is measured."""

    def __init__(self, page: Page, game: str) -> None:
        self.page = page
        self.game = game
        self.frames: list[dict[str, Any]] = []
        self.measured: dict[str, list[Figures]] = {}
        self.metrics: CDPSession = page.context.new_cdp_session(page)
        self.metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self._keep(msgspec.json.decode(data)))

    def _keep(self, frame: dict[str, Any]) -> None:
        if frame["type"] in ("state", "moved"):
            self.frames.append(frame)

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.frames[-1]["view"]
        return view

    @property
    def legal(self) -> list[dict[str, Any]]:
        offer = self.frames[-1]["offer"]
        return offer["legal"] if offer else []

    @property
    def over(self) -> bool:
        return bool(self.frames and self.frames[-1]["outcome"])

    def await_turn(self, after: int = 0) -> None:
        """Wait until this person is asked, or the match is over."""
        for _ in range(15_000):  # the first decision of a bot may wait for the compiler
            if len(self.frames) > after and (self.over or self.frames[-1]["offer"]):
                return
            self.page.wait_for_timeout(20)
        raise RuntimeError(f"{self.game} waits for nobody: {self.frames[-1:]}")

    def click(self, selector: str) -> Gesture:
        """Find the middle of an element now, and return the click."""
        box = self.page.locator(selector).first.bounding_box()
        if box is None:
            raise RuntimeError(f"{self.game} shows no {selector}")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return lambda: self.page.mouse.click(x, y)

    def touch(self, selector: str) -> None:
        """Click without measuring."""
        self.click(selector)()
        self.page.wait_for_timeout(SETTLES)

    @contextmanager
    def measuring(self, what: str) -> Iterator[None]:
        """Measure what the main thread does from here until everything has settled."""
        before = self._read()
        yield
        self.page.wait_for_timeout(SWEEPS.get(self.game, SETTLES) if what == "move" else SETTLES)
        after = self._read()
        figures = {name: 1000 * (after[key] - before[key]) for name, key in TIMED.items()}
        figures |= {f"{name}s": after[key] - before[key] for name, key in COUNTED.items()}
        self.measured.setdefault(what, []).append(figures)

    def _read(self) -> dict[str, float]:
        return {one["name"]: one["value"] for one in self.metrics.send("Performance.getMetrics")["metrics"]}

    def place(self, *selectors: str) -> None:
        """Measure the clicks that place or select one thing."""
        gestures = [self.click(selector) for selector in selectors]
        with self.measuring("placing"):
            for gesture in gestures:
                gesture()

    def move(self, *selectors: str) -> None:
        """Measure the last clicks of a move and the answers to it; divide by the number of moves."""
        *first, last = [self.click(selector) for selector in selectors]
        seen = len(self.frames)
        with self.measuring("move"):
            for gesture in first:
                gesture()
            last()
            self.await_turn(seen)
        moves = len(self.frames) - seen
        figures = self.measured["move"][-1]
        self.measured["move"][-1] = {name: value / moves for name, value in figures.items()}


def play_kora(table: Table) -> None:
    table.move('[data-testid="hand-card"][data-playable="true"]')


def play_dames(table: Table) -> None:
    path = next(action["path"] for action in table.legal if action["type"] == "move")
    squares = [f'[data-square="{square}"]' for square in path]
    table.place(squares[0])
    table.move(*squares[1:])


def play_scrabble(table: Table) -> None:
    """Lay a word tile by tile, take it back, shuffle, lay it again and play it."""
    board = "".join(table.view["board"])
    found = plays(board, table.view["rack"].replace("?", ""), table.view["options"]["lexicon"])
    word = max(found, key=lambda play: (len(play.word) < 6, len(play.word)), default=None)
    if word is None:
        table.touch('[data-testid="pass"]')
        return table.move('[data-testid="pass-confirm"]')
    number, start = PLACES[word.at]
    squares = LINES[number].squares[start : start + len(word.word)]
    new = [(square, letter) for square, letter in zip(squares, word.word, strict=True) if board[square] == EMPTY]
    for again in (False, True):
        for square, letter in new:
            tile = f'[data-testid="rack-tile"][data-letter="{letter}"]'
            if again:
                table.click(tile)()
                table.touch(f'[data-index="{square}"]')
            else:
                table.place(tile, f'[data-index="{square}"]')
        if not again:
            recall = table.click('[data-testid="recall"]')
            with table.measuring("recall, shuffle"):
                recall()
                table.page.wait_for_timeout(SETTLES)
                recall()  # the button that shuffles has taken its place
    table.move('[data-testid="place"]')


def play_ojyx(table: Table) -> None:
    """Turn the first cards; then draw from the deck and put the card on a hidden one."""
    view = table.view
    own = view["seat"]
    hidden = [at for at, what in enumerate(view["seats"][own]["cells"]) if what == "hidden"]
    cells = [f'[data-testid="cell"][data-seat="{own}"][data-cell="{at}"]' for at in hidden]
    if view["stage"] == "draw":
        table.place('[data-testid="pile-deck"]')
        table.move(cells[0])
    elif view["stage"] in ("pick", "choose", "reveal"):
        for cell in cells[:2]:
            table.touch(cell)
        table.touch('[data-testid="confirm"]')
    else:
        raise RuntimeError(f"nobody told this script what to do in {view['stage']}")


def play_president(table: Table) -> None:
    """Lay a single card, or else pass. An exchange ends the match for this script."""
    action = next((one for one in table.legal if one["type"] == "play" and len(one["cards"]) == 1), None)
    if action is None:
        kinds = {one["type"] for one in table.legal}
        kind = next((kind for kind in ("pass", "stop") if kind in kinds), None)
        return table.move(f'[data-testid="{kind}"]') if kind else None
    table.place(f'[data-testid="hand-card"][data-card="{action["cards"][0]}"]')
    table.move('[data-testid="play"]')


PLAYERS: dict[str, Callable[[Table], None]] = {
    "kora": play_kora,
    "dames": play_dames,
    "scrabble": play_scrabble,
    "ojyx": play_ojyx,
    "president": play_president,
}
OPTIONS: dict[str, dict[str, Any]] = {"dames": {"move_time": 0, "match_time": 0, "player_time": 0}}


def record_of(game: str) -> bytes:
    """Let bots play the beginning of a match, and return its record."""
    bot = find(game).bots["facile"]
    match = Match.start(game, seed="bench boards")
    while match.outcome is None and match.ply < REPLAYED_PLIES:
        seat = min(match.turn.must)
        match.play(
            seat, bot.choose(match.view(seat), match.legal(seat), Think(seat, SeedChance("bench", match.ply), 1))
        )
    return match.record().to_json()


def measure_play(table: Table, times: int) -> None:
    """Play against bots until the placements and moves suffice, in as many matches as it takes."""
    while len(table.measured.get("move", [])) < times:
        table.frames.clear()
        setup = {"game": table.game, "options": OPTIONS.get(table.game, {}), "bots": ["facile"], "start": True}
        if table.game == "president":
            setup |= {"seats": 4, "bots": ["facile"] * 3}
        code = table.page.request.post("/api/tables", data=setup).json()["code"]
        table.page.goto(f"/table/{code}")
        table.await_turn()
        table.page.wait_for_timeout(2 * SETTLES)
        for _ in range(times):
            if table.over:
                break
            PLAYERS[table.game](table)
            table.await_turn()


def measure_replay(table: Table, record: Path, times: int) -> None:
    table.page.goto("/partie")
    table.page.get_by_test_id("upload").set_input_files(record)
    table.page.get_by_test_id("felt").wait_for()
    table.page.wait_for_timeout(2 * SETTLES)
    for _ in range(times):
        with table.measuring("replay step"):
            table.page.keyboard.press("ArrowRight")


@contextmanager
def opened(browser: Browser, url: str, game: str, static: Path, size: tuple[int, int]) -> Iterator[Table]:
    """Open a page that gets everything but the API from a folder."""

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(url).partition("?")[0].lstrip("/")
        if path.startswith(("api/", "boards/")):
            return route.continue_()
        file = static / path
        route.fulfill(path=file if path and file.is_file() else static / "index.html")

    context = browser.new_context(base_url=url, locale="fr-FR", viewport={"width": size[0], "height": size[1]})
    context.route("**/*", serve)
    try:
        yield Table(context.new_page(), game)
    finally:
        context.close()


def medians(measured: dict[str, list[Figures]]) -> dict[str, Figures]:
    return {
        what: {name: round(median(one[name] for one in found), 1) for name in found[0]}
        for what, found in measured.items()
    }


def table_of(results: dict[str, dict[str, dict[str, Figures]]]) -> str:
    """Return all figures as a Markdown table, one row for each game, gesture and build."""
    rows = ["| game | gesture | build | main thread | script | style | layout |", "|---|---|---|---|---|---|---|"]
    for game, builds in results.items():
        for what in next(iter(builds.values())):
            for build, figures in builds.items():
                one = figures[what]
                mark = "" if one["task"] <= TARGET_MS else " (over)"
                style, layout = (f"{one[name]:.0f} ms in {one[name + 's']:.0f}" for name in COUNTED)
                script = f"{one['script']:.0f} ms"
                rows.append(
                    f"| {game} | {what} | {build} | {one['task']:.0f} ms{mark} | {script} | {style} | {layout} |"
                )
    return "\n".join(rows)


def static_of(folder: Path) -> Path:
    """Return the built client of a clone, or the folder itself if it is one."""
    inside = folder / STATIC.relative_to(ROOT)
    return inside if inside.is_dir() else folder


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", default=",".join(GAMES), help="a comma between two")
    options.add_argument("--times", type=int, default=7, help="how often each gesture is measured")
    options.add_argument("--width", type=int, default=1280)
    options.add_argument("--height", type=int, default=800)
    options.add_argument("--against", type=Path, help="a clone or its built client, measured in turn with this one")
    chosen = options.parse_args()
    builds = {"this": STATIC} | ({"other": static_of(chosen.against)} if chosen.against else {})
    # Bots compile once, not in every run.
    os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / "build" / "numba"))
    path = subprocess.check_output([ROOT / "scripts" / "browser"], text=True).strip()
    results: dict[str, dict[str, dict[str, Figures]]] = {}
    with tempfile.TemporaryDirectory(dir=ROOT / "bench") as data, sync_playwright() as playwright:
        server = Tablee(Path(data), warm=True)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            for game in chosen.games.split(","):
                record = Path(data) / f"{game}.json"
                record.write_bytes(record_of(game))
                for build, static in builds.items():
                    with opened(browser, server.url, game, static, (chosen.width, chosen.height)) as table:
                        measure_play(table, chosen.times)
                        measure_replay(table, record, chosen.times)
                    results.setdefault(game, {})[build] = medians(table.measured)
        finally:
            browser.close()
            server.stop()
    print(table_of(results))
    report(__file__, f"boards: {len(results)} games at {chosen.width} × {chosen.height}", {"results": results})


if __name__ == "__main__":
    main()
