from pathlib import Path

from ...core.package import Package
from .bots import BOTS, warm
from .cards import PACKS
from .coach import OjyxCoach, warm_coach
from .rules import Ojyx


def warm_all() -> None:
    """Compile or load what the bots and the coach need."""
    warm()
    warm_coach()


PACKAGE = Package(
    rules=Ojyx(),
    names={"fr": "Ojyx", "en": "Ojyx"},
    lessons=Path(__file__).parent / "lessons",
    bots=BOTS,
    strengths={"facile": 1281, "moyen": 1500, "difficile": 1739, "maitre": 1880},
    coach=OjyxCoach(),
    packs=PACKS,
    warm=warm_all,
    plain=("facile",),
    encoding=f"{__name__}.env:OjyxEncoding",
    terminal=f"{__name__}.terminal:OjyxBoard",
)
