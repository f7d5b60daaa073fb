"""Time a move of Kora Battle's computer players, in one process: the decisions of whole parties that leave a choice."""

from __future__ import annotations

from common import report, timed_decisions, told
from tablee.core.match import Match
from tablee.games.kora.bots import BOTS

GAMES = 150


def main() -> None:
    figures = {
        level: timed_decisions(
            bot, (Match.start("kora", seed=f"bench {number}") for number in range(GAMES)), seconds=60.0
        )
        for level, bot in BOTS.items()
    }
    report(__file__, f"kora, time a move: {told(figures)}", {"kora": figures})


if __name__ == "__main__":
    main()
