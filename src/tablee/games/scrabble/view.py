"""What a seat or a spectator can see of a state, from an allow-list; and imagining a state that fits a view."""

from __future__ import annotations

from ...core.game import Chance, Seat
from .board import SIZE, tiles_of, together, value_of, without
from .turns import idle_turns, most_idle, most_passes, passes_in_a_row, unanswered
from .values import Final, LastPlay, Pending, PendingView, State, View


def view_of(state: State, seat: Seat | None) -> View:
    """Return the view of a seat; None is a spectator (S10)."""
    waiting = unanswered(state) if state.stage == "challenge" else () if state.to_act is None else (state.to_act,)
    others = (rack for owner, rack in enumerate(state.racks) if owner != seat)
    return View(
        seat=seat,
        options=state.options,
        stage=state.stage,
        starter=state.starter,
        to_act=state.to_act,
        waiting=waiting,
        board=tuple(state.board[row : row + SIZE] for row in range(0, SIZE * SIZE, SIZE)),
        rack="" if seat is None else state.racks[seat],
        rack_sizes=tuple(map(len, state.racks)),
        scores=state.scores,
        bag=len(state.bag),
        unseen=together(state.bag, *others),
        passes=passes_in_a_row(state.log),
        idle=idle_turns(state.log),
        most_passes=most_passes(state),
        most_idle=most_idle(state),
        log=state.log,
        last=last_of(state),
        pending=pending_for(state, seat),
        left=state.left,
        final=final_of(state),
    )


def last_of(state: State) -> LastPlay | None:
    """Return the last settled play with its entry in the log."""
    for move in reversed(state.log):
        if move.kind in ("place", "withdrawn") and state.last is not None:
            return LastPlay(move.seat, state.last, move.kind == "withdrawn", move.contesters, move.invalid)
    return None


def pending_for(state: State, seat: Seat | None) -> PendingView | None:
    """Return the pending play, with only the viewer's own answer (S6)."""
    pending = state.pending
    if pending is None:
        return None
    answered = tuple(other for other, contests in enumerate(pending.answers) if contests is not None)
    mine = None if seat is None else pending.answers[seat]
    return PendingView(pending.seat, pending.play, answered, unanswered(state), mine)


def final_of(state: State) -> Final | None:
    """Return the end of the match; racks are shown only now (S10)."""
    return None if state.ending is None else Final(state.ending, state.racks, adjustments(state))


def adjustments(state: State) -> tuple[int, ...]:
    """Charge each seat for its tiles and pay them to a seat that went out (S7); no change if only one seat is left.

    Another program's file may have rules of its own.
    """
    if state.adjusted:
        return state.adjusted
    if state.ending == "left":
        return (0,) * len(state.racks)
    lost = [value_of(rack) for rack in state.racks]
    changes = [-value for value in lost]
    if state.ending == "out":
        changes[state.log[-1].seat] += sum(lost)
    return tuple(changes)


def order_of(view: View, first: Seat) -> tuple[Seat, ...]:
    """Return the seats that play, clockwise from one of them."""
    seats = len(view.rack_sizes)
    return tuple(seat % seats for seat in range(first, first + seats) if seat % seats not in view.left)


def imagine(view: View, chance: Chance) -> State:
    """Return a state with the same view: draw the hidden racks from the unseen tiles, and leave the rest in the bag.

    Tiles of a withdrawn play that were not laid or exchanged since stay on their rack, because everyone saw them.
    """
    racks, heap = hidden_racks(view, chance) if view.final is None else (view.final.racks, bag_at_end(view))
    return State(
        options=view.options,
        stage=view.stage,
        starter=view.starter,
        to_act=view.to_act,
        board="".join(view.board),
        racks=racks,
        bag=heap,
        scores=view.scores,
        log=view.log,
        last=None if view.last is None else view.last.play,
        pending=None if view.pending is None else imagine_pending(view, view.pending, chance),
        left=view.left,
        ending=None if view.final is None else view.final.ending,
    )


def bag_at_end(view: View) -> str:
    """Return the bag at the end, when every rack is shown."""
    assert view.final is not None
    others = (rack for owner, rack in enumerate(view.final.racks) if owner != view.seat)
    return without(view.unseen, "".join(others))


def hidden_racks(view: View, chance: Chance) -> tuple[tuple[str, ...], str]:
    """Draw racks for all seats; return them and the rest of the bag."""
    known = [shown_tiles(view, seat) for seat in range(len(view.rack_sizes))]
    heap = list(without(view.unseen, "".join(tiles for seat, tiles in enumerate(known) if seat != view.seat)))
    racks = []
    for seat, size in enumerate(view.rack_sizes):
        if seat == view.seat:
            racks.append(view.rack)
            continue
        drawn = [heap.pop(chance.pick(len(heap))) for _ in range(size - len(known[seat]))]
        racks.append(together(known[seat], *drawn))
    return tuple(racks), "".join(heap)


def shown_tiles(view: View, seat: Seat) -> str:
    """Return the tiles of a rack that are public because of a withdrawn play (S6)."""
    known = ""
    for move in view.log:
        if move.seat != seat:
            continue
        if move.kind == "withdrawn":
            tried = tiles_of(move.tiles)
            known = together(tried, minus(known, tried))
        elif move.kind == "place":
            known = minus(known, tiles_of(move.tiles))
        elif move.kind in ("exchange", "leave"):
            known = ""
    if view.pending is not None and view.pending.seat == seat:
        known = minus(known, tiles_of(view.pending.play.tiles))
    return known


def minus(heap: str, tiles: str) -> str:
    """Remove tiles from a heap as far as it has them."""
    for tile in tiles:
        heap = heap.replace(tile, "", 1)
    return heap


def imagine_pending(view: View, pending: PendingView, chance: Chance) -> Pending:
    """Return the pending play with random answers of the other seats."""
    answers: list[bool | None] = [None] * len(view.rack_sizes)
    for seat in pending.answered:
        answers[seat] = pending.mine if seat == view.seat else chance.pick(2) == 1
    return Pending(pending.seat, pending.play, tuple(answers))
