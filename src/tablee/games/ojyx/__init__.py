from .bots import BOTS, warm
from .rules import Ojyx

GAME = Ojyx()
STRENGTHS = {"facile": 1010, "moyen": 1500, "difficile": 1586}

__all__ = ["BOTS", "GAME", "STRENGTHS", "warm"]
