"""The review of a finished match: what each decision was worth, and how much of the result was luck.

docs/review.md defines every figure. A review is made in pieces that worker processes compute (`work.py`), and
`summary.py` puts their findings together.
"""

from .summary import assemble
from .values import VERSION, KeyMoment, Mark, PlyReview, Review, ReviewedDecision, SeatReview
from .work import Piece, demand_reviewable, pieces

__all__ = [
    "VERSION",
    "KeyMoment",
    "Mark",
    "Piece",
    "PlyReview",
    "Review",
    "ReviewedDecision",
    "SeatReview",
    "assemble",
    "demand_reviewable",
    "pieces",
]
