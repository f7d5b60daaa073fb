from .bots import BOTS, warm
from .files import Pdn
from .rules import Dames

GAME = Dames()
FORMATS = {"pdn": Pdn()}

__all__ = ["BOTS", "FORMATS", "GAME", "warm"]
