from .bots import BOTS, warm
from .files import Pdn
from .rules import Dames

GAME = Dames()
FORMATS = {"pdn": Pdn()}
STRENGTHS = {"facile": 800, "moyen": 1500, "difficile": 1978}

__all__ = ["BOTS", "FORMATS", "GAME", "STRENGTHS", "warm"]
