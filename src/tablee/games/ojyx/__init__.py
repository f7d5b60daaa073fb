from ...core.package import Package
from .bots import BOTS, warm
from .cards import PACKS
from .rules import Ojyx

PACKAGE = Package(
    rules=Ojyx(),
    bots=BOTS,
    strengths={"facile": 1281, "moyen": 1500, "difficile": 1739},
    packs=PACKS,
    warm=warm,
)
