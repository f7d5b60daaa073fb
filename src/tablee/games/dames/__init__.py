from pathlib import Path

from ...core.package import Package
from .bots import BOTS, warm
from .coach import DamesCoach
from .files import Pdn
from .hub_engine import HubEngines
from .openings import openings
from .puzzles import DamesPuzzles
from .rules import Dames
from .studies import STUDIES

PACKAGE = Package(
    rules=Dames(),
    names={"fr": "Dames", "en": "Draughts"},
    lessons=Path(__file__).parent / "lessons",
    bots=BOTS,
    strengths={"facile": 915, "moyen": 1500, "difficile": 1978, "maitre": 2521},
    coach=DamesCoach(),
    puzzles=DamesPuzzles(),
    formats={"pdn": Pdn()},
    studies=STUDIES,
    openings=openings,
    warm=(warm,),
    engines=HubEngines(),
    commands={"dames": f"{__name__}.cli:app"},
    fast={"perft": f"{__name__}.fast:perft"},
    encoding=f"{__name__}.env:DamesEncoding",
    terminal=f"{__name__}.terminal:DamesBoard",
)
