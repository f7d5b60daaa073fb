"""The laws that every game obeys, as one suite that anyone may run on a game of their own.

    from tablee.core.laws import check_laws
    check_laws(MyGame())

Random matches are played on every number of seats and around every option; each law looks at every moment of them. A
broken law says which match and ply to look at. There are no exemptions.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import ValidationError

from .chance import SeedChance
from .game import Cause, Game, Leave, Seat
from .match import Match, Step

AnyGame = Game[Any, Any, Any]
MIXTURES = 12
"""How many times several options at once leave their defaults."""


class LawBroken(AssertionError):
    """A game broke a law; the text names the law, the match and the ply."""

    def __init__(self, law: str, sentence: str, where: str, detail: str) -> None:
        super().__init__(f"{law}: {sentence}\n  in {where}\n  {detail}")
        self.law = law


class _Broken(Exception):
    pass


class Moment:
    """One state of one random match, with what the laws ask of it over and over."""

    def __init__(self, match: Match, dice: random.Random) -> None:
        self.match = match
        self.game = match.game
        self.state = match.state
        self.turn = match.turn
        self.dice = dice
        self.seats = range(match.seats)
        self.viewers: tuple[Seat | None, ...] = (*self.seats, None)
        self.legal: dict[Seat, list[Any]] = {seat: match.legal(seat) for seat in self.seats}

    def chance(self, purpose: str) -> SeedChance:
        """Fresh randomness that does not depend on what was asked before."""
        return SeedChance(f"{self.match.seed}:{purpose}", self.match.ply)

    def some(self, actions: list[Any], most: int = 40) -> list[Any]:
        return actions if len(actions) <= most else self.dice.sample(actions, most)

    def may_act(self, seat: Seat) -> bool:
        return seat in self.turn.must or seat in self.turn.may


Law = Callable[[Moment], None]
LAWS: list[Law] = []


def law(check: Law) -> Law:
    LAWS.append(check)
    return check


def demand(holds: bool, detail: str | Callable[[], str]) -> None:
    if not holds:
        raise _Broken(detail if isinstance(detail, str) else detail())


@law
def over_is_over(now: Moment) -> None:
    """A match is over exactly when nobody must act and exactly when it has an outcome for every seat."""
    outcome = now.game.outcome(now.state)
    demand((outcome is None) == bool(now.turn.must), lambda: f"turn {now.turn}, outcome {outcome}")
    if outcome is None:
        return
    demand(not now.turn.may, lambda: f"it is over, yet {set(now.turn.may)} may act")
    demand(
        len(outcome.scores) == len(outcome.places) == len(now.seats), lambda: f"an outcome for other seats: {outcome}"
    )
    demand(
        sorted(outcome.places) == ranked(outcome.places), lambda: f"places that skip or start wrong: {outcome.places}"
    )


def ranked(places: tuple[int, ...]) -> list[int]:
    """What sorted places must be: equal ones shared, the next skipped (1, 1, 3)."""
    return [1 + sum(other < place for other in places) for place in sorted(places)]


@law
def legal_exactly_in_turn(now: Moment) -> None:
    """A seat has legal actions exactly when it must or may act; the list has no duplicates and a stable order."""
    strangers = (now.turn.must | now.turn.may) - set(now.seats)
    demand(not strangers, lambda: f"there is no seat {strangers} in {now.turn}")
    for seat in now.seats:
        actions = now.legal[seat]
        demand(bool(actions) == now.may_act(seat), lambda: f"seat {seat} has {len(actions)} actions in {now.turn}")
        demand(actions == list(now.game.legal_actions(now.state, seat)), lambda: f"seat {seat}: two lists differ")
        texts = {msgspec.json.encode(action) for action in actions}
        demand(len(texts) == len(actions), lambda: f"seat {seat}: duplicates in {actions}")


@law
def check_agrees_with_the_list(now: Moment) -> None:
    """`check` accepts what is listed and refuses everything else: other seats', earlier, mutated, reserved actions."""
    foreign = [action for actions in now.legal.values() for action in now.some(actions, 10)]
    foreign += [step.action for step in now.match.steps[-10:]]
    for seat in now.seats:
        listed = now.legal[seat]
        for action in now.some(listed):
            refusal = now.game.check(now.state, seat, action)
            demand(refusal is None, lambda: f"seat {seat}: listed, yet refused: {action} {refusal}")
        for kind in now.game.info.reserved:
            for action in (step.action for step in now.match.steps if isinstance(step.action, kind)):
                demand(now.game.check(now.state, seat, action) is not None, lambda: f"reserved, yet accepted: {action}")
        demand(now.game.check(now.state, seat, Leave()) is not None, lambda: f"seat {seat} may leave by itself")
        if now.game.info.partial and now.may_act(seat):
            continue
        for action in (*foreign, *mutants(now, now.some(listed, 6))):
            if action not in listed:
                refusal = now.game.check(now.state, seat, action)
                demand(refusal is not None, lambda: f"seat {seat}: not listed, yet accepted: {action}")


def mutants(now: Moment, actions: list[Any]) -> Iterator[Any]:
    """Actions that are well formed, but not quite those given."""
    pool = [msgspec.to_builtins(action) for action in actions]
    for fields in pool:
        for name, value in fields.items():
            if name == "type":
                continue
            others = [other[name] for other in pool if other.get(name, value) != value]
            for changed in (*mutated(value, now.dice), *now.dice.sample(others, min(2, len(others)))):
                try:
                    yield msgspec.convert({**fields, name: changed}, now.game.info.action)
                except ValidationError:
                    continue


def mutated(value: Any, dice: random.Random) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value, value + 1000)
    elif isinstance(value, str) and value:
        yield from (value[::-1], value[:-1], value + value[-1], value.swapcase(), "2C")
    elif isinstance(value, list) and value:
        yield from (value[1:], value + value[:1], value[::-1], [value[0]])
        for changed in mutated(value[0], dice):
            yield [changed, *value[1:]]


@law
def fallback_is_legal(now: Moment) -> None:
    """What the table plays for a seat it waits for is legal or reserved, and the same whenever it is asked."""
    for seat in now.turn.must:
        for cause in Cause:
            action = now.game.fallback(now.state, seat, cause)
            again = now.game.fallback(now.state, seat, cause)
            demand(action == again, lambda: f"seat {seat}, {cause}: first {action}, then {again}")
            if not isinstance(action, now.game.info.reserved):
                refusal = now.game.check(now.state, seat, action)
                demand(refusal is None, lambda: f"seat {seat}, {cause}: {action} is refused: {refusal}")


@law
def notation_reads_what_it_wrote(now: Moment) -> None:
    """Reading what notation wrote gives the same action and the same position."""
    notation = now.game.notation
    text = notation.write_state(now.state)
    demand(
        notation.read_state(text) == now.state, lambda: f"the position {text!r} reads as {notation.read_state(text)}"
    )
    for seat in now.seats:
        for action in (*now.some(now.legal[seat]), *forced_actions(now, seat)):
            text = notation.write_action(action)
            demand(notation.read_action(text) == action, lambda: f"{action} is written {text!r} and read otherwise")


def forced_actions(now: Moment, seat: Seat) -> list[Any]:
    """What the table may play for a seat."""
    waited = seat in now.turn.must
    return [now.game.fallback(now.state, seat, cause) for cause in Cause if waited or cause is Cause.LEAVE]


@law
def json_both_ways(now: Moment) -> None:
    """States, actions and views go through JSON and come back equal."""
    info = now.game.info
    through_json(now.state, info.state)
    for seat in now.viewers:
        through_json(now.game.view(now.state, seat), info.view)
    for seat in now.seats:
        for action in (*now.some(now.legal[seat]), *forced_actions(now, seat)):
            through_json(action, info.action)


def through_json(value: Any, kind: Any) -> None:
    back = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    demand(back == value, lambda: f"{value} comes back as {back}")


@law
def imagined_states_look_the_same(now: Moment) -> None:
    """A state imagined from a view gives that seat the same view, the same turn and the same legal actions."""
    for seat in now.viewers:
        view = now.game.view(now.state, seat)
        other = now.game.imagine(view, now.chance(f"imagine {seat}"))
        again = now.game.view(other, seat)
        demand(again == view, lambda: f"seat {seat} sees {view}, and of what it imagines {again}")
        demand(now.game.turn(other).must == now.turn.must, lambda: f"seat {seat} imagines another turn")
        if seat is not None:
            legal = list(now.game.legal_actions(other, seat))
            demand(
                legal == now.legal[seat], lambda: f"seat {seat} could tell by its actions: {legal} != {now.legal[seat]}"
            )


@law
def actors_see_their_own_action(now: Moment) -> None:
    """Whoever acts sees the whole action, and what others see of it is an action of the game."""
    for seat in now.seats:
        for action in now.some(now.legal[seat], 10):
            demand(now.game.seen(seat, action, seat) == action, lambda: f"seat {seat} does not see its own {action}")
            for viewer in now.viewers:
                shown = now.game.seen(seat, action, viewer)
                demand(shown is None or isinstance(shown, now.game.info.action), lambda: f"{viewer} sees {shown!r}")


@law
def apply_is_pure(now: Moment) -> None:
    """`apply` leaves its input unchanged and depends on nothing but its arguments."""
    for seat in now.seats:
        for action in now.some(now.legal[seat], 4):
            before = msgspec.json.encode(now.state)
            once = now.game.apply(now.state, seat, action, now.chance("apply"))
            demand(
                msgspec.json.encode(now.state) == before,
                lambda: f"seat {seat}: {action} changed the state it was given",
            )
            twice = now.game.apply(now.state, seat, action, now.chance("apply"))
            demand(once == twice, lambda: f"seat {seat}: {action} led to two states from the same chance")


@law
def seen_tells_no_more_than_the_view(now: Moment) -> None:
    """Two actions that lead to different states with one and the same view are shown to that viewer alike."""
    for seat in now.seats:
        actions = now.some(now.legal[seat], 6)
        after = [now.game.apply(now.state, seat, action, now.chance("seen")) for action in actions]
        for viewer in now.viewers:
            if viewer == seat:
                continue
            views = [now.game.view(state, viewer) for state in after]
            for one, other in itertools.combinations(range(len(actions)), 2):
                if after[one] != after[other] and views[one] == views[other]:
                    shown = [now.game.seen(seat, actions[at], viewer) for at in (one, other)]
                    demand(
                        shown[0] == shown[1], lambda: f"{viewer} could tell seat {seat}'s {shown[0]} from {shown[1]}"
                    )


@law
def simultaneous_actions_commute(now: Moment) -> None:
    """Where several seats must act, the order in which they do makes no difference."""
    waiting = sorted(now.turn.must)
    for first, second in itertools.pairwise(waiting):
        chosen = {seat: now.dice.choice(now.legal[seat]) for seat in (first, second)}
        ends = []
        for order in ((first, second), (second, first)):
            state = now.state
            for at, seat in enumerate(order):
                state = now.game.apply(state, seat, chosen[seat], now.chance(f"commute {at}"))
            ends.append(state)
        demand(ends[0] == ends[1], lambda: f"seats {first} and {second}: {chosen}")


@law
def anyone_may_abandon(now: Moment) -> None:
    """A seat that leaves, at any moment of a match, leaves a sound state behind."""
    if not now.turn.must:
        return
    for seat in now.seats:
        state = now.game.apply(now.state, seat, Leave(), now.chance("leave"))
        over = now.game.outcome(state) is not None
        turn = now.game.turn(state)
        demand(over != bool(turn.must), lambda: f"after seat {seat} left: {turn}, outcome {now.game.outcome(state)}")
        for waited in turn.must:
            demand(
                bool(list(now.game.legal_actions(state, waited))), lambda: f"after seat {seat} left, {waited} is stuck"
            )


def check_laws(game: AnyGame, *, matches: int = 2, seed: str = "laws", most_plies: int = 400) -> None:
    """Play random matches on every number of seats and around every option, and hold every law to every moment.

    A match is looked at for `most_plies` actions, then played on to its end without looking.
    """
    least, most = game.info.seats
    every = range(least, most + 1)
    for turn, options in enumerate(option_variants(game)):
        # Every number of seats with the default options; with others the ends, and one between that changes.
        some = every if turn == 0 else sorted({least, most, every[turn % len(every)]})
        for seats in some:
            for number in range(matches):
                check_match(game, seats, options, f"{seed}-{number}", most_plies, leaves=number % 2 == 1)
    imagination_is_free(game, seed)


def check_match(game: AnyGame, seats: int, options: Any, seed: str, most_plies: int, leaves: bool) -> None:
    """Hold every law to one random match, which one seat leaves on the way where `leaves` says so."""
    where = f"{game.info.key}, {seats} seats, {options}, seed {seed!r}"
    dice = random.Random(f"{seed} {seats} {options}")
    match = Match(game, seats, options, seed)
    while True:
        if match.ply <= most_plies:
            look(Moment(match, dice), where)
        if match.outcome is not None:
            break
        if match.ply >= game.info.longest:
            raise LawBroken("it_ends", f"Every match ends within {game.info.longest} actions.", where, "it goes on")
        if leaves and dice.random() < 0.1:
            match.act_for(dice.randrange(seats), Cause.LEAVE)
            leaves = False
        elif dice.random() < 0.05:
            match.act_for(dice.choice(sorted(match.turn.must)), dice.choice(clocks_of(match)))
        else:
            act_at_random(match, dice)
    again = Match(game, seats, options, seed)
    for step in match.steps:
        again.advance(step)
    if again.state != match.state:
        raise LawBroken("replay_is_the_match", "Replay from the seed equals the live state.", where, f"{again.state}")


def clocks_of(match: Match) -> list[Cause]:
    """The clocks that may run out: a table may limit any decision, the others are the game's to name."""
    limits = match.game.clocks(match.state)
    named = ((limits.player, Cause.PLAYER_CLOCK), (limits.match, Cause.MATCH_CLOCK))
    return [Cause.CLOCK, *(cause for limit, cause in named if limit is not None)]


def look(now: Moment, where: str) -> None:
    for check in LAWS:
        try:
            check(now)
        except Exception as error:
            if not isinstance(error, _Broken):
                error.add_note(f"while checking the law {check.__name__} in {where}, ply {now.match.ply}")
            sentence = " ".join((check.__doc__ or "").split())
            raise LawBroken(check.__name__, sentence, f"{where}, ply {now.match.ply}", repr_of(error)) from error


def repr_of(error: Exception) -> str:
    return str(error) if isinstance(error, _Broken) else f"{type(error).__name__}: {error}"


def act_at_random(match: Match, dice: random.Random) -> None:
    """Let a random seat of the turn do something legal; those who only may cut in do so now and then."""
    turn = match.turn
    seat = dice.choice(sorted(turn.may if turn.may and dice.random() < 0.2 else turn.must))
    match.advance(Step(seat, dice.choice(match.legal(seat))))


def imagination_is_free(game: AnyGame, seed: str) -> None:
    """In a game that hides something every seat, and a spectator, imagines more than one state behind its view."""
    if not game.info.hides:
        return
    dice = random.Random(seed)
    bound: set[Seat | None] = {*range(game.info.seats[1]), None}
    for number in range(20):
        match = Match(game, game.info.seats[1], game.info.options(), f"{seed}-free-{number}")
        for _ in range(20):
            if match.outcome is not None:
                break
            for seat in list(bound):
                view = match.view(seat)
                states = [game.imagine(view, SeedChance(f"{seed}-{number}-{n}", match.ply)) for n in range(4)]
                if any(state != states[0] for state in states):
                    bound.remove(seat)
            if not bound:
                return
            act_at_random(match, dice)
    sentence = " ".join((imagination_is_free.__doc__ or "").split())
    detail = f"viewers {bound} always imagine the same state; is it in the view?"
    raise LawBroken("imagination_is_free", sentence, game.info.key, detail)


def option_variants(game: AnyGame) -> list[Any]:
    """The defaults, the defaults with one option at each of its values or an end of its range, and some mixtures."""
    kind = game.info.options
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    variants = [kind()]
    choices: dict[str, list[Any]] = {}
    for name, shape in schema.items():
        values = shape.get("enum", [])
        if shape.get("type") == "boolean":
            values = [False, True]
        elif shape.get("type") == "integer":
            values = [shape[end] for end in ("minimum", "maximum") if end in shape]
        choices[name] = values
    dice = random.Random("mixtures")
    standard = msgspec.to_builtins(kind())
    wanted = [{name: value} for name, values in choices.items() for value in values]
    wanted += [
        {name: dice.choice([standard[name], *values]) for name, values in choices.items()} for _ in range(MIXTURES)
    ]
    for fields in wanted:
        try:
            variant = msgspec.convert(fields, kind)
        except ValidationError:
            continue
        if variant not in variants:
            variants.append(variant)
    return variants
