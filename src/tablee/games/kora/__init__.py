from pathlib import Path

from ...core.cards import CARDS, PACK
from ...core.package import Package
from .bots import BOTS
from .coach import KoraCoach, warm
from .rules import Kora
from .values import Options

DEAL = 0.034
"""How much one deal counts for the ratings: difficile wins only 61.9 % of them against facile (docs/ratings.md)."""


def weigh(options: Options) -> float:
    """Return how much a match counts; one that goes on until a bank is empty has dozens of deals."""
    return min(1.0, DEAL * options.deals) if options.deals else 1.0


PROPOSED = {"deals": 5, "stake": 25}
"""Four plain losses empty a bank of 100; one match in six ends before its fifth deal (K2)."""

PACKAGE = Package(
    rules=Kora(),
    names={"fr": "Kora Battle", "en": "Kora Battle"},
    bots=BOTS,
    strengths={"facile": 1466, "moyen": 1500, "difficile": 1538, "maitre": 1544},
    coach=KoraCoach(),
    weigh=weigh,
    packs={CARDS: PACK},
    proposed=PROPOSED,
    warm=(warm,),
    plain=("facile", "moyen", "difficile"),
    lessons=Path(__file__).parent / "lessons",
    encoding=f"{__name__}.env:KoraEncoding",
    terminal=f"{__name__}.terminal:KoraBoard",
)
