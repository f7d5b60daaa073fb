"""People who play at many tables at once, over whatever servers are alive, and come back like the browser client."""

from __future__ import annotations

import asyncio
import itertools
import math
import random
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from ledger import Intent, Ledger, TableLedger, sorted_json
from msgspec import Struct
from players import choose
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException

PLAIN_REFUSALS = {"stale_offer", "not_your_turn", "over", "no_match", "too_late", "time_is_up"}
"""A client that was overtaken sees these: it asks for the present state."""
PASSING_REFUSALS = {"server_closing", "server_error", "store_down", "too_many"}
"""Only the log knows whether the action was written: the client sends it again."""
FINAL = {4403, 4404, 4410, 4411, 4412, 4413}


class Lost(Exception):
    """The connection is dead: the server does not answer."""


class Pace(Struct, frozen=True):
    """How people and their clients behave. The defaults are quicker than people and browsers, to save time."""

    think: float = 0.02
    """Mean seconds before an action."""
    chat: float = 0.03
    """How often an action comes with a message."""
    dead_after: float = 2.0
    """Seconds without an answer after which a client gives up a connection."""
    quiet: float = 0.5
    """Seconds without a frame after which a client asks whether the server is alive."""
    first_wait: float = 0.05
    """The longest wait before the first attempt to come back; each further one may take twice as long."""
    longest_wait: float = 1.0
    blind: float = 0.5
    """How often an action without an answer is sent again at once, before the state shows whether it was played."""


BROWSER = Pace(dead_after=10.0, first_wait=0.5, longest_wait=15.0)
"""The waits of web/src/core/connection.ts; only the pings come more often, so that trials end soon."""


class Person(Struct, frozen=True):
    id: str
    cookie: str


class Player:
    """A person at a table, who plays until closing time and the end of the match."""

    def __init__(
        self, person: Person, code: str, addresses: Iterator[str], ledger: Ledger, pace: Pace, dice: random.Random
    ) -> None:
        self.person = person
        self.code = code
        self.is_closing = False
        self.is_done = False
        self.table: dict[str, Any] | None = None
        self.match: dict[str, Any] | None = None
        """The latest state: match, ply, offer, outcome, rewinds, view."""
        self._addresses = addresses
        self._ledger = ledger
        self._seen: TableLedger = ledger.table(code)
        self._pace = pace
        self._dice = dice
        self._id = itertools.count(1)
        self._socket: ClientConnection | None = None
        self._intent: Intent | None = None
        self._act_at = math.inf
        self._asked: set[str] = set()
        """What was asked for on this connection and must not be asked twice."""
        self._waiting: dict[int, Callable[[], None]] = {}
        """What to do when a command is done."""
        self._unanswered = False
        self._salts: dict[tuple[int, str], str] = {}
        self._lost_at: float | None = None
        self._attempt = 0
        self._url = ""

    async def play(self) -> None:
        """Stay at the table, on one connection after the other."""
        while not self.is_done:
            try:
                await self._attend()
            except (OSError, WebSocketException, InvalidHandshake, Lost) as error:
                code = getattr(getattr(error, "rcvd", None), "code", 1006)
                assert code not in FINAL, f"{self.code}: closed with {code}"
                if isinstance(error, ConnectionClosed):
                    self._ledger.closings[code] += 1
            if not self.is_done:
                self._lose()
                most = min(self._pace.longest_wait, self._pace.first_wait * 2**self._attempt)
                self._attempt += 1
                await asyncio.sleep(most / 2 + most / 2 * self._dice.random())

    def describe(self) -> str:
        """Say where this player stands, for a match that does not end."""
        table, match = self.table or {}, self.match or {}
        seats = [f"{seat['kind']} {seat['presence']}" for seat in table.get("seats", ())]
        return (
            f"{self.code} {table.get('game')}, {self._url}: status {table.get('status')}, seat {table.get('you')} of "
            f"{seats}, match {match.get('match')}, ply {match.get('ply')}, turn {match.get('turn')}, "
            f"offer {(match.get('offer') or {}).get('number')}, sent {self._intent}, asked {self._asked}"
        )

    def _lose(self) -> None:
        if self._lost_at is None:
            self._lost_at = time.monotonic()
        self._asked.clear()
        self._waiting.clear()
        self._unanswered = False
        self._act_at = math.inf
        if self._intent is not None:
            self._intent.ids.clear()

    async def _attend(self) -> None:
        self._url = f"{next(self._addresses).replace('http', 'ws')}/ws/{self.code}"
        async with connect(
            self._url,
            additional_headers={"cookie": self.person.cookie},
            compression=None,
            ping_interval=None,
            open_timeout=self._pace.dead_after,
            close_timeout=0.2,
            max_size=None,
        ) as self._socket:
            if self._intent is not None and self._dice.random() < self._pace.blind:
                await self._send_intent(self._intent)
            while not self.is_done:
                await self._next()

    async def _next(self) -> None:
        """Take one frame, or do what is due."""
        assert self._socket is not None
        silence = self._pace.dead_after if self._unanswered else self._pace.quiet
        due = min(silence, self._act_at - time.monotonic())
        try:
            data = await asyncio.wait_for(self._socket.recv(), max(0.0, due))
        except TimeoutError:
            if self._act_at <= time.monotonic():
                self._act_at = math.inf
                await self._act()
            elif self._unanswered:
                raise Lost from None
            else:
                await self._send("ping")
        else:
            self._unanswered = False
            await self._take(msgspec.json.decode(data))
        await self._consider()

    async def _send(self, type: str, then: Callable[[], None] | None = None, **fields: Any) -> int:
        assert self._socket is not None
        number = next(self._id)
        if then is not None:
            self._waiting[number] = then
        if type != "beat":
            self._unanswered = True
        await self._socket.send(msgspec.json.encode({"type": type, "id": number} | fields).decode())
        return number

    # What the server says.

    async def _take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "table":
                self._take_table(frame)
            case "state":
                await self._take_state(frame)
            case "moved":
                await self._take_move(frame)
            case "refused":
                await self._take_refusal(frame)
            case "beat":
                assert self._socket is not None
                await self._socket.send(msgspec.json.encode({"type": "beat", "id": frame["number"]}).decode())
            case "done":
                if (then := self._waiting.pop(frame["reply"], None)) is not None:
                    then()

    def _take_table(self, frame: dict[str, Any]) -> None:
        if self.table is not None and frame["match"] < self.table["match"]:
            return  # a server that is behind; it will catch up
        self.table = frame
        if self.match is not None and self.match["match"] != frame["match"]:
            self.match = None
        if frame["commit"] is not None:
            number = frame["match"] + (frame["status"] != "playing")
            self._seen.commits.setdefault(number, set()).add(frame["commit"])

    async def _take_state(self, frame: dict[str, Any]) -> None:
        self._attempt = 0
        if self._lost_at is not None:
            self._ledger.longest_away = max(self._ledger.longest_away, time.monotonic() - self._lost_at)
            self._ledger.reconnections += 1
            self._lost_at = None
        known = self.match if self.match is not None and self.match["match"] == frame["match"] else None
        self._see(frame["match"], frame["missed"])
        if known is not None and frame["rewinds"] <= known["rewinds"] and frame["ply"] < known["ply"]:
            return
        before = 0 if known is None else known["ply"]
        self.match = {**frame, "missed": None}
        self._note_outcome()
        self._settle_intent()
        if before < frame["ply"] and not frame["missed"]:
            await self._send("sync", match=frame["match"], ply=before)

    async def _take_move(self, frame: dict[str, Any]) -> None:
        step = frame["step"]
        self._see(frame["match"], [step], live=True)
        intent = self._intent
        if intent is not None and frame["reply"] in intent.ids and frame["reply"] is not None:
            self._ledger.answered(intent, step["ply"])
            self._intent = None
        known = self.match
        if known is None or known["match"] != frame["match"]:
            await self._send("sync", match=frame["match"], ply=0)
        elif step["ply"] == known["ply"] + 1:
            self.match = {**frame, "ply": step["ply"], "rewinds": known["rewinds"]}
            self._note_outcome()
            self._settle_intent()
        elif step["ply"] > known["ply"]:
            self._ledger.gaps += 1
            await self._send("sync", match=known["match"], ply=known["ply"])

    def _see(self, match: int, steps: list[dict[str, Any]], *, live: bool = False) -> None:
        assert self.table is not None
        for step in steps:
            self._ledger.saw(self.code, match, step, self.table["view_seat"], live=live)

    def _note_outcome(self) -> None:
        assert self.match is not None
        assert self.table is not None
        if self.table["you"] is not None:
            self._seen.people.add((self.match["match"], self.table["you"]))
        if self.match["outcome"] is not None:
            self._seen.outcomes.setdefault(self.match["match"], set()).add(sorted_json(self.match["outcome"]))
            self._ledger.changed()

    def _settle_intent(self) -> None:
        """Forget an action without an answer if its offer is gone; the log says what became of it."""
        if self._intent is None or self.match is None:
            return
        offer = self.match["offer"]
        if self.match["match"] != self._intent.match or offer is None or offer["number"] != self._intent.offer:
            self._ledger.settled(self._intent)
            self._intent = None

    async def _take_refusal(self, frame: dict[str, Any]) -> None:
        code, reply = frame["code"], frame["reply"]
        self._ledger.refusals[code] = self._ledger.refusals.get(code, 0) + 1
        self._ledger.changed()
        self._waiting.pop(reply, None)
        intent = self._intent
        if intent is None or reply not in intent.ids:
            self._asked.clear()
            return
        if code in PASSING_REFUSALS:
            intent.ids.clear()
            self._act_at = time.monotonic() + 0.1
            return
        assert code in PLAIN_REFUSALS, f"{self.code}: {frame} for {intent}"
        intent.is_refused = intent.copies == 1
        self._intent = None
        if self.match is not None:
            await self._send("sync", match=self.match["match"], ply=self.match["ply"])

    # What the person wants.

    async def _consider(self) -> None:
        """Do what the table calls for."""
        table = self.table
        if table is None:
            return
        you = table["you"]
        if you is None:
            if table["status"] == "waiting" and any(seat["kind"] == "empty" for seat in table["seats"]):
                await self._ask_once("sit")
            return
        if table["status"] != "playing":
            await self._agree(table, you)
        elif self.match is not None and self.match["outcome"] is None:
            await self._plan()

    async def _agree(self, table: dict[str, Any], you: int) -> None:
        """Between matches: add a salt, start the first match, ask for the next one, or go home."""
        if table["status"] == "over" and self.is_closing:
            # A request for a rematch may still be on its way: go only after the server took it back.
            await self._ask_once("rematch", self._go_home, wanted=False)
            return
        if table["commit"] is None:
            return
        number = table["match"] + 1
        salt = self._salts.setdefault((number, table["commit"]), secrets.token_hex(16))
        taken = self._seen.salts.setdefault((number, you), set())
        await self._ask_once("salt", lambda: taken.add(salt), salt=salt)
        if table["status"] == "over":
            await self._ask_once("rematch")
        elif table["host"] == self.person.id and all(seat["kind"] != "empty" for seat in table["seats"]):
            await self._ask_once("start")

    def _go_home(self) -> None:
        self.is_done = True

    async def _ask_once(self, type: str, then: Callable[[], None] | None = None, **fields: Any) -> None:
        assert self.table is not None
        key = f"{self.table['match']} {type} {fields}"
        if key not in self._asked:
            self._asked.add(key)
            await self._send(type, then, **fields)

    async def _plan(self) -> None:
        """Decide when to act on the offer."""
        assert self.match is not None
        offer = self.match["offer"]
        if self._act_at < math.inf or offer is None:
            return
        if self._intent is not None:
            if not self._intent.ids:
                self._act_at = time.monotonic()
            return
        key = f"offer {self.match['match']} {offer['number']}"
        if not offer["must"]:
            if key in self._asked or self._dice.random() < 0.7:
                self._asked.add(key)
                return
            self._asked.add(key)
        self._act_at = time.monotonic() + self._pace.think * self._dice.expovariate(1.0)

    async def _act(self) -> None:
        if self._intent is not None:
            await self._send_intent(self._intent)
            return
        if self.match is None or self.table is None or self.match["offer"] is None or self.match["outcome"]:
            return
        offer, you = self.match["offer"], self.table["you"]
        action = choose(self.table["game"], self.match["view"], offer, self._dice, hurry=self.is_closing)
        self._intent = intent = self._ledger.intend(
            self.code, self.match["match"], you, offer["number"], sorted_json(action)
        )
        if self._dice.random() < self._pace.chat:
            await self._say()
        await self._send_intent(intent)

    async def _send_intent(self, intent: Intent) -> None:
        intent.copies += 1
        action = msgspec.Raw(intent.action.encode())
        intent.ids.append(next(self._id))
        assert self._socket is not None
        self._unanswered = True
        frame = {"type": "act", "id": intent.ids[-1], "offer": intent.offer, "action": action}
        await self._socket.send(msgspec.json.encode(frame).decode())

    async def _say(self) -> None:
        """Write something that nobody else writes; it is not sent again if no answer comes."""
        text = f"message {secrets.token_hex(8)}"
        self._seen.messages[text] = False
        await self._send("say", lambda: self._seen.messages.update({text: True}), text=text)
