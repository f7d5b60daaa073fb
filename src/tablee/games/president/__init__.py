from .bots import BOTS, warm
from .rules import President

GAME = President()

__all__ = ["BOTS", "GAME", "warm"]
