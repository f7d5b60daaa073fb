"""The laws hold for every game, accept good games, and catch a game that breaks one of them."""

import random

import bugs_everywhere
import bugs_legality
import bugs_secrecy
import bugs_writing
import pytest
from bugs_legality import CrashOnLeave
from msgspec.structs import replace
from small_games import Careful, Nim, Signs, Stash

from tablee.core.discover import games
from tablee.core.laws import LawBroken, check_laws, check_secrets, steps
from tablee.core.laws.suite import plans, random_match
from tablee.games.kora.rules import Kora
from tablee.games.president.deck import cards_of
from tablee.games.president.rules import President


@pytest.mark.parametrize("matches", [1, pytest.param(4, marks=pytest.mark.soak)])
@pytest.mark.parametrize("key", games())
def test_every_game_obeys_the_laws(key, matches):
    package = games()[key]
    check_laws(package.rules, bots=package.bots, matches=matches, looks=8)


@pytest.mark.parametrize("game", [Nim(), Signs(), Stash()], ids=lambda game: game.info.key)
def test_a_good_small_game_passes(game):
    ticks = []
    bots = {"careful": Careful()} if isinstance(game, Stash) else {}
    check_laws(game, bots=bots, tick=lambda: ticks.append(1))
    assert len(ticks) == steps(game)


def planted(*modules):
    """Every class of the modules that plants a bug."""
    for module in modules:
        for kind in vars(module).values():
            if getattr(kind, "law", None) and kind.__module__ == module.__name__:
                yield kind


BUGS = list(planted(bugs_legality, bugs_secrecy, bugs_writing, bugs_everywhere))


def test_many_bugs_are_planted():
    assert len(BUGS) > 80


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_caught_by_its_law(bug):
    random.seed(1)
    game, bots = (Stash(), {"planted": bug()}) if issubclass(bug, Careful) else (bug(), {})
    with pytest.raises(LawBroken) as caught:
        check_laws(game, bots=bots)
    assert caught.value.law == bug.law, f"{bug.__doc__} The report: {caught.value}"


def test_a_report_names_the_law_its_sentence_the_match_and_the_ply():
    with pytest.raises(LawBroken) as caught:
        check_laws(CrashOnLeave())
    report = str(caught.value)
    assert report.startswith("anyone_may_abandon: A seat that leaves, at any moment of a match,")
    assert "kora, 2 seats, Options(" in report
    assert "seed 'laws-0', ply 0" in report
    assert "NotImplementedError" in report


def test_a_list_declared_partial_may_leave_legal_actions_out():
    class Shy(Kora):
        info = replace(Kora.info, partial=True)

        def legal_actions(self, state, seat):
            return super().legal_actions(state, seat)[:1]

        def offers(self, state, seat):
            return self.legal_actions(state, seat)

    check_laws(Shy(), looks=5)


def test_the_laws_see_whole_games_of_dames():
    """Resigning is a concession: without it random games reach promotions, draws and endings on the board."""
    game = games()["dames"].rules
    ends, promoted, plies = set(), 0, []
    for plan in plans(game, 2, "laws"):
        for match in random_match(game, plan.seats, plan.options, plan.seed, plan.troubled):
            promoted += match.state.last_move is not None and match.state.last_move.promoted
        ends.add(match.outcome.reason)
        plies.append(match.ply)
    assert promoted > 10
    assert {"elimination", "blocked", "resign"} <= ends
    assert sorted(plies)[len(plies) // 2] > 30


def cards(state, seat):
    return state.hands[seat]


def test_secrets_stay_secret():
    check_secrets(Stash(), cards)


class SpectatorSeesAHand(Stash):
    """A view that leaks and an `imagine` that believes it agree with each other."""

    def view(self, state, seat):
        shown = super().view(state, seat)
        return replace(shown, hand=state.hands[0]) if seat is None else shown


class StageNamesACard(Stash):
    def turn(self, state):
        turn = super().turn(state)
        return replace(turn, stage=f"holds {state.hands[0][0]}") if turn.must and state.hands[0] else turn


class RefusalNamesACard(Stash):
    def why_not(self, state, seat, action):
        refusal = super().why_not(state, seat, action)
        return refusal and replace(refusal, values={"theirs": state.hands[1 - seat]})


class PreviewNamesACard(Stash):
    def preview(self, state, seat, action):
        return {"other": state.hands[1 - seat]}


@pytest.mark.parametrize(
    ("bug", "place"),
    [
        (SpectatorSeesAHand, "a spectator finds .* in its view"),
        (StageNamesACard, "in its stage"),
        (RefusalNamesACard, "in its refusal"),
        (PreviewNamesACard, "in its preview"),
    ],
)
def test_a_secret_that_gets_out_is_found(bug, place):
    with pytest.raises(LawBroken, match=place):
        check_secrets(bug(), cards)


def test_the_hands_of_kora_and_president_stay_secret():
    """In the first deal nothing of a hand is public: no cards were shown or given before."""
    check_secrets(Kora(), lambda state, seat: state.hands[seat] if state.deal == 1 else ())
    check_secrets(President(), lambda state, seat: cards_of(state.hands[seat]) if state.manche == 1 else (), looks=10)
