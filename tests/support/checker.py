"""Compares what clients saw with the log: nothing accepted may be lost, doubled, moved or changed.

Every problem is a line that begins with its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from ledger import Intent, Sighting, TableLedger, sorted_json

from tablee.core.discover import find
from tablee.core.fairness import commitment, verify
from tablee.core.game import Refused
from tablee.core.record import Record
from tablee.table import Event
from tablee.table.events import Acted, Said
from tablee.table.history import Played, played


def check_table(code: str, seen: TableLedger, events: Sequence[Event]) -> list[str]:
    """Return every problem of a table's log; none means that the log has all that was seen, once and in order."""
    matches = played(events)
    problems = [*check_steps(seen, matches), *check_intents(seen, matches), *check_chat(seen, events)]
    for match in matches:
        problems += check_match(seen, match)
    return [f"{problem} (table {code})" for problem in problems]


def check_steps(seen: TableLedger, matches: Sequence[Played]) -> Iterator[str]:
    """Compare every step that anybody saw with the step at the same place in the log."""
    for (number, ply), sightings in sorted(seen.steps.items()):
        if number > len(matches):
            yield f"lost: match {number}, of which somebody saw ply {ply}"
            continue
        match = matches[number - 1]
        for sighting in sightings:
            if ply <= len(match.steps) and looks(match, match.steps[ply - 1], sighting):
                continue
            elsewhere = [at for at, step in enumerate(match.steps, 1) if looks(match, step, sighting)]
            if elsewhere:
                yield f"moved: match {number}, ply {ply}, {sighting} is at {elsewhere[:3]}"
            else:
                yield f"lost: match {number}, ply {ply}, {sighting}"


def looks(match: Played, step: Acted, sighting: Sighting) -> bool:
    """Whether a step in the log looks to a viewer as they saw it."""
    if (step.seat, step.cause) != (sighting.seat, sighting.cause):
        return False
    game = find(match.game).rules
    action = msgspec.json.decode(step.action, type=game.info.action)
    return sorted_json(game.seen(step.seat, action, sighting.viewer)) == sighting.action


def check_intents(seen: TableLedger, matches: Sequence[Played]) -> Iterator[str]:
    """Match the actions of people in the log with those that they sent: each was sent, and played once at most."""
    for number, seat in sorted(seen.people):
        if number > len(matches):
            continue
        sent = [intent for intent in seen.intents if (intent.match, intent.seat) == (number, seat)]
        yield from check_seat(number, seat, sent, own_actions(matches[number - 1], seat))


def own_actions(match: Played, seat: int) -> dict[int, str]:
    """Return what a player played at a seat, by ply; leave out what the table or a replacement played."""
    return {
        ply: sorted_json(msgspec.json.decode(step.action))
        for ply, step in enumerate(match.steps, 1)
        if step.seat == seat and step.cause is None
    }


def check_seat(number: int, seat: int, sent: Sequence[Intent], logged: dict[int, str]) -> Iterator[str]:
    for intent in sent:
        if intent.ply is not None and logged.pop(intent.ply, None) != intent.action:
            yield f"lost: match {number}, ply {intent.ply}: seat {seat} was told that {intent.action} was accepted"
    open_intents = [intent for intent in sent if intent.ply is None and not intent.is_refused]
    for ply, action in logged.items():
        found = next((intent for intent in open_intents if intent.action == action), None)
        if found is None:
            yield f"doubled: match {number}, ply {ply}: seat {seat} did not send {action}, or not so often"
        else:
            open_intents.remove(found)


def check_chat(seen: TableLedger, events: Sequence[Event]) -> Iterator[str]:
    texts = Counter(event.text for event in events if isinstance(event, Said))
    for text, was_taken in seen.messages.items():
        if texts[text] > 1:
            yield f"doubled: the message {text!r} is {texts[text]} times in the log"
        elif was_taken and not texts[text]:
            yield f"lost: the message {text!r}"


def check_match(seen: TableLedger, match: Played) -> Iterator[str]:
    """Check that a match is over, follows the rules, and has the deal and the outcome that people saw."""
    number = match.number
    try:
        record = match.record()
    except Refused as refused:
        yield f"unfinished: match {number}: {refused}"
        return
    except Exception as error:
        yield f"broken: match {number} does not follow the rules: {error!r}"
        return
    yield from check_record(seen, number, record)


def check_record(seen: TableLedger, number: int, record: Record) -> Iterator[str]:
    """Check the deal of a record, and the promises and the outcome that people saw."""
    commits = seen.commits.get(number, set())
    if len(commits) > 1:
        yield f"promises: match {number} had {len(commits)} commitments: {sorted(commits)}"
    if record.secret is not None and commits - {commitment(record.secret)}:
        yield f"promises: match {number} has another secret than the one that was promised"
    for check in verify(record, next(iter(commits), None)):
        if check.ok is False:
            yield f"deal: match {number}: {check.what}: {check.detail}"
    may_rotate = find(record.game).rules.info.seats_differ  # a salt moves with its player, who takes the next seat
    for seat in range(record.seats):
        places = {seat, (seat + 1) % record.seats} if may_rotate else {seat}
        if salts := seen.salts.get((number, seat), set()) - {(record.salts or ())[place] for place in places}:
            yield f"deal: match {number}: the salts {salts} of seat {seat} were taken and not used"
    outcomes = seen.outcomes.get(number, set())
    if outcomes - {sorted_json(record.outcome)}:
        yield f"outcome: match {number}: people saw {outcomes}, the log gives {record.outcome}"


def same_steps(record: Record, match: Played) -> bool:
    """Whether a downloaded record has the steps of the log."""
    return [steps_key(step.seat, step.action, step.cause) for step in record.steps] == [
        steps_key(step.seat, msgspec.json.decode(step.action), step.cause) for step in match.steps
    ]


def steps_key(seat: int, action: Any, cause: Any) -> tuple[int, str, str | None]:
    return seat, sorted_json(action), cause
