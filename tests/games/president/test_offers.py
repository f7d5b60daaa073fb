"""offers.json: what the rules offer in each combination of may and must, for the tests of the client.

`--update-golden` writes the file again. The client's tests show each of these views with its offer and check that the
prompt, the lit cards and the buttons agree (web/src/games/president/now.test.ts).
"""

import random
from pathlib import Path

import msgspec

from tablee.core.chance import SeedChance
from tablee.core.game import Seat
from tablee.games.president.rules import President
from tablee.games.president.values import Options, Play, State

GAME = President()
FILE = Path(__file__).parent / "offers.json"

TITLED = "results 0-1-2-3 last 1;manche;2:3S"
POSITIONS: dict[str, tuple[Seat, str]] = {
    "lead": (0, "act 0 hands 4S,4H,9C/5S,5H/6S,6H/7S,7H played QH"),
    "first lead": (0, "act 0 hands 4S,4H,QH/5S,5H/6S,6H/7S,7H"),
    "follow": (0, "act 0 hands 4S,TH,JC/5S,5H/6S,6H/7S,KH trick 3:7H"),
    "follow a pair": (0, "act 0 hands 4S,9H,9C,TC/5S,5H/6S,6H/KS,KH trick 3:7S+7H"),
    "follow or declare a suite": (0, "act 0 hands 4S,8H,9C/5S,5H/6S,6H/KH trick 3:7H"),
    "follow a suite or turn it": (0, "act 0 hands 4S,9H,9C/5S,5H/6S,6H/KH trick 2:7H,3:8H-suite"),
    "follow or declare a reverse": (0, "act 0 hands 6C,TH,JC/5S,5H/6S,6H/KH trick 3:7H"),
    "follow or declare both": (0, "act 0 hands 6C,8H,JC/5S,5H/6S,6H/KH trick 3:7H"),
    "follow or close": (0, "act 0 hands 4C,7S,7D,7C/5S,5H/6S,6H/KH trick 3:7H"),
    "follow or close, another rank lit": (0, "act 0 hands 4C,7S,7D,7C,KS/5S,5H/6S,6H/KH trick 3:7H"),
    "follow or close with a pair": (0, "act 0 hands 4C,7D,7C,KS,KC/5S,5H/6S,6H/KH trick 3:7S+7H"),
    "follow, close or declare a suite": (0, "act 0 hands 7S,7D,7C,8S/5S,5H/6S,6H/KH trick 3:7H"),
    "follow, close or declare a reverse": (0, "act 0 hands 6C,7S,7D,7C/5S,5H/6S,6H/KH trick 3:7H"),
    "follow, close or declare both": (0, "act 0 hands 6C,7S,7D,7C,8S/5S,5H/6S,6H/KH trick 3:7H"),
    "pass": (0, "act 0 hands 4C,5C/5S,5H/6S,6H/KH trick 3:7H"),
    "pass or declare": (0, "act 0 hands 4C,6C/5S,5H/6S,6H/KH trick 3:7H"),
    "pass or close in a suite": (0, "act 0 hands 4C,8S,8D,8C/5S,5H/6S,6H/KH trick 1:6D,2:7H-suite,3:8H"),
    "pass or close in a reverse": (0, "act 0 hands 4C,7S,7D,7C/5S,5H/6S,6H/KH trick 1:9D,2:8H-reverse,3:7H"),
    "pass under ou-rien": (0, "act 0 hands 8S,KC/5S,5H/6S,6H/KH trick 2:7S,3:7H ou_rien yes"),
    "follow under ou-rien": (0, "act 0 hands 7C,KC/5S,5H/6S,6H/KH trick 2:7S,3:7H ou_rien yes"),
    "follow or close under ou-rien": (0, "act 0 hands 7D,7C,KC/5S,5H/6S,6H/KH trick 2:7S,3:7H ou_rien yes"),
    "close out of turn": (0, "act 2 hands 4C,7S,7D,7C/5S,5H/6S,6H/KH trick 1:7H"),
    "nothing out of turn": (0, "act 2 hands 4C,7S,7D/5S,7C/6S,6H/KH trick 1:7H"),
    "alone, go on or stop": (0, "stage alone act 0 hands 4C,6D/5S,5H/6S,6H/KH trick 3:8H,0:7H-reverse out 1,2,3"),
    "alone, stop": (0, "stage alone act 0 hands 4C,KD/5S,5H/6S,6H/KH trick 3:8H,0:7H-reverse out 1,2,3"),
    "another is alone": (0, "stage alone act 1 hands 4C,6D/5S,5H/6S,6H/KH trick 3:8H,1:7H-reverse out 0,2,3"),
    "give two": (0, f"manche 2 stage exchange hands 3S,KS,2S/4S,4H/5S,5H/6S,AS {TITLED} options exchange=choice"),
    "give one": (1, f"manche 2 stage exchange hands 3S,KS,2S/4S,4H/5S,5H/6S,AS {TITLED} options exchange=choice"),
    "wait for gifts": (2, f"manche 2 stage exchange hands 3S,KS,2S/4S,4H/5S,5H/6S,AS {TITLED} options exchange=choice"),
    "out of cards": (0, "act 2 hands /5S,5H/6S,6H/KH finished 0 trick 1:7H"),
    "sunk": (0, "act 2 hands /5S,5H/6S,6H/KH sunk 0 trick 1:7H played 7H,2S"),
}


def kind(state: State, seat: Seat) -> tuple[str, ...]:
    """Return what a seat can do, without the cards: the stage, must or may, and the sorts of legal actions."""
    turn = GAME.turn(state)
    role = "must" if seat in turn.must else "may" if seat in turn.may else "wait"
    legal = GAME.legal_actions(state, seat)
    sorts = {(one.declare or "play") if isinstance(one, Play) else type(one).__name__.lower() for one in legal}
    return (state.stage, "trick" if state.trick else "lead", role, *sorted(sorts))


def example(name: str) -> dict[str, object]:
    seat, text = POSITIONS[name]
    state = GAME.notation.read_state(text)
    legal = GAME.legal_actions(state, seat)
    return {
        "name": name,
        "view": msgspec.to_builtins(GAME.view(state, seat)),
        "must": seat in GAME.turn(state).must,
        "legal": msgspec.to_builtins(legal),
    }


def test_the_file_is_what_the_rules_offer(update_golden):
    made = "[\n" + ",\n".join(msgspec.json.encode(example(name)).decode() for name in POSITIONS) + "\n]\n"
    if update_golden:
        FILE.write_text(made, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == made


def test_the_file_has_every_combination_that_random_play_meets():
    known = {kind(GAME.notation.read_state(text), seat) for seat, text in POSITIONS.values()}
    rng = random.Random("offers")
    for match in range(12):
        chance = SeedChance(f"{match:064x}", 0)
        state = GAME.setup(rng.randint(4, 8), Options(rounds=2, exchange="choice"), chance)
        while state.stage != "over":
            turn = GAME.turn(state)
            for seat in turn.must | turn.may:
                assert kind(state, seat) in known, GAME.notation.write_state(state)
            actor = rng.choice(sorted(turn.must | {seat for seat in turn.may if rng.random() < 0.1}))
            state = GAME.apply(state, actor, rng.choice(GAME.legal_actions(state, actor)), chance)
