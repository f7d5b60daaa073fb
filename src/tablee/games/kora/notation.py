"""Kora Battle as text.

An action is what a player would say: `7H`, `bet 10`, `accept`, `refuse`, `leave`. A position is one line of words
and values, in any order; what stands at its default is left out:

    deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,9S,7H,2D,JC/4S,KS,5H,QD,8C
    deal 1 stage play banks 90/110 leader 1 stake 10 hands 3S/4S led 5H tricks 0:JC-8C=0,0:2D-QD=1
"""

from __future__ import annotations

from typing import Any

import msgspec

from ...core.game import Leave
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
        """Read an action; raises ValueError for text that is none."""
        if text in _WORDS:
            return _WORDS[text]
        kind, _, stake = text.partition(" ")
        fields = {"type": "propose", "stake": stake} if kind == "bet" else {"type": "play", "card": text}
        try:
            read: Action = msgspec.convert(fields, Action, strict=False)
        except msgspec.ValidationError as error:
            raise ValueError(f"{text!r} is no action of Kora Battle: {error}") from error
        return read

    def write_state(self, state: State) -> str:
        options = ",".join(
            f"{name}={value}"
            for name, value in msgspec.structs.asdict(state.options).items()
            if value != getattr(Options(), name)
        )
        words: dict[str, object] = {
            "deal": state.deal,
            "stage": state.stage,
            "banks": _pair(state.banks),
            "leader": state.leader,
            "stake": state.stake or "",
            "hands": _hands(state.hands) if any(state.hands) else "",
            "led": state.led or "",
            "tricks": ",".join(map(_write_trick, state.tricks)),
            "won": ",".join(map(str, state.won)),
            "last": _write_result(state.last_deal) if state.last_deal else "",
            "left": "" if state.left is None else state.left,
            "options": options,
        }
        return " ".join(f"{word} {value}" for word, value in words.items() if value != "")

    def read_state(self, text: str) -> State:
        """Read a position; raises ValueError that names what is wrong."""
        parts = text.split()
        if len(parts) % 2:
            raise ValueError(f"a word without a value in {text!r}")
        words = dict(zip(parts[::2], parts[1::2], strict=True))
        if 2 * len(words) != len(parts):
            raise ValueError(f"a word said twice in {text!r}")
        try:
            fields: dict[str, Any] = {
                "options": dict(pair.split("=") for pair in _list(words.pop("options", ""))),
                "deal": words.pop("deal"),
                "stage": words.pop("stage"),
                "banks": words.pop("banks").split("/"),
                "leader": words.pop("leader"),
                "stake": words.pop("stake", "0"),
                "hands": _read_hands(words.pop("hands", "/")),
                "led": words.pop("led", None),
                "tricks": [_read_trick(trick) for trick in _list(words.pop("tricks", ""))],
                "won": _list(words.pop("won", "")),
                "last_deal": _read_result(words.pop("last")) if "last" in words else None,
                "left": words.pop("left", None),
            }
            fields["options"] = {
                name: value if name == "betting" else int(value) for name, value in fields["options"].items()
            }
            state = msgspec.convert(fields, State, strict=False)
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(f"{text!r} is no position of Kora Battle: {error}") from error
        if words:
            raise ValueError(f"unknown words in a position of Kora Battle: {', '.join(words)}")
        return state


def _pair(values: tuple[Any, Any]) -> str:
    return f"{values[0]}/{values[1]}"


def _list(text: str) -> list[str]:
    return text.split(",") if text else []


def _hands(hands: tuple[tuple[str, ...], tuple[str, ...]]) -> str:
    return "/".join(",".join(hand) for hand in hands)


def _read_hands(text: str) -> list[list[str]]:
    return [_list(hand) for hand in text.split("/")]


def _write_trick(trick: Trick) -> str:
    return f"{trick.leader}:{trick.led}-{trick.reply}={trick.winner}"


def _read_trick(text: str) -> dict[str, str]:
    leader, cards = text.split(":")
    cards, winner = cards.split("=")
    led, reply = cards.split("-")
    return {"leader": leader, "led": led, "reply": reply, "winner": winner}


def _write_result(result: DealResult) -> str:
    """`deal;winner;reason;stake;multiplier;paid;tricks;hands`"""
    hands = _hands(result.hands) if result.hands else ""
    tricks = ",".join(map(_write_trick, result.tricks))
    head = (result.deal, result.winner, result.reason, result.stake, result.multiplier, result.paid)
    return ";".join(map(str, (*head, tricks, hands)))


def _read_result(text: str) -> dict[str, Any]:
    *head, tricks, hands = text.split(";")
    names = ("deal", "winner", "reason", "stake", "multiplier", "paid")
    return {
        **dict(zip(names, head, strict=True)),
        "tricks": [_read_trick(trick) for trick in _list(tricks)],
        "hands": _read_hands(hands) if hands else None,
    }
