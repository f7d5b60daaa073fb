"""Super Président as text.

An action is what a player would say: `7S`, `7S+7H`, `8H suite`, `6D reverse`, `close 6D+6C`, `pass`, `stop`,
`give 3S+4H`, `leave`. A position is one line of keys and values, in any order; fields with their default value are left
out:

    act 1 hands 5S,9H/6H,7C/7S,8S/4D trick 0:5D
    act 3 hands 5S/7C/8S,8C/4D,KH trick 0:5D,1:6H-suite,2:7S out 0 revolution yes played 3S,5D,6H,7S

`trick 0:6S,2:6H+6C!` is a close out of turn. `played` and `most` are left out if they follow from the trick alone.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ...core.cards import Card
from ...core.game import Leave, Seat
from ...core.keyvalue import read_action, read_fields, read_options, read_yes, split_list, write_fields, write_options
from .deck import cards_of, read_most, read_set, write_most
from .ranks import points_of
from .trick import derived
from .values import (
    Action,
    CardSet,
    Close,
    FinishedTrick,
    Gift,
    Give,
    Laid,
    MancheResult,
    Options,
    Pass,
    Play,
    SeatSet,
    State,
    Stop,
)

_WORDS: dict[str, Action] = {"pass": Pass(), "stop": Stop(), "leave": Leave()}


class PresidentNotation:
    def write_action(self, action: Action) -> str:
        match action:
            case Play(cards, None):
                return "+".join(cards)
            case Play(cards, declare):
                return f"{'+'.join(cards)} {declare}"
            case Close(cards):
                return f"close {'+'.join(cards)}"
            case Give(cards):
                return f"give {'+'.join(cards)}"
            case _:
                return next(word for word, meant in _WORDS.items() if meant == action)

    def read_action(self, text: str) -> Action:
        """Read an action; raise `ValueError` if it is not valid."""
        return read_action(text, "Super Président", _WORDS, _read_action)

    def write_state(self, state: State) -> str:
        trick_alone = derived(state.trick, len(state.hands))
        fields: dict[str, object] = {
            "manche": state.manche if state.manche != 1 else "",
            "stage": state.stage if state.stage != "play" else "",
            "dealer": state.dealer or "",
            "opener": state.opener or "",
            "act": "" if state.to_act is None else state.to_act,
            "hands": "/".join(",".join(cards_of(hand)) for hand in state.hands),
            "revolution": "yes" if state.revolution else "",
            "trick": ",".join(map(_write_laid, state.trick)),
            "direction": state.direction if state.direction != trick_alone["direction"] else "",
            "ou_rien": "yes" if state.ou_rien else "",
            "out": _write_seats(state.out),
            "waived": _write_seats(state.waived),
            "played": ",".join(cards_of(state.played)) if state.played != trick_alone["played"] else "",
            "most": "/".join(map(write_most, state.most)) if state.most != trick_alone["most"] else "",
            "finished": ",".join(map(str, state.finished)),
            "sunk": ",".join(map(str, state.sunk)),
            "gifts": ",".join(map(_write_gift, state.gifts)),
            "results": ",".join(map(_write_result, state.results)),
            "last": _write_trick(state.last_trick) if state.last_trick else "",
            "options": write_options(state.options),
        }
        return write_fields(fields)

    def read_state(self, text: str) -> State:
        """Read a position; raise `ValueError` with the problem if it is not valid."""
        return read_fields(text, "Super Président", _read_state)


def _read_action(text: str) -> Action:
    first, space, second = text.partition(" ")
    fields: dict[str, Any]
    if first in ("close", "give"):
        fields = {"type": first, "cards": split_list(second, "+")}
    else:
        fields = {"type": "play", "cards": first.split("+"), "declare": second if space else None}
    action: Action = msgspec.convert(fields, Action)
    return action


def _read_state(fields: dict[str, str]) -> State:
    hands = tuple(_read_cards(hand) for hand in fields.pop("hands").split("/"))
    trick = [_read_laid(laid) for laid in split_list(fields.pop("trick", ""))]
    from_trick = derived(tuple(msgspec.convert(trick, tuple[Laid, ...], strict=False)), len(hands))
    most = fields.pop("most", "")
    values: dict[str, Any] = {
        **from_trick,
        "options": read_options(fields.pop("options", ""), Options),
        "manche": fields.pop("manche", "1"),
        "stage": fields.pop("stage", "play"),
        "dealer": fields.pop("dealer", "0"),
        "opener": fields.pop("opener", "0"),
        "to_act": fields.pop("act", None),
        "hands": hands,
        "revolution": read_yes(fields.pop("revolution", "no")),
        "trick": trick,
        "direction": fields.pop("direction", from_trick["direction"]),
        "ou_rien": read_yes(fields.pop("ou_rien", "no")),
        "out": _read_seats(fields.pop("out", "")),
        "waived": _read_seats(fields.pop("waived", "")),
        "finished": split_list(fields.pop("finished", "")),
        "sunk": split_list(fields.pop("sunk", "")),
        "gifts": [_read_gift(gift) for gift in split_list(fields.pop("gifts", ""))],
        "results": [_read_result(result) for result in split_list(fields.pop("results", ""))],
        "last_trick": _read_trick(fields.pop("last")) if "last" in fields else None,
    }
    if "played" in fields:
        values["played"] = _read_cards(fields.pop("played"))
    if most:
        values["most"] = [_read_most(digits) for digits in most.split("/")]
    return msgspec.convert(values, State, strict=False)


def _read_cards(text: str) -> CardSet:
    return read_set(msgspec.convert(split_list(text), list[Card]))


def _read_most(text: str) -> CardSet:
    if len(text) != 13 or not set(text) <= set("01234"):
        raise ValueError(f"expected thirteen digits from 0 to 4, not {text!r}")
    return read_most(text)


def _write_seats(seats: SeatSet) -> str:
    return ",".join(str(seat) for seat in range(8) if seats >> seat & 1)


def _read_seats(text: str) -> SeatSet:
    return sum(1 << seat for seat in msgspec.convert(split_list(text), set[Seat], strict=False))


def _write_laid(laid: Laid) -> str:
    """Write `seat:cards`, then `-suite` or `-reverse`, then `!` if it was laid out of turn."""
    declared = f"-{laid.declare}" if laid.declare else ""
    return f"{laid.seat}:{'+'.join(laid.cards)}{declared}{'!' if laid.out_of_turn else ''}"


def _read_laid(text: str) -> dict[str, Any]:
    seat, _, rest = text.partition(":")
    cards, _, declared = rest.removesuffix("!").partition("-")
    out_of_turn = rest.endswith("!")
    return {"seat": seat, "cards": cards.split("+"), "declare": declared or None, "out_of_turn": out_of_turn}


def _write_trick(trick: FinishedTrick) -> str:
    """Write `manche;ending;plays`."""
    return f"{trick.manche};{trick.ending};{','.join(map(_write_laid, trick.plays))}"


def _read_trick(text: str) -> dict[str, Any]:
    manche, ending, plays = text.split(";")
    return {"manche": manche, "ending": ending, "plays": [_read_laid(laid) for laid in plays.split(",")]}


def _write_gift(gift: Gift) -> str:
    """Write `giver>receiver:cards`."""
    return f"{gift.giver}>{gift.receiver}:{'+'.join(gift.cards)}"


def _read_gift(text: str) -> dict[str, Any]:
    seats, _, cards = text.partition(":")
    giver, _, receiver = seats.partition(">")
    given = cards.split("+")
    return {"giver": giver, "receiver": receiver, "count": len(given), "cards": given}


def _write_result(result: MancheResult) -> str:
    """Write the ranking, `2-0-1-3`, and the number of seats that sank, if any: `2-0-1-3~1`."""
    sunk = f"~{len(result.sunk)}" if result.sunk else ""
    return "-".join(map(str, result.ranking)) + sunk


def _read_result(text: str) -> dict[str, Any]:
    seats, _, sunk = text.partition("~")
    ranking = msgspec.convert(seats.split("-"), tuple[Seat, ...], strict=False)
    if sorted(ranking) != list(range(len(ranking))):
        raise ValueError(f"expected a ranking with every seat once, not {seats}")
    bottom = len(ranking) - int(sunk or 0)
    return {"ranking": ranking, "sunk": ranking[bottom:], "points": points_of(ranking)}
