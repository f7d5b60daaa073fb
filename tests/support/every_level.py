"""Decides at every level of every game, in a process of its own, to see how much memory that takes."""

import random
from pathlib import Path

import msgspec

from tablee.bots.coaching import judge_view
from tablee.bots.decide import decide
from tablee.core.discover import find, games, warm_up
from tablee.core.laws.play import act_at_random
from tablee.core.match import Match
from tablee.server.bot_pool import begin_process

MATCHES: list[tuple[str, dict[str, object]]] = [
    ("dames", {}),
    ("dames", {"variant": "classic8"}),
    ("kora", {"deals": 5}),
    ("ojyx", {}),
    ("president", {}),
]
DECISIONS = 10
"""Decisions of each level in a match: the last ones of a deal of Kora need more memory than the first."""
LONG_ENDGAME = (
    "act 1 racks CFINPUV/ABEEOST scores 458/257 board A6:RIZ,C2:HAIES,D1:MAUL,D11:DAWS,E10:GAY,G6:TERRE,G13:JE,"
    "H1:GROIES,H10:HALENT,J10:UDON,K7:BORDEL,L8:NE,M5:COKSEE,M14:RU,N4:LEM,N14:VE,O10:PINTAS,6A:RESTANTS,8G:RUiLONS,"
    "12J:OLIM,13G:JEAN,14A:FaUSTIEN,15H:TOXIQUES"
)
"""Its search lists more plays than any other of 200 games."""


def megabytes(field: str) -> float:
    """Return a field of this process's memory: `VmRSS` for the present size, `VmHWM` for the largest."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{field}:")[2].split()[0]) / 1024


def play_everything() -> float:
    """Decide at every level of every game, as a process of bots does; return the most memory that it took."""
    begin_process()
    for key in games():
        warm_up(key)
    for key, options in MATCHES:
        match = Match.start(key, seats=find(key).rules.info.seats[1], options=options, seed="memory")
        dice = random.Random("memory")
        while match.outcome is None and match.ply < DECISIONS:
            ask_all(key, min(match.turn.must), match.view(min(match.turn.must)), 0.05)
            act_at_random(match, dice)
    scrabble = find("scrabble").rules
    for seats in (2, 4):
        match = Match.start("scrabble", seats=seats, seed="memory")
        ask_all("scrabble", min(match.turn.must), match.view(min(match.turn.must)), 0.05)
    state = scrabble.notation.read_state(LONG_ENDGAME)
    ask_all("scrabble", 1, scrabble.view(state, 1), 1.0)
    return megabytes("VmHWM")


def ask_all(key: str, seat: int, view: object, seconds: float) -> None:
    seen = msgspec.json.encode(view)
    for level in find(key).bots:
        decide(key, level, seat, seen, "seed", seconds)
    judge_view(key, seat, seen, "seed", min(0.1, seconds))
