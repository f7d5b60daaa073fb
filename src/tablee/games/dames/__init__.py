from .bots import BOTS, warm
from .rules import Dames

GAME = Dames()

__all__ = ["BOTS", "GAME", "warm"]
