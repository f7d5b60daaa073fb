"""Measure the decisions of Kora Battle's bots in whole matches, in one process; forced moves do not count."""

from __future__ import annotations

from common import report, summary, time_decisions
from tablee.core.match import Match
from tablee.games.kora.bots import BOTS

GAMES = 150


def main() -> None:
    figures = time_decisions(
        BOTS, lambda seed: Match.start("kora", seed=seed), dict.fromkeys(BOTS, GAMES), seconds=60.0
    )
    report(__file__, f"kora, time per move: {summary(figures)}", {"kora": figures})


if __name__ == "__main__":
    main()
