"""A draughts engine that speaks Hub, for tests: it plays the first legal move, or misbehaves as its argument says.

    python hub_engine.py FOLDER [good|hangs|dies|cheats|babbles|floods|grows]

It writes one line into FOLDER/asked for each question, so that a test sees what it was told.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tablee.games.dames.board import TEN
from tablee.games.dames.hub_lines import parse, read_position, write_move


def say(line: str) -> None:
    print(line, flush=True)


def answer(folder: Path, how: str, position: str) -> None:
    with (folder / "asked").open("a") as asked:
        asked.write(f"{position} {sorted(os.environ)}\n")
    match how:
        case "hangs":
            time.sleep(3600)
        case "dies":
            sys.exit(1)
        case "cheats":
            say("done move=1-50")
        case "babbles":
            say("done \x00\x1b[31m ==")
        case "floods":
            while True:
                say("info " + "x" * 1000)
        case "grows":
            hoard = bytearray(512 * 1024 * 1024)
            say(f"done move=1-50 info={len(hoard)}")
        case _:
            say("info depth=1")
            say(f"done move={write_move(TEN.moves(read_position(position))[0])}")


def main() -> None:
    folder, how = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "good"
    position = ""
    for line in sys.stdin:
        command, arguments = parse(line)
        match command:
            case "hub":
                say("id name=Essai version=1")
                say("wait")
            case "init":
                say("ready")
            case "pos":
                position = arguments["pos"]
            case "go":
                answer(folder, how, position)
            case "quit":
                break


if __name__ == "__main__":
    main()
