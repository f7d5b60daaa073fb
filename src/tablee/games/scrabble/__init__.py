from pathlib import Path

from ...core.package import Package
from .board import PACKS
from .bots import BOTS, warm_endgames, warm_plays
from .coach import ScrabbleCoach
from .corrections import CORRECTIONS
from .gcg import Gcg
from .lexicon import default_ref, look_up, refs
from .meanings import meaning_of
from .puzzles import ScrabblePuzzles
from .rules import Scrabble, prepare
from .studies import STUDIES

PACKAGE = Package(
    rules=Scrabble(),
    names={"fr": "Scrabble français", "en": "French Scrabble"},
    lessons=Path(__file__).parent / "lessons",
    bots=BOTS,
    strengths={"facile": 957, "moyen": 1500, "difficile": 1970, "expert": 2670, "maitre": 2753},
    coach=ScrabbleCoach(),
    puzzles=ScrabblePuzzles(),
    packs=PACKS,
    formats={"gcg": Gcg()},
    questions={"word": look_up, "meaning": meaning_of},
    studies=STUDIES,
    corrections=CORRECTIONS,
    choices={"lexicon": lambda: sorted(refs(), key=lambda ref: (ref != default_ref(), ref))},
    files=("lexicons/*",),
    prepare=prepare,
    warm=(warm_plays, warm_endgames),
    commands={"lexicon": f"{__name__}.lexicon_cli:app"},
    fast={"pick": f"{__name__}.fast:pick"},
    encoding=f"{__name__}.env:ScrabbleEncoding",
    terminal=f"{__name__}.terminal:ScrabbleBoard",
)
