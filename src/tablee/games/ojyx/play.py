"""Playing action cards and reacting to attacks (O10–O12)."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ...core.game import Chance, Refusal, Seat
from .cards import ATTACKS, FIELDS, REACTIONS
from .deck import draw_number, look_ahead
from .effects import EFFECTS, NOTHING, Aim, spend_stored, targets
from .grid import EVERYBODY, cards_in
from .turn import MOST_PLAYS, discard_held, drew, held_by, proceed
from .values import ActionCard, Attack, Event, Held, Play, React, State

LOOKED_AT = 3
"""The number of cards that scout shows (O12)."""
AIM_FIELDS = ("seat", "cell", "cells", "target_cell", "column", "order")


@cache
def play_of(card: ActionCard, seat: Seat | None, aim: Aim) -> Play:
    return Play(card, seat, aim.cell, aim.cells, aim.target_cell, aim.column)


def repeated(state: State, card: ActionCard) -> ActionCard | None:
    """Return the card whose effect a card has: itself, or for a duplicate the last card played."""
    return state.last_card if card == "duplicate" else card


def plays_of(state: State, seat: Seat, card: ActionCard) -> list[Play]:
    """Return every way to play a card; none for a reaction or a card without a target (O11)."""
    effect = repeated(state, card)
    if effect is None or effect in REACTIONS:
        return []
    if effect == "scout" or (effect == "gift" and gift_targets(state, seat)):
        return [play_of(card, None, NOTHING)]
    if effect == "gift":
        return []
    aims = EFFECTS[effect].aims
    if effect not in ATTACKS:
        return [play_of(card, None, aim) for aim in aims(state, seat, seat)]
    return [play_of(card, victim, aim) for victim in targets(state, seat) for aim in aims(state, seat, victim)]


def gift_targets(state: State, seat: Seat) -> list[Seat]:
    """Return the opponents that can receive a gift."""
    return [victim for victim in targets(state, seat) if cards_in(state.grids[victim])]


def gifts(state: State, seat: Seat) -> list[Play]:
    """Return the legal second steps of a gift."""
    aims = EFFECTS["gift"].aims
    return [play_of("gift", victim, aim) for victim in targets(state, seat) for aim in aims(state, seat, victim)]


def can_play(state: State, seat: Seat) -> bool:
    """Return whether a seat can play action cards: it is not frozen and has played fewer than three stored ones."""
    return not state.frozen[seat] and (state.stage == "action" or state.plays < MOST_PLAYS)


def why_not_play(state: State, seat: Seat, action: Play) -> Refusal | None:
    """Return why an action card of the seat in turn is not legal, or None if it is."""
    card = action.card
    if state.stage in ("gift", "scout"):
        return why_not_second_step(state, seat, action)
    if state.stage == "action":
        if held_by(state).action != card:
            return Refusal("decide_first") if card in state.stocks[seat] else Refusal("not_in_stock", {"card": card})
    elif card not in state.stocks[seat]:
        return Refusal("not_in_stock", {"card": card})
    if card in REACTIONS:
        return Refusal("reaction_only", {"card": card})
    if state.frozen[seat]:
        return Refusal("frozen")
    if not can_play(state, seat):
        return Refusal("three_played", {"most": MOST_PLAYS})
    effect = repeated(state, card)
    if effect is None:
        return Refusal("nothing_to_repeat")
    refusal = why_not_fields(action, () if effect in ("gift", "scout") else FIELDS.get(effect, ()))
    if refusal is not None:
        return refusal
    if effect == "gift":
        return None if gift_targets(state, seat) else Refusal("no_target", {"card": card})
    if effect == "scout":
        return None
    if effect in ATTACKS:
        return why_not_attack(state, seat, effect, action)
    if not EFFECTS[effect].aims(state, seat, seat):
        return Refusal("no_target", {"card": card})
    return EFFECTS[effect].why_not(state, seat, seat, aim_of(action))


def why_not_fields(action: Play | React, fields: tuple[str, ...]) -> Refusal | None:
    """Refuse missing and superfluous fields."""
    for name in AIM_FIELDS:
        if (getattr(action, name, None) is not None) != (name in fields):
            return Refusal("wrong_fields", {"fields": fields})
    return None


def why_not_attack(state: State, seat: Seat, card: ActionCard, action: Play) -> Refusal | None:
    victim = action.seat
    if victim is None or not 0 <= victim < len(state.grids):
        return Refusal("no_such_seat", {"seat": victim})
    if victim == seat:
        return Refusal("own_seat")
    if state.gone >> victim & 1:
        return Refusal("gone", {"seat": victim})
    if state.shielded >> victim & 1:
        return Refusal("shielded", {"seat": victim})
    return EFFECTS[card].why_not(state, seat, victim, aim_of(action))


def why_not_second_step(state: State, seat: Seat, action: Play) -> Refusal | None:
    """Return why the second step of a gift or a scout is not legal, or None if it is."""
    if action.card != state.stage:
        return Refusal("wrong_stage", {"stage": state.stage})
    refusal = why_not_fields(action, FIELDS[action.card])
    if refusal is not None:
        return refusal
    if action.card == "gift":
        return why_not_attack(state, seat, "gift", action)
    if sorted(action.order or ()) != list(range(len(state.scouted))):
        return Refusal("not_an_order", {"count": len(state.scouted)})
    return None


def aim_of(action: Play | React | Attack) -> Aim:
    return Aim(action.cell, getattr(action, "cells", None), action.target_cell, action.column)


def play(state: State, seat: Seat, action: Play, chance: Chance) -> State:
    """Spend an action card, then apply its effect, or wait for the target's reaction (O10)."""
    if state.stage == "gift":
        return strike(replace(state, events=(*state.events, played(seat, action))), seat, "gift", action, chance)
    if state.stage == "scout":
        order = action.order or ()
        state = replace(state, scouted=tuple(state.scouted[at] for at in order))
        return proceed(replace(state, events=(*state.events, Event("played", seat, action="scout"))), chance)
    effect = repeated(state, action.card)
    assert effect is not None
    if state.stage == "action":
        state = replace(state, held=None, action_discard=(*state.action_discard, action.card))
    else:
        state = replace(spend_stored(state, seat, action.card), plays=state.plays + 1)
    event = played(seat, action, effect if effect != action.card else None)
    state = replace(state, last_card=effect, events=(*state.events, event))
    if effect == "scout":
        return replace(look_ahead(state, seat, LOOKED_AT, chance), stage="scout")
    if effect == "gift":
        state, card = draw_number(state, chance)
        held = Held(seat, "gift", card, known=EVERYBODY)
        return replace(state, stage="gift", held=held, events=drew(state, seat, "deck", card))
    if effect in ATTACKS:
        return strike(state, seat, effect, action, chance)
    return proceed(EFFECTS[effect].apply(state, seat, seat, aim_of(action), chance), chance)


def played(seat: Seat, action: Play, repeats: ActionCard | None = None) -> Event:
    """Return the event of playing a card."""
    return Event(
        "played",
        seat,
        action=action.card,
        repeats=repeats,
        target=action.seat,
        cell=action.cell,
        cells=action.cells,
        target_cell=action.target_cell,
        column=action.column,
    )


# Attacks and reactions


def strike(state: State, seat: Seat, card: ActionCard, action: Play, chance: Chance) -> State:
    """Attack; wait for a reaction if the target has any stored card and is not frozen (O10)."""
    assert action.seat is not None
    attack = Attack(seat, action.seat, card, action.cell, action.target_cell, action.column)
    if state.stocks[attack.target] and not state.frozen[attack.target]:
        return replace(state, stage="react", attack=attack)
    return hit(state, card, seat, attack.target, aim_of(attack), chance)


def hit(state: State, card: ActionCard, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    """Apply the effect of an attack."""
    cell, _, target_cell, column = aim
    event = Event("hit", actor, action=card, target=victim, cell=cell, target_cell=target_cell, column=column)
    state = replace(state, attack=None, events=(*state.events, event))
    return proceed(EFFECTS[card].apply(state, actor, victim, aim, chance), chance)


def void(state: State) -> State:
    """Cancel an attack; the card of a gift is discarded (O12)."""
    attack = state.attack
    if attack is not None:
        event = Event("void", attack.seat, action=attack.card, target=attack.target)
        state = replace(state, attack=None, events=(*state.events, event))
    return discard_held(state)


def attack_on(state: State) -> Attack:
    """Return the attack that waits for a reaction, which must exist."""
    assert state.attack is not None
    return state.attack


def mirrors(state: State) -> list[React]:
    """Return every way to mirror the attack; without an aim the mirror only cancels it (O12)."""
    attack = attack_on(state)
    aims = EFFECTS[attack.card].aims(state, attack.target, attack.seat) or [NOTHING]
    return [mirror_of(aim) for aim in aims]


@cache
def mirror_of(aim: Aim) -> React:
    return React("mirror", aim.cell, aim.target_cell, aim.column)


def why_not_react(state: State, seat: Seat, action: React) -> Refusal | None:
    if state.attack is None or state.attack.target != seat:
        return Refusal("not_asked")
    if action.answer == "accept":
        return why_not_fields(action, ())
    if action.answer not in state.stocks[seat]:
        return Refusal("not_in_stock", {"card": action.answer})
    attack = state.attack
    if action.answer == "shield" or not EFFECTS[attack.card].aims(state, seat, attack.seat):
        return why_not_fields(action, ())
    fields = tuple(name for name in FIELDS[attack.card] if name != "seat")
    return why_not_fields(action, fields) or EFFECTS[attack.card].why_not(state, seat, attack.seat, aim_of(action))


def react(state: State, seat: Seat, action: React, chance: Chance) -> State:
    attack = attack_on(state)
    state = replace(state, events=(*state.events, Event("answered", seat, answer=action.answer)))
    if action.answer == "accept":
        return hit(state, attack.card, attack.seat, seat, aim_of(attack), chance)
    state = spend_stored(state, seat, action.answer)
    if action.answer == "shield":
        return proceed(void(replace(state, shielded=state.shielded | 1 << seat)), chance)
    if not EFFECTS[attack.card].aims(state, seat, attack.seat):
        return proceed(void(state), chance)
    return hit(state, attack.card, seat, attack.seat, aim_of(action), chance)
