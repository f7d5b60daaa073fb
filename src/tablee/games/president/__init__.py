from pathlib import Path

from ...core.cards import CARDS, PACK
from ...core.package import Package
from .bots import BOTS, warm
from .coach import PresidentCoach, warm_coach
from .rules import President
from .values import Options

MANCHE = 0.04
"""How much one manche counts for the ratings: in five, difficile beats 76 % of a table (docs/ratings.md)."""


def weigh(options: Options) -> float:
    """Return how much a match counts."""
    return min(1.0, MANCHE * options.rounds)


PACKAGE = Package(
    rules=President(),
    names={"fr": "Super Président", "en": "Super Président"},
    lessons=Path(__file__).parent / "lessons",
    bots=BOTS,
    strengths={"facile": 1254, "moyen": 1500, "difficile": 1664, "maitre": 1723},
    coach=PresidentCoach(),
    weigh=weigh,
    packs={CARDS: PACK},
    warm=(warm, warm_coach),
    plain=("facile",),
    encoding=f"{__name__}.env:PresidentEncoding",
    terminal=f"{__name__}.terminal:PresidentBoard",
)
