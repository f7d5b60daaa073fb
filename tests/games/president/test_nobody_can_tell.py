"""P10: what other players see, and when, does not depend on which seat could close out of turn."""

import asyncio
import random
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from inside import services_of
from msgspec.structs import replace

from tablee.core.game import Cause
from tablee.core.match import Match, Step
from tablee.games.president.rules import President
from tablee.server.clock import Clock
from tablee.server.config import Config
from tablee.server.line import place
from tablee.server.room import Room
from tablee.table import Table, dealing, hosting, seating
from tablee.table.events import encode

GAME = President()
WATCHER = 0


class Line:
    """A connection that stores its frames."""

    def __init__(self, person):
        self.person = person
        self.seat = self.view_seat = None
        self.arrived = self.lag = 0.0
        self.is_slow = self.is_hidden = False
        self.got = []

    def post(self, frame):
        self.got.append(frame)

    def beat(self, number):
        pass

    def hang_up(self, code, reason):
        pass

    def turn_away(self, refused):
        pass


class Shy:
    """Bots that never act out of turn, and otherwise play what the clock would."""

    def __init__(self):
        self.room: Any = None

    async def decide(self, key, level, seat, view, seed):
        table = self.room.table
        if seat not in table.turn.must:
            return None
        return encode(GAME.fallback(table.match.state, seat, Cause.CLOCK))


class QuickClock(Clock):
    """A clock that records every sleep and returns at once."""

    def __init__(self):
        self.waited = []

    async def sleep(self, seconds):
        self.waited.append(seconds)
        await asyncio.sleep(0)


def twins():
    """Yield pairs of states that differ only in the hands of two seats, one of which could close in one of them."""
    for number in range(200):
        dice = random.Random(number)
        match = Match(GAME, 5, GAME.info.options(), f"secret {number}")
        while match.outcome is None and match.ply < 60:
            state, turn = match.state, match.turn
            strangers = [seat for seat in range(5) if seat != WATCHER and seat not in turn.must]
            for one, other in combinations(strangers, 2):
                hands = list(state.hands)
                hands[one], hands[other] = hands[other], hands[one]
                twin = replace(state, hands=tuple(hands))
                same_view = GAME.view(twin, WATCHER) == GAME.view(state, WATCHER)
                if match.steps and WATCHER not in turn.must and same_view and GAME.turn(twin).may != turn.may:
                    yield state, twin, match.steps[-1]
            seat = dice.choice(sorted(turn.must))
            match.advance(Step(seat, dice.choice(match.legal(seat))))


async def seen_after(step: Step, state, data: Path):
    """Return the frames of seat 0 and a spectator for a step and the next one, and the longest wait in between."""
    shy = Shy()
    time = QuickClock()
    services = services_of(data, shy, time)
    table = Table("ABCDEF", Table.create("president", {}, 5, False, "anne"))
    table.apply_all(seating.sit(table, "anne", WATCHER))
    for seat in range(1, 5):
        table.apply_all(hosting.seat_bot(table, "anne", seat, "moyen"))
    table.apply_all(dealing.start(table, "anne", "graine"))
    table.match.state, table.turn = state, GAME.turn(state)
    table.match.steps.append(step)
    table.offers = dict.fromkeys((*table.turn.must, *table.turn.may), table.match.ply)
    room = shy.room = Room(table, services)
    lines = [Line("anne"), Line(None)]
    for line in lines:
        room.connections.add(line)
        place(line, table)
    room._broadcast_move(None)
    time.waited.clear()
    room.driver._bots.wake(table)
    await asyncio.gather(*room.driver._tasks)
    room.close()
    await services.store.close()
    return [line.got[:2] for line in lines], max(time.waited)


async def test_frames_and_delays_do_not_reveal_which_seat_could_close(tmp_path):
    compared = 0
    for number, (state, twin, step) in enumerate(islice(twins(), 12)):
        seen = await seen_after(step, state, tmp_path / f"a{number}")
        assert seen == await seen_after(step, twin, tmp_path / f"b{number}")
        frames, wait = seen
        assert [len(got) for got in frames] == [2, 2]
        assert wait == Config().pause(GAME.pause(GAME.view(state, None))) > 0
        compared += 1
    assert compared == 12


def test_only_the_seat_itself_sees_its_legal_actions():
    for state, twin, _ in islice(twins(), 30):
        assert GAME.view(state, None) == GAME.view(twin, None)
        assert list(GAME.legal_actions(state, WATCHER)) == list(GAME.legal_actions(twin, WATCHER))
        assert b"may" not in encode(GAME.view(state, WATCHER))
