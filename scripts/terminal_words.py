"""Copy the texts that the terminal shares with the page: names, levels, refusals and reasons, in both languages.

    python scripts/terminal_words.py [--check]

The page's files are the source. With --check, exit with 1 if a copy is not current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web/src"
SOURCE = ROOT / "src/tablee"
LANGUAGES = ("fr", "en")
SHARED = ("name", "refusals.", "reasons.", "levels.")
"""The texts of a game that its terminal board shows too."""
GENERAL = (
    *("already_seated", "bad_action", "banished", "end_alone", "match_running", "missing_resource", "name_unwanted"),
    *("no_match", "no_such_seat", "not_host", "not_legal", "not_seated", "not_watchable", "not_your_turn", "over"),
    *("paused", "rematch_awaited", "reserved", "rules_changed", "seat_taken", "seats_empty", "server_closing"),
    *("server_error", "stale_offer", "store_down", "table_closed", "table_full", "time_is_up", "too_many"),
    *("too_many_connections", "unknown_table", "unreachable"),
)
"""The refusals outside games that a player in a terminal can meet."""


def shared_texts(folder: Path) -> str:
    """Return the texts of a folder of the page that the terminal needs, as JSON."""
    texts = {lang: chosen(json.loads((folder / f"{lang}.json").read_text("utf-8"))) for lang in LANGUAGES}
    for lang in LANGUAGES:
        board = folder / f"board.{lang}.json"
        if board.is_file():
            words = json.loads(board.read_text("utf-8"))
            texts[lang] |= {key: words[key] for key in words if key.startswith("card.") and key.count(".") == 1}
    return json.dumps(texts, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def chosen(texts: dict[str, str]) -> dict[str, str]:
    wanted = {key: text for key, text in texts.items() if key.startswith(SHARED)}
    if "name" in texts:  # of a game
        return wanted
    return {
        key: text for key, text in wanted.items() if key.split(".")[0] != "refusals" or key.split(".")[1] in GENERAL
    }


def copies() -> dict[Path, str]:
    """Return what each copy must contain."""
    games = sorted(path.parent.name for path in (WEB / "games").glob("*/fr.json"))
    found = {SOURCE / "games" / key / "terminal.json": shared_texts(WEB / "games" / key) for key in games}
    return {SOURCE / "terminal" / "terminal.json": shared_texts(WEB / "i18n"), **found}


def main() -> int:
    stale = [path for path, text in copies().items() if not path.is_file() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not current: run scripts/terminal_words.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(copies()[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
