from .bots import BOTS, warm
from .gcg import Gcg
from .lexicon import QUESTIONS, default_ref, refs
from .rules import Scrabble, prepare

GAME = Scrabble()
FORMATS = {"gcg": Gcg()}
CHOICES = {"lexicon": lambda: sorted(refs(), key=lambda ref: (ref != default_ref(), ref))}
STRENGTHS = {"facile": 800, "moyen": 1500, "difficile": 1765}

__all__ = ["BOTS", "CHOICES", "FORMATS", "GAME", "QUESTIONS", "STRENGTHS", "prepare", "warm"]
