from ...core.cards import CARDS, PACK
from ...core.package import Package
from .bots import BOTS
from .rules import Kora

PACKAGE = Package(
    rules=Kora(),
    bots=BOTS,
    strengths={"facile": 1466, "moyen": 1500, "difficile": 1538},
    packs={CARDS: PACK},
)
