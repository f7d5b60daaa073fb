from .bots import BOTS
from .rules import Kora

GAME = Kora()
STRENGTHS = {"facile": 1466, "moyen": 1500, "difficile": 1538}

__all__ = ["BOTS", "GAME", "STRENGTHS"]
