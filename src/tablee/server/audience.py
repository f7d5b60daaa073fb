"""The people at one table: their connections here and through other servers, and the frames that show them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ..core.game import Seat
from ..table import PersonId, Table
from . import tell
from .clock import Alarm, Clock
from .cluster import Cluster
from .frames import TableFrame, WatchersFrame, to_json
from .line import Line
from .news import Attendee, Crowd, Joined
from .presence import Attendance

PRESENCE_SECONDS = 0.3
"""People who come and go within this time share one frame."""
CLOCK_SECONDS = 0.25
"""How far the servers may be apart about the time. Within this, the connection that joins last counts as newer."""


class Audience:
    """Everyone who is connected to a table."""

    def __init__(
        self, table: Callable[[], Table], faces: tell.Faces, cluster: Cluster, time: Clock, patience: float
    ) -> None:
        """`table` returns the table as it is now, `patience` is how many seconds a player may think without a clock."""
        self.connections: set[Line] = set()
        self._lines: dict[PersonId, Line] = {}
        """The connection of each person; there is only one."""
        self.attendance = Attendance(patience)
        self.answer_by = time.now()
        """When an open proposal expires."""
        self._table = table
        self._faces = faces
        self._cluster = cluster
        self._time = time
        self._since: dict[PersonId, float] = {}
        """When each connected person opened the connection, by the clock that all servers share."""
        self._shown: TableFrame | None = None
        """The last `table` frame that everyone got."""
        self._shown_at = time.now()
        self._alarm: Alarm | None = None
        self._is_closed = False

    # Come and go.

    def add(self, line: Line) -> bool:
        """Add a connection. A person's newer connection replaces the older one, here and on other servers.

        Return False, and hang up, if a newer one came first: a page that is reloaded leaves an older one behind, which
        may have waited longer for the store.
        """
        if line.person is None:
            self.connections.add(line)
            return True
        opened, known = self._cluster.at(line.arrived), self._latest_elsewhere(line.person)
        # What seems to be opened in the future says nothing: the database's clock was set.
        if opened + CLOCK_SECONDS < known <= self._cluster.now() + CLOCK_SECONDS:
            line.hang_up(4409, "taken_over")
            return False
        other = self._lines.get(line.person)
        if other is not None:
            if other.arrived > line.arrived:
                line.hang_up(4409, "taken_over")
                return False
            self.connections.discard(other)
            other.hang_up(4409, "taken_over")
        self.connections.add(line)
        self._lines[line.person] = line
        # The newer connection counts as newer, even if the clocks of two servers differ a little.
        self._since[line.person] = since = max(opened, known + 0.001)
        self._cluster.tell(Joined(self._cluster.id, self._table().code, line.person, since))
        return True

    def _latest_elsewhere(self, person: PersonId) -> float:
        """Return when a person last opened a connection through another server, as far as we know; 0: never."""
        crowds = self._cluster.elsewhere(self._table().code)
        return max((crowd.people[person].since for crowd in crowds if person in crowd.people), default=0.0)

    def remove(self, line: Line) -> None:
        """Remove a connection."""
        self.connections.discard(line)
        if line.person is not None and self._lines.get(line.person) is line:
            del self._lines[line.person]
            self._since.pop(line.person, None)

    def joined_elsewhere(self, person: PersonId, since: float, server: str) -> None:
        """Close the connection of a person who opened a newer one through another server."""
        mine = self._since.get(person)
        if mine is not None and (mine, self._cluster.id) < (since, server):
            line = self._lines[person]
            self.remove(line)
            line.hang_up(4409, "taken_over")
            self.show_soon()

    def close(self) -> None:
        self._is_closed = True
        if self._alarm is not None:
            self._alarm.cancel()

    # Who is here.

    def people(self) -> set[PersonId]:
        """Return everyone who is connected, through any server."""
        return self._lines.keys() | self.elsewhere().keys()

    def elsewhere(self) -> dict[PersonId, Attendee]:
        """Return the people who are connected through other servers."""
        crowds = self._cluster.elsewhere(self._table().code)
        return {person: attendee for crowd in crowds for person, attendee in crowd.people.items()}

    def is_watched_by(self, person: PersonId) -> bool:
        """Whether a person is connected with a page that is not in the background."""
        line = self._lines.get(person)
        if line is not None and not line.is_hidden:
            return True
        far = self.elsewhere().get(person)
        return far is not None and not far.hidden

    def lag_of(self, seat: Seat | None) -> float:
        """Return the seconds that the network takes to a seat's player and back."""
        who = None if seat is None else self._table().seats[seat]
        far = None if who is None or who.person is None else self.elsewhere().get(who.person)
        return min((line.lag for line in self.connections if line.seat == seat), default=far.lag if far else 0.0)

    def look(self) -> None:
        """Update who is connected now."""
        here = {person: attendee.slow for person, attendee in self.elsewhere().items()}
        here |= {person: line.is_slow for person, line in self._lines.items()}
        self.attendance.look(self._table(), here, self._time.now())

    @property
    def is_busy(self) -> bool:
        """Whether somebody is connected, or a frame is about to say that nobody is."""
        return bool(self.connections or self._alarm or self.elsewhere())

    # Show them.

    def show_soon(self, who: PersonId | None = None) -> None:
        """Tell everyone soon who is here. Changes that come quickly after each other share one frame.

        `who` came or went; None: more than that changed. Nothing waits for a spectator, so all of a storm share a look.
        """
        if who is None or who in self._players():
            self.look()
        if self._alarm is None and not self._is_closed:
            when = max(self._time.now(), self._shown_at + PRESENCE_SECONDS)
            self._alarm = self._time.call_at(when, self._show)

    def _show(self) -> None:
        """Send the `table` frame, or only the number of spectators if nothing else changed."""
        self._alarm = None
        self._shown_at = self._time.now()
        self.look()
        self._gather()
        if not self.connections:
            return
        frame = self.frame()
        if self._shown is None or frame != replace(self._shown, watchers=frame.watchers):
            self.show_table()
        elif frame.watchers != self._shown.watchers:
            self._shown = frame
            self.post(to_json(WatchersFrame(frame.watchers)))

    def show_table(self) -> None:
        """Send the `table` frame to every connection: seats, settings and presence."""
        self.look()
        self._gather()
        self._shown = frame = self.frame()
        texts: dict[tuple[Seat | None, Seat | None], bytes] = {}
        for line in self.connections:
            places = line.seat, line.view_seat
            if places not in texts:
                texts[places] = to_json(tell.for_seat(frame, self._table(), *places))
            line.post(texts[places])

    def frame(self) -> TableFrame:
        """Describe the table to a spectator."""
        table = self._table()
        others = sum(crowd.spectators for crowd in self._cluster.elsewhere(table.code))
        around = tell.Surroundings(
            faces=self._faces,
            attendance=self.attendance,
            spectators=self._spectators() + others,
            now=self._time.now(),
            answer_by=self.answer_by,
        )
        return tell.table_frame(table, around)

    def frame_for(self, line: Line) -> bytes:
        """Describe the table to one connection."""
        return to_json(tell.for_seat(self.frame(), self._table(), line.seat, line.view_seat))

    def post(self, frame: bytes) -> None:
        """Send a frame to every connection."""
        for line in self.connections:
            line.post(frame)

    def _players(self) -> set[PersonId | None]:
        """Return the people who sit at the table, or who play its match."""
        table = self._table()
        return {who.person for who in (*table.seats, *table.players) if who is not None}

    def _spectators(self) -> int:
        return len({line.person for line in self.connections if line.seat is None})

    def _gather(self) -> None:
        """Tell the other servers who is connected through this one."""
        if not self._cluster.is_shared:
            return
        people = {
            person: Attendee(self._since.get(person, 0.0), line.is_slow, round(line.lag, 1), line.is_hidden)
            for person, line in self._lines.items()
        }
        self._cluster.gathered(self._table().code, Crowd(self._table().length, people, self._spectators()))
