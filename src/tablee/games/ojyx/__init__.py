from .bots import BOTS, warm
from .rules import Ojyx

GAME = Ojyx()

__all__ = ["BOTS", "GAME", "warm"]
