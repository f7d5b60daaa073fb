"""Scrabble's levels against a model of a good family player.

The family player knows the common words, as in `scrabble/common.py`, but thinks of only one in three of those that fit.
They overlook plays that make more than one other word, and nine in ten plays of all seven tiles. Of the rest they take
the highest score. In a game of two such players each scores about 280, with plays of 17 points.
"""

from __future__ import annotations

import argparse
from statistics import fmean

from common import report
from tablee.core.chance import SeedChance
from tablee.core.game import Think
from tablee.core.match import Match, Step
from tablee.games.scrabble.bots import BOTS, ScrabbleBot, exchange_or_pass, ready
from tablee.games.scrabble.engines import common_engine, likes
from tablee.games.scrabble.scoring import score_play
from tablee.games.scrabble.values import Action, View

RECALLS, FINDS = 3, 10
"""One common word in so many comes to mind, and one play of all seven tiles in so many."""


class Family(ScrabbleBot):
    """A good family player."""

    def move(self, view: View, think: Think) -> Action:
        found = ready(view, common_engine(view.options.lexicon))
        board = "".join(view.board)
        recalled: dict[str, bool] = {}
        for option in sorted(found.all_plays(), key=lambda option: -option.score):
            place = found.place(option.play)
            word = place.word.upper()
            if word not in recalled:
                recalled[word] = think.chance.pick(RECALLS) == 0
            if not recalled[word]:
                continue
            play = score_play(board, place.at, place.word)
            if len(play.words) <= 2 and (not play.bingo or think.chance.pick(FINDS) == 0):
                return place
        return exchange_or_pass(view, likes(view.options.lexicon))


def play(players: tuple[ScrabbleBot, ScrabbleBot], seed: str) -> Match:
    match = Match.start("scrabble", seats=2, seed=seed)
    while match.outcome is None:
        [seat] = match.turn.must
        think = Think(seat, SeedChance(f"{seed} {seat}", match.ply))
        match.advance(Step(seat, players[seat].choose(match.view(seat), (), think)))
    return match


def meet(level: ScrabbleBot, games: int) -> dict[str, float]:
    """Play a level against the family player, each deal twice with exchanged seats."""
    shares, mine, theirs, plays = [], [], [], []
    for number in range(games // 2):
        for seat in (0, 1):
            players = (level, Family()) if seat == 0 else (Family(), level)
            match = play(players, f"famille {number}")
            score, other = match.state.scores[seat], match.state.scores[1 - seat]
            shares.append(0.5 if score == other else float(score > other))
            mine.append(score)
            theirs.append(other)
            plays += [move.score for move in match.state.log if move.seat != seat and move.kind == "place"]
    return {
        "games": len(shares),
        "share": round(fmean(shares), 3),
        "mean_score": round(fmean(mine), 1),
        "mean_score_of_the_family": round(fmean(theirs), 1),
        "mean_play_of_the_family": round(fmean(plays), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    games = parser.parse_args().games
    levels = {name: meet(bot, games) for name, bot in (*BOTS.items(), ("family", Family())) if name != "expert"}
    moyen = levels["moyen"]
    line = f"family: moyen wins {moyen['share']:.0%}, {moyen['mean_score']} to {moyen['mean_score_of_the_family']}"
    report(__file__, line, levels)


if __name__ == "__main__":
    main()
