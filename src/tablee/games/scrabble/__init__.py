from .bots import BOTS, warm
from .gcg import Gcg
from .lexicon import QUESTIONS, default_ref, refs
from .rules import Scrabble, prepare

GAME = Scrabble()
FORMATS = {"gcg": Gcg()}
CHOICES = {"lexicon": lambda: sorted(refs(), key=lambda ref: (ref != default_ref(), ref))}

__all__ = ["BOTS", "CHOICES", "FORMATS", "GAME", "QUESTIONS", "prepare", "warm"]
