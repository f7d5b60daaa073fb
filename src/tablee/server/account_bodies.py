"""Bodies of a person's account: the recovery code and the export."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ..store.privacy import Message, PlannedLine
from ..table.pairing import Conduct
from .bodies import MatchCard, Me, RatingInfo
from .bot_values import MyBots
from .notify_bodies import MyDevice, MyEmail
from .passkey_bodies import PasskeyInfo
from .puzzle_bodies import MyPuzzles


class RecoveryCode(Struct, frozen=True):
    """Shown once: only its hash is kept."""

    code: str


class Recover(Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=1, max_length=100)]


class MyVacation(Struct, frozen=True):
    """The vacations of a person in one year."""

    year: int
    days: float
    """Days of the vacations that are over."""
    began: float | None
    """When the present vacation began, in seconds since 1970; null: the person is not on vacation."""


class MyData(Struct, frozen=True):
    """Everything that the server knows about a person."""

    person: Me
    recovery: bool
    """Whether the person has a recovery code."""
    passkeys: list[PasskeyInfo]
    ratings: dict[str, RatingInfo]
    matches: list[MatchCard]
    tables: list[str]
    """Codes of the tables whose log names this person."""
    messages: list[Message]
    plans: list[PlannedLine]
    """Lines that the person planned, also those that were cancelled."""
    puzzles: dict[str, MyPuzzles]
    devices: list[MyDevice]
    """Browsers that get push messages."""
    email: MyEmail | None
    bots: MyBots
    vacations: list[MyVacation]
    conduct: Conduct
    """How often the person declined opponents, did not accept them in time, or abandoned a match with them."""
