"""The laws that every game obeys, as a suite for any game.

    from tablee.core.laws import check_laws
    check_laws(MyGame())

The suite plays random matches on every number of seats and around every option, and each law looks at their moments.
A broken law raises `LawBroken`, which names the law, the match and the ply. There are no exemptions. Each law is a
function whose docstring is the law; docs/adding-a-game.md lists them.
"""

from .moment import LawBroken, Moment
from .play import act_at_random
from .secrets import check_secrets
from .suite import LAWS, check_laws, check_match, look, steps

__all__ = [
    "LAWS",
    "LawBroken",
    "Moment",
    "act_at_random",
    "check_laws",
    "check_match",
    "check_secrets",
    "look",
    "steps",
]
