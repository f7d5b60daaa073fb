"""What each client frame asks for: which verb of the table it calls, and which frame answers it."""

from __future__ import annotations

from ..core.game import Refused
from ..table import PersonId, Table, Verb
from .clock import Clock
from .config import Config
from .frames import (
    Act,
    Answer,
    Banish,
    ClearSeat,
    ClientFrame,
    Configure,
    DoneFrame,
    LeaveSeat,
    Ping,
    Preview,
    PreviewFrame,
    Propose,
    Rematch,
    Report,
    Resume,
    Salt,
    Say,
    SeatBot,
    Sit,
    Start,
    Sync,
    Unsay,
    Watch,
    Withdraw,
    to_json,
)
from .limits import Limiter
from .line import Line
from .moderation import Filter, clean_message
from .room import Request, Room, new_seed

SECONDS_A_MESSAGE = 2.0
"""How often one person may write in the long run; a few messages may come at once."""
MESSAGES_AT_ONCE = 6
FRAMES_A_CHANGE = 20
"""Changes other than moves are limited to one in so many frames, because each is kept in the log."""
VOICES = 10
"""One address may write as much as so many people: cookies are free, addresses are not."""


class Commands:
    """Carries out the commands of every connection."""

    def __init__(self, config: Config, time: Clock) -> None:
        self._unwanted = Filter(config.data)
        self.changes = Limiter(config.frames_per_second / FRAMES_A_CHANGE, config.frames_per_second, time)
        self._messages = Limiter(1 / SECONDS_A_MESSAGE, MESSAGES_AT_ONCE, time)
        self._messages_from = Limiter(VOICES / SECONDS_A_MESSAGE, VOICES * MESSAGES_AT_ONCE, time)

    async def carry_out(self, frame: ClientFrame, line: Line, room: Room, address: str) -> None:
        """Do what a frame asks and post the answer; raise `Refused` if it may not be done."""
        match frame:
            case Act(id, offer, action):
                person = somebody(line)
                act = lambda table, now: table.act(person, offer, action, now, line.lag)  # noqa: E731
                await room.change(act, Request(line, id, is_move=always))
            case Preview(id, offer, action):
                line.post(to_json(PreviewFrame(id, *room.table.preview(somebody(line), offer, action))))
            case Ping(id):
                line.post(to_json(DoneFrame(id)))
            case Sync(id, match, ply):
                room.sync(line, match, ply)
                line.post(to_json(DoneFrame(id)))
            case LeaveSeat(id):
                person = somebody(line)
                self.changes.demand(person)
                leave = lambda table, now: table.leave(person, now)  # noqa: E731
                await room.change(leave, Request(line, id, is_move=Table.leaves_by_action))
            case Say(id, text, kind):
                person = somebody(line)
                self.changes.demand(person)
                message = clean_message(text, self._unwanted) if kind == "text" else text
                self._demand_to_speak(person, address)
                at = room.time.wall()
                await room.change(lambda table, now: table.say(person, kind, message, at), Request(line, id, never))
            case _:
                person = somebody(line)
                self.changes.demand(person)
                await room.change(verb_of(frame, person, room), Request(line, frame.id, is_move=never))

    def _demand_to_speak(self, person: PersonId, address: str) -> None:
        try:
            self._messages.demand(person)
            self._messages_from.demand(address)
        except Refused as refused:
            raise Refused("chat_too_fast", **refused.refusal.values) from None


def verb_of(frame: ClientFrame, person: PersonId, room: Room) -> Verb:
    """Return the verb of a command that is neither a move nor a message; its answer is `done`."""
    match frame:
        case Sit(_, seat):
            return lambda table, now: table.sit(person, seat)
        case SeatBot(_, at, level):
            return lambda table, now: table.seat_bot(person, at, level)
        case ClearSeat(_, at):
            return lambda table, now: table.clear_seat(person, at)
        case Configure(_, options, seats, public, move_time, grace):
            return lambda table, now: table.configure(person, options, seats, public, move_time, grace)
        case Salt(_, salt):
            return lambda table, now: table.salt(person, salt)
        case Propose(_, kind, seat):
            return lambda table, now: table.propose(person, kind, seat, room.expected(), now, room.idle())
        case Answer(_, yes):
            return lambda table, now: table.answer(person, yes, now)
        case Withdraw():
            return lambda table, now: table.withdraw(person)
        case Resume():
            return lambda table, now: table.resume(person)
        case Watch(_, is_open):
            return lambda table, now: table.watch(person, is_open)
        case Banish(_, target):
            return lambda table, now: table.banish(person, target)
        case Unsay(_, n):
            return lambda table, now: table.unsay(person, n)
        case Report(_, n):
            return lambda table, now: table.report(person, n, room.time.wall())
        case Start():
            return lambda table, now: promised(table).start(person, new_seed())
        case Rematch(_, wanted):
            return lambda table, now: promised(table).ask_rematch(person, new_seed(), wanted=wanted)
    raise AssertionError(f"no verb for {type(frame).__name__}")


def promised(table: Table) -> Table:
    """Refuse a next match before its deal is committed to, even right after the match before."""
    if table.secret is None and table.status == "over":
        raise Refused("no_commitment")
    return table


def somebody(line: Line) -> PersonId:
    if line.person is None:
        raise Refused("unknown_person")
    return line.person


def always(table: Table) -> bool:
    return True


def never(table: Table) -> bool:
    return False
