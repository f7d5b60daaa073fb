"""Ojyx as text.

An action is its name and its arguments: `choose 0+5`, `draw deck`, `place 3`, `discard`, `turn 7`, `store`, `throw
peek`, `end_turn`, `vote on`, `leave`; an action card is `action swap seat=1 cell=3 target_cell=5`, a reaction `react
shield`. A position is one line of keys and values, in any order; fields with their default value are left out:

    act 0 grids 5,?*11/?*3,7,?7~0,?*7 discard 4 stocks peek+swap/shield
    stage react act 0 grids 1,?*11/2,?*11 discard 4 adiscard swap stocks /mirror attack 0>1:swap:0,3,-

A grid is twelve cells: `7` lies face up, `?` is hidden, `?7~02` is hidden and known to seats 0 and 2, `?7` was looked
at before a shuffle, `.` is empty, and `?*3` is three times the same. The unseen cards are not written: they are what is
missing of the 150 cards.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import msgspec

from ...core.game import Leave, Seat
from ...core.keyvalue import read_action, read_fields, read_options, read_yes, split_list, write_fields, write_options
from .cards import LEAST, MOST, NUMBERS, action_deck
from .deck import NO_CARDS, count_actions, count_cards
from .grid import EMPTY, EVERYBODY, HIDDEN, knowers_of, seen_card, value_of
from .values import (
    Action,
    Attack,
    CellCode,
    Choose,
    Counts,
    Discard,
    Draw,
    EndTurn,
    Event,
    Grid,
    Held,
    Lost,
    MancheResult,
    Options,
    Place,
    Play,
    React,
    SeatSet,
    State,
    Store,
    Table,
    Throw,
    TurnUp,
    Vote,
)

_WORDS: dict[str, Action] = {
    "discard": Discard(),
    "store": Store(),
    "end_turn": EndTurn(),
    "leave": Leave(),
    "vote on": Vote(True),
    "vote stop": Vote(False),
    "vote follow": Vote(None),
}
_NAMES = {action: word for word, action in _WORDS.items()}
_FIELDS = ("seat", "cell", "cells", "target_cell", "column", "order")
_NO_MARKS = (0, 0, 0, 0)


class OjyxNotation:
    def write_action(self, action: Action) -> str:
        match action:
            case Choose(cells):
                return f"choose {_plus(cells)}"
            case Draw(source):
                return f"draw {source}"
            case Place(cell):
                return f"place {cell}"
            case TurnUp(cell):
                return f"turn {cell}"
            case Throw(card):
                return f"throw {card}"
            case Play(card):
                return f"action {card}{_write_fields(action)}"
            case React(answer):
                return f"react {answer}{_write_fields(action)}"
            case _:
                return _NAMES[action]

    def read_action(self, text: str) -> Action:
        """Read an action; raise `ValueError` if it is not valid."""
        return read_action(text, "Ojyx", _WORDS, _read_action)

    def write_state(self, state: State) -> str:
        seats = len(state.grids)
        marks = (_NO_MARKS,) * seats
        fields: dict[str, object] = {
            "manche": state.manche if state.manche != 1 else "",
            "stage": state.stage if state.stage != "draw" else "",
            "act": _maybe(state.to_act),
            "grids": "/".join(map(write_grid, state.grids)),
            "discard": ",".join(map(str, state.discard)),
            "deck": ",".join(map(str, state.deck)),
            "scouted": f"{state.scout}:{_plus(state.scouted)}" if state.scouted else "",
            "stocks": "/".join(map(_plus, state.stocks)) if any(state.stocks) else "",
            "adiscard": _plus(state.action_discard),
            "curses": "/".join(map(_digits, state.curses)) if state.curses != marks else "",
            "heals": "/".join(map(_digits, state.heals)) if state.heals != marks else "",
            "held": _write_held(state.held) if state.held else "",
            "attack": _write_attack(state.attack) if state.attack else "",
            "plays": state.plays or "",
            "last": state.last_card or "",
            "direction": state.direction if state.direction != 1 else "",
            "skips": state.skips or "",
            "shielded": _write_seats(state.shielded),
            "frozen": _digits(state.frozen) if any(state.frozen) else "",
            "turns": ",".join(map(str, state.turns)) if any(state.turns) else "",
            "starter": _maybe(state.starter),
            "initiator": _maybe(state.initiator),
            "ending": "yes" if state.ending else "",
            "owed": _write_seats(state.owed),
            "chosen": "/".join(map(_plus, state.chosen)) if any(state.chosen) else "",
            "votes": "/".join(vote or "-" for vote in state.votes) if any(state.votes) else "",
            "gone": _write_seats(state.gone),
            "absent": _write_seats(state.absent),
            "lost": ",".join(map(_write_lost, state.lost)),
            "known": ",".join(f"{one.seat}>{one.holder}:{one.card}" for one in state.known_stored),
            "results": ",".join(map(_write_result, state.results)),
            "tables": "/".join(map(_write_table, state.tables)),
            "events": "+".join(map(_write_event, state.events)),
            "options": write_options(state.options),
        }
        return write_fields(fields)

    def read_state(self, text: str) -> State:
        """Read a position; raise `ValueError` with the problem if it is not valid."""
        return read_fields(text, "Ojyx", _read_state)


def _read_action(text: str) -> Action:
    action: Action = msgspec.convert(_action_fields(*text.split(" ")), Action, strict=False)
    return action


def _action_fields(name: str, first: str = "", *rest: str) -> dict[str, Any]:
    """Return the fields of an action with arguments."""
    match name:
        case "choose":
            return {"type": name, "cells": split_list(first, "+")}
        case "draw":
            return {"type": name, "source": first}
        case "place" | "turn":
            return {"type": name, "cell": first}
        case "throw":
            return {"type": name, "card": first}
        case "action" | "react":
            fields: dict[str, Any] = dict(pair.split("=") for pair in rest)
            for several in ("cells", "order"):
                if several in fields:
                    fields[several] = split_list(fields[several], "+")
            return {"type": name, "card" if name == "action" else "answer": first, **fields}
        case _:
            raise ValueError(f"unknown action {name!r}")


def _write_fields(action: Play | React) -> str:
    given = ((name, getattr(action, name, None)) for name in _FIELDS)
    return "".join(
        f" {name}={_plus(value) if isinstance(value, tuple) else value}" for name, value in given if value is not None
    )


def _read_state(fields: dict[str, str]) -> State:
    options = read_options(fields.pop("options", ""), Options)
    grids = tuple(read_grid(grid) for grid in fields.pop("grids").split("/"))
    seats = len(grids)
    stage = fields.pop("stage", "draw")
    marks = "/".join(["0000"] * seats)
    scout, _, scouted = fields.pop("scouted", "").partition(":")
    values: dict[str, Any] = {
        "options": options,
        "stage": stage,
        "manche": fields.pop("manche", "1"),
        "to_act": fields.pop("act", None),
        "grids": grids,
        "discard": split_list(fields.pop("discard", "")),
        "deck": split_list(fields.pop("deck", "")),
        "scouted": split_list(scouted, "+"),
        "scout": scout or None,
        "stocks": [split_list(stock, "+") for stock in fields.pop("stocks", "/" * (seats - 1)).split("/")],
        "action_discard": split_list(fields.pop("adiscard", ""), "+"),
        "curses": [list(row) for row in fields.pop("curses", marks).split("/")],
        "heals": [list(row) for row in fields.pop("heals", marks).split("/")],
        "held": _read_held(fields.pop("held")) if "held" in fields else None,
        "attack": _read_attack(fields.pop("attack")) if "attack" in fields else None,
        "plays": fields.pop("plays", "0"),
        "last_card": fields.pop("last", None),
        "direction": fields.pop("direction", "1"),
        "skips": fields.pop("skips", "0"),
        "shielded": _read_seats(fields.pop("shielded", "")),
        "frozen": list(fields.pop("frozen", "0" * seats)),
        "turns": split_list(fields.pop("turns", ",".join("0" * seats))),
        "starter": fields.pop("starter", None),
        "initiator": fields.pop("initiator", None),
        "ending": read_yes(fields.pop("ending", "no")),
        "owed": _read_seats(fields.pop("owed", "")),
        "chosen": _read_each(fields.pop("chosen", ""), seats if stage == "choose" else 0, ()),
        "votes": _read_each(fields.pop("votes", ""), seats if stage == "vote" else 0, None),
        "gone": _read_seats(fields.pop("gone", "")),
        "absent": _read_seats(fields.pop("absent", "")),
        "lost": [_read_lost(one) for one in split_list(fields.pop("lost", ""))],
        "known_stored": [_read_known(one) for one in split_list(fields.pop("known", ""))],
        "results": [_read_result(result) for result in split_list(fields.pop("results", ""))],
        "tables": [_read_table(table) for table in split_list(fields.pop("tables", ""), "/")],
        "events": [_read_event(event) for event in split_list(fields.pop("events", ""), "+")],
        "unseen": NO_CARDS,
        "deck_size": 0,
        "actions": (),
    }
    return _with_unseen(msgspec.convert(values, State, strict=False))


def _with_unseen(state: State) -> State:
    """Add the unseen cards: those that are missing of both decks."""
    seen = list(state.discard) + list(state.scouted)
    seen += [value_of(code) for grid in state.grids for code in grid if code not in (EMPTY, HIDDEN)]
    drawn = [card for stock in state.stocks for card in stock] + list(state.action_discard)
    if state.held is not None:
        seen += [] if state.held.card is None else [state.held.card]
        drawn += [] if state.held.action is None else [state.held.action]
    unseen = _less(_less(NUMBERS, count_cards(tuple(seen))), state.deck or NO_CARDS)
    undrawn = sum(grid.count(HIDDEN) for grid in state.grids)
    size = sum(state.deck) if state.deck else sum(unseen) - undrawn
    if size < 0:
        raise ValueError("more hidden cards than are left in the deck")
    return msgspec.structs.replace(
        state,
        unseen=unseen,
        deck_size=size + len(state.scouted),
        actions=_less(action_deck(state.options), count_actions(tuple(drawn))),
    )


def _less(all_cards: Counts, some: Counts) -> Counts:
    left = tuple(a - b for a, b in zip(all_cards, some, strict=True))
    if min(left) < 0:
        raise ValueError("more cards of a kind than the deck has")
    return left


def write_cell(code: CellCode) -> str:
    if code < EMPTY:
        return str(code)
    if code <= HIDDEN:
        return "." if code == EMPTY else "?"
    knowers = knowers_of(code)
    return f"?{value_of(code)}" + (f"~{_write_seats(knowers)}" if knowers else "")


def read_cell(text: str) -> CellCode:
    if text in (".", "?"):
        return EMPTY if text == "." else HIDDEN
    if not text.startswith("?"):
        return _read_number(text)
    value, _, knowers = text[1:].partition("~")
    return seen_card(_read_number(value), _read_seats(knowers))


def _read_number(text: str) -> int:
    if not LEAST <= int(text) <= MOST:
        raise ValueError(f"expected a card from {LEAST} to {MOST}, not {text}")
    return int(text)


def write_grid(grid: Grid) -> str:
    """Write twelve cells; three or more equal ones in a row are written once: `?*3`."""
    runs = ((write_cell(code), len(list(same))) for code, same in groupby(grid))
    return ",".join(f"{cell}*{count}" if count > 2 else ",".join([cell] * count) for cell, count in runs)


def read_grid(text: str) -> Grid:
    cells: list[CellCode] = []
    for part in text.split(","):
        cell, _, count = part.partition("*")
        cells += [read_cell(cell)] * int(count or 1)
    if len(cells) != 12:
        raise ValueError(f"a grid must have 12 cells, not {len(cells)}: {text}")
    return tuple(cells)


def _plus(values: tuple[Any, ...]) -> str:
    return "+".join(map(str, values))


def _digits(values: tuple[int, ...]) -> str:
    return "".join(map(str, values))


def _maybe(value: int | None) -> object:
    return "" if value is None else value


def _dash(value: int | None) -> str:
    return "-" if value is None else str(value)


def _undash(text: str) -> str | None:
    return None if text == "-" else text


def _write_seats(seats: SeatSet) -> str:
    return "".join(str(seat) for seat in range(8) if seats >> seat & 1)


def _read_seats(text: str) -> SeatSet:
    return sum(1 << seat for seat in msgspec.convert(list(text), set[Seat], strict=False))


def _read_each(text: str, seats: int, missing: Any) -> list[Any]:
    """Read choices or votes, one for each seat."""
    if not text:
        return [missing] * seats
    read = (split_list(part, "+") if missing == () else _undash(part) for part in text.split("/"))
    return list(read)


def _write_held(held: Held) -> str:
    """Write `seat:source:card`, and for a card of the deck the seats that know it: `0:deck:7~0`."""
    card = held.action if held.card is None else held.card
    return f"{held.seat}:{held.source}:{card}" + (f"~{_write_seats(held.known)}" if held.source == "deck" else "")


def _read_held(text: str) -> dict[str, Any]:
    seat, source, rest = text.split(":")
    card, _, knowers = rest.partition("~")
    if source == "action":
        return {"seat": seat, "source": source, "action": card, "known": 1 << int(seat)}
    known = _read_seats(knowers) if source == "deck" else EVERYBODY
    return {"seat": seat, "source": source, "card": _read_number(card), "known": known}


def _write_attack(attack: Attack) -> str:
    """Write `attacker>target:card:cell,target_cell,column`."""
    aim = ",".join(map(_dash, (attack.cell, attack.target_cell, attack.column)))
    return f"{attack.seat}>{attack.target}:{attack.card}:{aim}"


def _read_attack(text: str) -> dict[str, Any]:
    seats, card, aim = text.split(":")
    seat, target = seats.split(">")
    cell, target_cell, column = map(_undash, aim.split(","))
    return {
        "seat": seat,
        "target": target,
        "card": card,
        "cell": cell,
        "target_cell": target_cell,
        "column": column,
    }


def _write_lost(lost: Lost) -> str:
    """Write `seat:cards@places`."""
    return f"{lost.seat}:{_plus(lost.cards)}@{_plus(lost.places)}"


def _read_lost(text: str) -> dict[str, Any]:
    seat, _, rest = text.partition(":")
    cards, _, places = rest.partition("@")
    return {"seat": seat, "cards": cards.split("+"), "places": places.split("+")}


def _read_known(text: str) -> dict[str, Any]:
    seats, _, card = text.partition(":")
    seat, _, holder = seats.partition(">")
    return {"seat": seat, "holder": holder, "card": card}


def _write_result(result: MancheResult) -> str:
    """Write the scores, `12/-/30`, the initiator, `@2`, and `!` if its score is doubled."""
    initiator = "" if result.initiator is None else f"@{result.initiator}"
    return "/".join(map(_dash, result.scores)) + initiator + ("!" if result.doubled else "")


def _read_result(text: str) -> dict[str, Any]:
    scores, _, initiator = text.removesuffix("!").partition("@")
    return {
        "scores": [_undash(score) for score in scores.split("/")],
        "initiator": initiator or None,
        "doubled": text.endswith("!"),
    }


def _write_table(table: Table) -> str:
    """Write `cells;turned;columns`."""
    cells = ",".join("." if cell == "empty" else str(cell) for cell in table.cells)
    return f"{cells};{_plus(table.turned)};{','.join(map(str, table.columns))}"


def _read_table(text: str) -> dict[str, Any]:
    cells, turned, columns = text.split(";")
    return {
        "cells": ["empty" if cell == "." else _read_number(cell) for cell in cells.split(",")],
        "turned": split_list(turned, "+"),
        "columns": columns.split(","),
    }


def _write_event(event: Event) -> str:
    """Write `kind:field=value:field=value`."""
    given = msgspec.structs.asdict(event)
    kind = given.pop("kind")
    pairs = (
        f"{name}={'.'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in given.items()
        if value is not None
    )
    return ":".join([kind, *pairs])


def _read_event(text: str) -> dict[str, Any]:
    kind, *pairs = text.split(":")
    fields: dict[str, Any] = dict(pair.split("=") for pair in pairs)
    if "cells" in fields:
        fields["cells"] = fields["cells"].split(".")
    return {"kind": kind, **fields}
