from ...core.cards import CARDS, PACK
from ...core.package import Package
from .bots import BOTS, warm
from .rules import President

PACKAGE = Package(
    rules=President(),
    bots=BOTS,
    strengths={"facile": 1254, "moyen": 1500, "difficile": 1664},
    packs={CARDS: PACK},
    warm=warm,
)
