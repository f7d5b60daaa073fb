"""Maps each client frame to the verb that it calls and the frame that answers it."""

from __future__ import annotations

from msgspec.structs import replace

from ..core.game import Refused
from ..table import PersonId, Table, Verb, dealing, hosting, messages, planning, playing, proposals, seating
from ..table.pace import Days, over_days
from .adviser import Adviser
from .clock import Clock
from .config import Config
from .correspondence import demand_few_games
from .driver import new_seed
from .frames import (
    Act,
    Advise,
    Answer,
    Banish,
    ClearSeat,
    ClientFrame,
    Configure,
    DoneFrame,
    LeaveSeat,
    Ping,
    Plan,
    Preview,
    PreviewFrame,
    Propose,
    Rematch,
    Report,
    Resign,
    Resume,
    Salt,
    Say,
    SeatBot,
    Sit,
    Start,
    Sync,
    Unplan,
    Unsay,
    Watch,
    Withdraw,
    to_json,
)
from .limits import Limiter
from .line import Line, Request
from .moderation import Filter, clean_message
from .room import Room
from .shared_files import publish, with_files

SECONDS_A_MESSAGE = 2.0
"""How often one person may write in the long run; a few messages may come at once."""
MESSAGES_AT_ONCE = 6
FRAMES_A_CHANGE = 20
"""Changes other than moves are limited to one in this many frames, because the log keeps each of them."""
VOICES = 10
"""One address may write as much as this many people: cookies are free, addresses are not."""


class Commands:
    """Carries out the commands of every connection."""

    def __init__(self, config: Config, time: Clock) -> None:
        self._unwanted = Filter(config.data)
        self.changes = Limiter(config.frames_per_second / FRAMES_A_CHANGE, config.frames_per_second, time)
        self._adviser = Adviser(time)
        self._messages = Limiter(1 / SECONDS_A_MESSAGE, MESSAGES_AT_ONCE, time)
        self._messages_from = Limiter(VOICES / SECONDS_A_MESSAGE, VOICES * MESSAGES_AT_ONCE, time)

    async def carry_out(self, frame: ClientFrame, line: Line, room: Room, address: str) -> None:
        """Do what a frame asks and post the answer; raise `Refused` if it may not be done."""
        match frame:
            case Act():
                await room.change(*move_of(frame, line, demand_person(line)))
            case Preview(id, offer, action):
                line.post(to_json(PreviewFrame(id, *playing.preview(room.table, demand_person(line), offer, action))))
            case Advise(id, offer):
                self._adviser.ask(demand_person(line), offer, line, room, id)
            case Ping(id, hidden):
                room.look(line, hidden=hidden)
                line.post(to_json(DoneFrame(id)))
            case Sync(id, match, ply):
                room.sync(line, match, ply)
                line.post(to_json(DoneFrame(id)))
            case _:
                person = demand_person(line)
                self.changes.demand(person)
                if isinstance(frame, Say):
                    frame = self._admit_message(frame, person, address)
                is_move = seating.leaves_by_action if isinstance(frame, LeaveSeat | Resign) else never
                if isinstance(frame, Configure):
                    await publish(room.services.files)
                await demand_place(frame, person, room)
                verb, asked = verb_of(frame, person, room), Request(line, frame.id, is_move)
                await with_files(room.services.files, lambda: room.change(verb, asked))

    def _admit_message(self, frame: Say, person: PersonId, address: str) -> Say:
        """Return a message with its text cleaned; raise `Refused` if it is bad or comes too soon."""
        if frame.kind == "text":
            frame = replace(frame, text=clean_message(frame.text, self._unwanted))
        try:
            self._messages.demand(person)
            self._messages_from.demand(address)
        except Refused as refused:
            raise Refused("chat_too_fast", **refused.refusal.values) from None
        return frame


def move_of(frame: Act, line: Line, person: PersonId) -> tuple[Verb, Request]:
    """Return the verb of a move, and the request that it answers."""
    offer, action, lag = frame.offer, frame.action, line.lag
    return lambda table, now: playing.act(table, person, offer, action, now, lag), Request(line, frame.id, always)


def verb_of(frame: ClientFrame, person: PersonId, room: Room) -> Verb:
    """Return the verb of a command that is not a move."""
    match frame:
        case Sit(_, seat):
            return lambda table, now: seating.sit(table, person, seat)
        case LeaveSeat():
            return lambda table, now: seating.leave(table, person, now)
        case Resign():
            return lambda table, now: seating.resign(table, person, now)
        case SeatBot(_, at, level):
            return lambda table, now: hosting.seat_bot(table, person, at, level)
        case ClearSeat(_, at):
            return lambda table, now: hosting.clear_seat(table, person, at)
        case Configure(_, options, seats, public, move_time, grace, rated, advice, pace):
            return lambda table, now: hosting.configure(
                table, person, options, seats, public, move_time, grace, rated, advice, pace
            )
        case Salt(_, salt):
            return lambda table, now: dealing.salt(table, person, salt)
        case Propose(_, kind, seat):
            return lambda table, now: proposals.propose(table, person, kind, seat, room.expected(), now, room.idle())
        case Answer(_, yes):
            return lambda table, now: proposals.answer(table, person, yes, now)
        case Withdraw():
            return lambda table, now: proposals.withdraw(table, person)
        case Resume():
            return lambda table, now: proposals.resume(table, person)
        case Plan(_, ply, line):
            return lambda table, now: planning.plan(table, person, ply, line)
        case Unplan(_, ply, at_line):
            return lambda table, now: planning.unplan(table, person, ply, at_line)
        case Watch(_, is_open):
            return lambda table, now: hosting.watch(table, person, is_open)
        case Banish(_, target):
            return lambda table, now: hosting.banish(table, person, target)
        case Say(_, text, kind):
            return lambda table, now: messages.say(table, person, kind, text, room.time.wall())
        case Unsay(_, n):
            return lambda table, now: messages.unsay(table, person, n)
        case Report(_, n):
            return lambda table, now: messages.report(table, person, n, room.time.wall())
        case Start():
            return lambda table, now: dealing.start(dealing.committed(table), person, new_seed())
        case Rematch(_, wanted):
            return lambda table, now: dealing.ask_rematch(dealing.committed(table), person, new_seed(), wanted=wanted)
    raise AssertionError(f"no verb for {type(frame).__name__}")


async def demand_place(frame: ClientFrame, person: PersonId, room: Room) -> None:
    """Raise `Refused` if a command would give a person too many games over days."""
    match frame:
        case Sit() | Rematch(_, True) if room.table.status != "playing":
            await demand_few_games(room.services, person, room.table.pace)
        case Configure(pace=Days() as pace) if not over_days(room.table.pace):
            await demand_few_games(room.services, person, pace)


def demand_person(line: Line) -> PersonId:
    """Return the person of a connection; raise `Refused` if it has no cookie."""
    if line.person is None:
        raise Refused("unknown_person")
    return line.person


def always(table: Table) -> bool:
    return True


def never(table: Table) -> bool:
    return False
