from pathlib import Path

from ...core.package import Package
from .bots import BOTS, warm_beliefs, warm_playouts
from .cards import PACKS
from .coach import OjyxCoach
from .rules import Ojyx

PACKAGE = Package(
    rules=Ojyx(),
    names={"fr": "Ojyx", "en": "Ojyx"},
    lessons=Path(__file__).parent / "lessons",
    bots=BOTS,
    strengths={"facile": 1281, "moyen": 1500, "difficile": 1739, "maitre": 1880},
    coach=OjyxCoach(),
    packs=PACKS,
    warm=(warm_playouts, warm_beliefs),
    plain=("facile",),
    encoding=f"{__name__}.env:OjyxEncoding",
    terminal=f"{__name__}.terminal:OjyxBoard",
)
