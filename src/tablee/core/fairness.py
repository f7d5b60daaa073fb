"""Deals that anyone can check: the commitment before a match, the proof after it, and the check of a record.

Before the deal the server publishes the hash of a secret. Each person's client adds a salt. The seed is made of both.
docs/fairness.md describes this for those who want to write their own verifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from .discover import find
from .match import Match
from .record import CannotReplay, Record
from .trace import SEATS, Draw, Pack, TracedChance, thinned

NO_SALT = "-"
"""Stands for the salt of a seat that sent none."""


def commitment(secret: str) -> str:
    """Return the hash of a secret, which is published before the deal."""
    return sha256(secret.encode()).hexdigest()


def seed_of(secret: str, salts: Sequence[str]) -> str:
    """Return the seed of a match, from one salt for each seat."""
    return f"{secret}/{','.join(salts)}"


class Proof(Struct, frozen=True):
    """What the deal was made of; shown when the match is over."""

    secret: str
    commit: str
    salts: tuple[str, ...]
    seed: str


class TracedMatch(Match):
    """A match that keeps every draw."""

    __slots__ = ("_drawn",)

    def __init__(self, *given: Any) -> None:
        self._drawn: list[Draw] = []
        super().__init__(*given)

    def chance(self, ply: int) -> TracedChance:
        return TracedChance(self.seed_at(ply), ply, self._drawn)

    @property
    def draws(self) -> list[Draw]:
        return thinned(self._drawn)


def draws(match: Match) -> list[Draw]:
    """Return every draw of a match, setup included."""
    again = TracedMatch(match.game, match.seats, match.options, match.seed, match.origins)
    for step in match.steps:
        again.advance(step)
    return again.draws


def proven(match: Match, secret: str | None = None, salts: Sequence[str] = ()) -> Record:
    """Return the record of a match with everything that is needed to check its deal."""
    record = replace(match.record(), draws=tuple(draws(match)))
    return record if secret is None else replace(record, secret=secret, salts=tuple(salts))


class Check(Struct, frozen=True):
    """The result of one check."""

    what: Literal["commitment", "seed", "rules", "draws", "outcome"]
    ok: bool | None
    """None: there was nothing to compare with."""
    detail: str


def verify(record: Record, commit: str | None = None) -> list[Check]:
    """Check everything in a record; `commit` is the commitment that was seen before the deal."""
    checks = [check_commitment(record, commit), check_seed(record)]
    try:
        match = TracedMatch.begin(record)
    except CannotReplay as problem:
        return [*checks, Check("rules", False, str(problem))]
    try:
        for step in record.steps:
            match.replay_step(step)
    except CannotReplay as problem:
        return [*checks, Check("rules", False, str(problem)), check_draws(record, match)]
    checks += [Check("rules", True, f"{match.ply} actions follow the rules"), check_draws(record, match)]
    try:
        match.check_outcome(record)
    except CannotReplay as problem:
        return [*checks, Check("outcome", False, str(problem))]
    return [*checks, Check("outcome", True, outcome_words(record))]


def check_commitment(record: Record, commit: str | None) -> Check:
    if record.secret is None:
        return Check("commitment", None if commit is None else False, "the record names no secret")
    found = commitment(record.secret)
    if commit is None:
        return Check("commitment", None, f"the secret's commitment is {found}: compare it with the one you saw")
    if found != commit.strip().lower():
        return Check("commitment", False, f"the commitment was {commit}, the secret gives {found}")
    return Check("commitment", True, f"the secret gives {found}")


def check_seed(record: Record) -> Check:
    if record.secret is None:
        return Check("seed", None, "the record names no secret: nobody can tell who chose the seed")
    salts = record.salts or ()
    if len(salts) != record.seats:
        return Check("seed", False, f"{len(salts)} salts for {record.seats} seats")
    seed = seed_of(record.secret, salts)
    if seed != record.seed:
        return Check("seed", False, f"the record says {record.seed}, secret and salts give {seed}")
    made = f"made of the secret and {sum(salt != NO_SALT for salt in salts)} salts"
    before = f"; draws up to ply {record.origins[-1].ply} follow from earlier seeds" if record.origins else ""
    return Check("seed", True, made + before)


def check_draws(record: Record, match: TracedMatch) -> Check:
    """Compare the draws in a record with those of its seed, up to the first illegal action."""
    if record.draws is None:
        return Check("draws", None, f"the record lists none; its seed gives {len(match.draws)}")
    problem = next(differences(record.draws, match.draws, match.ply, len(record.steps)), None)
    if problem is not None:
        return Check("draws", False, problem)
    packs = find(record.game).packs
    recomputed = f"{len(match.draws)} draws recomputed"
    if not packs and any(draw.pack not in (None, SEATS) for draw in match.draws):
        return Check("draws", None, f"{recomputed}; the game declares no packs, so what it drew from is not checked")
    problem = next(undeclared(match.draws, packs, record.seats), None)
    return Check("draws", True, recomputed) if problem is None else Check("draws", False, problem)


def undeclared(draws: Iterable[Draw], packs: Mapping[str, Pack], seats: int) -> Iterator[str]:
    """Describe each draw that is not from a pack which the game declares."""
    packs = {**packs, SEATS: Pack(row=tuple(map(str, range(seats))))}
    known = set()
    for draw in draws:
        if draw.pack is None:
            continue
        if draw.pack not in packs:
            yield f"ply {draw.ply}: the game draws from {draw.pack!r} and declares no such pack"
        elif draw.row is None and draw.bag is None:
            if draw.pack not in known:
                yield f"ply {draw.ply}: the first draw from {draw.pack!r} does not say what is in it"
        elif not packs[draw.pack].allows(draw.row, draw.bag):
            held = in_words(draw.bag if draw.row is None else draw.row)
            yield f"ply {draw.ply}: the pack {draw.pack!r} that the game declares cannot leave {held}"
        known.add(draw.pack)


def differences(listed: Sequence[Draw], given: Sequence[Draw], ply: int, last: int) -> Iterator[str]:
    """Yield the differences between two lists of draws up to a ply; no draw may come after the last ply."""
    reached = [draw for draw in listed if draw.ply <= ply or draw.ply > last]
    number, at = 0, -1
    for mine, right in zip_longest(reached, given):
        here = min(draw.ply for draw in (mine, right) if draw is not None)
        number, at = (number + 1 if here == at else 1), here
        if mine != right:
            yield f"ply {here}, draw {number}: {difference(mine, right)}"


def difference(listed: Draw | None, given: Draw | None) -> str:
    if listed is None or given is None or listed.ply != given.ply:
        early = given is None or (listed is not None and listed.ply < given.ply)
        return "the record lists a draw that the seed does not give" if early else "the record leaves a draw out"
    pairs = zip(asdict(listed).items(), asdict(given).values(), strict=True)
    changed = {name: (mine, right) for (name, mine), right in pairs if mine != right}
    name = "item" if "item" in changed else next(iter(changed))
    mine, right = changed[name]
    field = "" if name == "item" else f"{name} "
    return f"the record says {field}{in_words(mine)}, the seed gives {in_words(right)}"


def in_words(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case tuple():
            return " ".join(thing if isinstance(thing, str) else f"{thing[0]}×{thing[1]}" for thing in value)
    return str(value)


def outcome_words(record: Record) -> str:
    if record.outcome is None:
        return "the match is not over"
    return f"places {'/'.join(map(str, record.outcome.places))}, {record.outcome.reason}"
