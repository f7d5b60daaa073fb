from .bots import BOTS
from .rules import Kora

GAME = Kora()

__all__ = ["BOTS", "GAME"]
