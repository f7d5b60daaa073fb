"""Kora Battle as text.

An action is what a player would say: `7H`, `bet 10`, `accept`, `refuse`, `leave`. A position is one line of keys and
values, in any order; fields with their default value are left out:

    deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,9S,7H,2D,JC/4S,KS,5H,QD,8C
    deal 1 stage play banks 90/110 leader 1 stake 10 hands 3S/4S led 5H tricks 0:JC-8C=0,0:2D-QD=1
"""

from __future__ import annotations

from typing import Any

import msgspec

from ...core.game import Leave
from ...core.keyvalue import read_action, read_fields, read_options, split_list, write_fields, write_options
from .values import Accept, Action, DealResult, Options, Play, Propose, Refuse, State, Trick

_WORDS: dict[str, Action] = {"accept": Accept(), "refuse": Refuse(), "leave": Leave()}


class KoraNotation:
    def write_action(self, action: Action) -> str:
        match action:
            case Play(card):
                return card
            case Propose(stake):
                return f"bet {stake}"
            case _:
                return next(word for word, meant in _WORDS.items() if meant == action)

    def read_action(self, text: str) -> Action:
        """Read an action; raise `ValueError` if it is not valid."""
        return read_action(text, "Kora Battle", _WORDS, _read_action)

    def write_state(self, state: State) -> str:
        fields: dict[str, object] = {
            "deal": state.deal,
            "stage": state.stage,
            "banks": f"{state.banks[0]}/{state.banks[1]}",
            "leader": state.leader,
            "stake": state.stake or "",
            "hands": _write_hands(state.hands) if any(state.hands) else "",
            "led": state.led or "",
            "tricks": ",".join(map(_write_trick, state.tricks)),
            "won": ",".join(map(str, state.won)),
            "last": _write_result(state.last_deal) if state.last_deal else "",
            "left": "" if state.left is None else state.left,
            "options": write_options(state.options),
        }
        return write_fields(fields)

    def read_state(self, text: str) -> State:
        """Read a position; raise `ValueError` with the problem if it is not valid."""
        return read_fields(text, "Kora Battle", _read_state)


def _read_action(text: str) -> Action:
    kind, _, stake = text.partition(" ")
    fields = {"type": "propose", "stake": stake} if kind == "bet" else {"type": "play", "card": text}
    action: Action = msgspec.convert(fields, Action, strict=False)
    return action


def _read_state(fields: dict[str, str]) -> State:
    values: dict[str, Any] = {
        "options": read_options(fields.pop("options", ""), Options),
        "deal": fields.pop("deal"),
        "stage": fields.pop("stage"),
        "banks": fields.pop("banks").split("/"),
        "leader": fields.pop("leader"),
        "stake": fields.pop("stake", "0"),
        "hands": _read_hands(fields.pop("hands", "/")),
        "led": fields.pop("led", None),
        "tricks": [_read_trick(trick) for trick in split_list(fields.pop("tricks", ""))],
        "won": split_list(fields.pop("won", "")),
        "last_deal": _read_result(fields.pop("last")) if "last" in fields else None,
        "left": fields.pop("left", None),
    }
    return msgspec.convert(values, State, strict=False)


def _write_hands(hands: tuple[tuple[str, ...], tuple[str, ...]]) -> str:
    return "/".join(",".join(hand) for hand in hands)


def _read_hands(text: str) -> list[list[str]]:
    return [split_list(hand) for hand in text.split("/")]


def _write_trick(trick: Trick) -> str:
    """Write `leader:led-reply=winner`."""
    return f"{trick.leader}:{trick.led}-{trick.reply}={trick.winner}"


def _read_trick(text: str) -> dict[str, str]:
    leader, cards = text.split(":")
    cards, winner = cards.split("=")
    led, reply = cards.split("-")
    return {"leader": leader, "led": led, "reply": reply, "winner": winner}


def _write_result(result: DealResult) -> str:
    """Write `deal;winner;reason;stake;multiplier;paid;tricks;hands`."""
    hands = _write_hands(result.hands) if result.hands else ""
    tricks = ",".join(map(_write_trick, result.tricks))
    head = (result.deal, result.winner, result.reason, result.stake, result.multiplier, result.paid)
    return ";".join(map(str, (*head, tricks, hands)))


def _read_result(text: str) -> dict[str, Any]:
    *head, tricks, hands = text.split(";")
    names = ("deal", "winner", "reason", "stake", "multiplier", "paid")
    return {
        **dict(zip(names, head, strict=True)),
        "tricks": [_read_trick(trick) for trick in split_list(tricks)],
        "hands": _read_hands(hands) if hands else None,
    }
