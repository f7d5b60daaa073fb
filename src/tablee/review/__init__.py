"""The review of a finished match: what each decision was worth, and how much of the result was luck.

docs/review.md defines every figure. A review is made in pieces that worker processes compute (`pieces.py`), and
`assemble.py` puts their findings together.
"""

from .assemble import assemble
from .pieces import Piece, cut, pieces
from .values import VERSION, ReviewedDecision, Mark, KeyMoment, PlyReview, Review, SeatReview

__all__ = [
    "VERSION",
    "ReviewedDecision",
    "Mark",
    "KeyMoment",
    "Piece",
    "PlyReview",
    "Review",
    "SeatReview",
    "assemble",
    "cut",
    "pieces",
]
