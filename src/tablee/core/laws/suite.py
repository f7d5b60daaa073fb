"""Play random matches on every number of seats and around every option, and check every law on them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, ValidationError

from ..game import Bot, Cause
from ..match import Match
from . import legality, secrecy, writing
from .bots import check_bots
from .hash_order import check_hash_order, is_child
from .moment import AnyGame, LawBroken, Moment, Unlawful, sentence_of, text_of
from .play import act_at_random, clocks_of

Law = Callable[[Moment], None]

LAWS: tuple[Law, ...] = (
    legality.over_is_over,
    legality.legal_exactly_in_turn,
    legality.offers_expand_to_the_list,
    legality.check_agrees_with_the_list,
    legality.strangers_are_refused,
    legality.fallback_is_legal,
    legality.limits_are_sound,
    writing.notation_reads_what_it_wrote,
    writing.json_both_ways,
    secrecy.imagined_states_look_the_same,
    secrecy.public_facts_follow_from_every_view,
    secrecy.answers_follow_from_the_view,
    secrecy.fallback_follows_from_the_view,
    secrecy.actors_see_their_own_action,
    legality.apply_is_pure,
    secrecy.seen_tells_no_more_than_the_view,
    legality.simultaneous_actions_commute,
    legality.anyone_may_abandon,
)
"""The laws of a moment, in the order in which they are checked."""

MIXTURES = 12
"""How many variants change several options at once."""
FEWEST = 24
"""How many matches are played at least."""
CONCEDED = 0.15
"""The share of matches in which concessions are played like any other action."""


class Plan(Struct, frozen=True):
    """One random match."""

    seats: int
    options: Any
    seed: str
    troubled: bool
    """Seats leave and every clock may run out. In the other matches only decisions time out, so that they go on."""


def plans(game: AnyGame, matches: int, seed: str) -> list[Plan]:
    """The matches to play: every number of seats with the default options, some numbers with other options."""
    least, most = game.info.seats
    every = range(least, most + 1)
    tables = []
    for turn, options in enumerate(option_variants(game)):
        # The ends, and one between that changes.
        some = every if turn == 0 else sorted({least, most, every[turn % len(every)]})
        tables += [(seats, options) for seats in some]
    # A game with few options and seats gets more matches at each table.
    numbers = range(max(matches, FEWEST // len(tables)))
    return [
        # If each table has one match, every second one of them is troubled.
        Plan(seats, options, f"{seed}-{number}", troubled=(at if len(numbers) == 1 else number) % 2 == 1)
        for at, (seats, options) in enumerate(tables)
        for number in numbers
    ]


def check_laws(
    game: AnyGame,
    *,
    bots: Mapping[str, Bot[Any, Any]] | None = None,
    matches: int = 2,
    seed: str = "laws",
    looks: int = 40,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Play random matches and check every law on them; raise `LawBroken` at the first that is broken.

    The laws look at each of the first `looks` moments of a match, then at fewer and fewer, and at the last one.
    `tick` is called after each of the `steps` of the suite.
    """
    if is_child():
        return
    for plan in plans(game, matches, seed):
        check_match(game, plan.seats, plan.options, plan.seed, looks=looks, troubled=plan.troubled)
        tick()
    secrecy.imagination_is_free(game, seed)
    tick()
    check_bots(game, bots or {}, seed)
    tick()
    check_hash_order(game, seed)
    tick()


def steps(game: AnyGame, matches: int = 2, seed: str = "laws") -> int:
    """How often `check_laws` calls `tick`."""
    return len(plans(game, matches, seed)) + 3


def check_match(game: AnyGame, seats: int, options: Any, seed: str, *, looks: int = 40, troubled: bool = False) -> None:
    """Check every law on one random match; if it is `troubled`, seats leave it and clocks of all kinds run out."""
    where = f"{game.info.key}, {seats} seats, {options}, seed {seed!r}"
    written: list[bytes] = []
    states: list[Any] = []
    for match in random_match(game, seats, options, seed, troubled):
        states.append(match.state)
        written.append(text_of(match.state))
        if match.ply >= game.info.longest and match.outcome is None:
            sentence = f"Every match ends within {game.info.longest} actions."
            raise LawBroken("it_ends", sentence, f"{where}, ply {match.ply}", "it goes on")
        dice = random.Random(f"{where}, ply {match.ply}")
        if match.ply < looks or match.outcome is not None or dice.random() < looks / match.ply:
            look(Moment(match, dice), where)
    replay_is_the_match(match, states, written, where)


def random_match(game: AnyGame, seats: int, options: Any, seed: str, troubled: bool) -> Iterator[Match]:
    """Play a random match and yield it before its first action and after each."""
    dice = random.Random(f"{seed} {seats} {options}")
    concede = dice.random() < CONCEDED
    match = Match(game, seats, options, seed)
    leavers = dice.sample(range(seats), dice.randint(1, seats)) if troubled else []
    yield match
    while match.outcome is None:
        if leavers and dice.random() < 0.05:
            match.act_for(leavers.pop(), Cause.LEAVE)
        elif dice.random() < 0.05:
            clocks = clocks_of(match) if troubled else [Cause.CLOCK]
            match.act_for(dice.choice(sorted(match.turn.must)), dice.choice(clocks))
        else:
            act_at_random(match, dice, concede=concede)
        yield match


def replay_is_the_match(match: Match, states: list[Any], written: list[bytes], where: str) -> None:
    """Playing the same actions from the same seed gives every state again, and no state changes afterwards."""
    again = Match(match.game, match.seats, match.options, match.seed)
    for ply, (state, text) in enumerate(zip(states, written, strict=True)):
        if ply:
            again.advance(match.steps[ply - 1])
        problem = "a later action changed this state" if text_of(state) != text else ""
        if again.state != state:
            problem = f"live {state}\n  replayed {again.state}"
        if problem:
            raise LawBroken("replay_is_the_match", sentence_of(replay_is_the_match), f"{where}, ply {ply}", problem)


def look(now: Moment, where: str) -> None:
    """Check every law of a moment; raise `LawBroken` at the first that is broken."""
    where = f"{where}, ply {now.match.ply}"
    before = text_of(now.state)
    for law in LAWS:
        try:
            law(now)
        except Exception as error:
            detail = str(error) if isinstance(error, Unlawful) else f"{type(error).__name__}: {error}"
            raise LawBroken(law.__name__, sentence_of(law), where, detail) from error
        if text_of(now.state) != before:
            sentence = "No question to a game changes the state that it is asked about."
            raise LawBroken("questions_change_nothing", sentence, where, f"it changed during {law.__name__}")


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
