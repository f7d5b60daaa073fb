from .bots import BOTS, warm
from .rules import President

GAME = President()
STRENGTHS = {"facile": 1254, "moyen": 1500, "difficile": 1664}

__all__ = ["BOTS", "GAME", "STRENGTHS", "warm"]
