"""Plays in the terminal by keys: each game's keys for one legal action, and bots that decide at once."""

from __future__ import annotations

from collections import Counter

from tablee.bots.decide import decide
from tablee.cli.terminal import board_of, names_of
from tablee.core.discover import find
from tablee.core.match import Match
from tablee.terminal.app import TerminalApp
from tablee.terminal.local import LocalSession
from tablee.terminal.words import words_of


class FastBots:
    """Bots that decide in this process, in no time."""

    async def decide(self, key, level, seat, view):
        return decide(key, level, seat, view, "terminal", 0.0)


def start(key, *, seats=None, options=None, seed="terminal", left=None):
    """Return a match; with `left`, one that random play would end after so many steps."""
    match = Match.start(key, seats=seats, options=options or {}, seed=seed)
    if left is None:
        return match
    from tablee.arena import random_game

    whole = random_game(key, seats=seats, options=options or {}, seed=seed)
    for step in whole.steps[:-left]:
        match.play(step.seat, step.action)
    return match


def terminal(key, *, lang="fr", plain=False, seat=0, level="facile", **settings):
    """Return the app and its session for a match against bots."""
    board = board_of(find(key), words_of(lang), plain)
    begin = settings.pop("begin", None) or (lambda: start(key, **settings))
    seats = begin().seats
    session = LocalSession(
        begin, seat=seat, level=level, names=names_of(seats, board.words), bots=FastBots(), pause=0.0
    )
    return TerminalApp(session, board, title=key), session


def screen_text(app):
    """Return what the app shows, line by line."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


def typed(text):
    """Return the keys that type a text and send it."""
    names = {" ": "space", "-": "minus"}
    return [*(names.get(one, one) for one in text), "enter"]


def keys_of_kora(board):
    hand = board.view.hand
    if board.view.stage != "play":
        return typed("5") if board.view.stage == "bet" else ["o"]
    return [str(next(at for at, held in enumerate(hand, 1) if held.playable)), "enter"]


def keys_of_dames(board):
    return typed("-".join(map(str, board.moves[0])) if len(board.moves[0]) == 2 else "x".join(map(str, board.moves[0])))


def keys_of_scrabble(board):
    if board.view.pending is not None:
        return ["a"]
    place = next((one for one in board.position.legal if type(one).__name__ == "Place"), None)
    return typed(f"{place.at} {place.word}") if place is not None else typed("passe")


def keys_of_president(board):
    action = next(one for one in board.position.legal if type(one).__name__ != "Close")
    match type(action).__name__:
        case "Pass":
            return ["p"]
        case "Stop":
            return ["x"]
    keys = {"T": "0", "J": "v", "Q": "d", "K": "r", "A": "a"}
    ranks = Counter(card[0] for card in action.cards)
    return [*(keys.get(rank, rank) for rank, count in ranks.items() for _ in range(count)), "enter"]


def keys_of_ojyx(board):
    return ["enter"]


KEYS = {
    "kora": keys_of_kora,
    "dames": keys_of_dames,
    "scrabble": keys_of_scrabble,
    "president": keys_of_president,
    "ojyx": keys_of_ojyx,
}
