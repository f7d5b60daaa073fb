"""Whether a play is well placed: on the board, without gaps, touching, with tiles of the rack (S2, S9).

`at` and `word` must name exactly one unbroken line of letters; anything else is refused, never corrected. Every refusal
names the square or the letter.
"""

from __future__ import annotations

from ...core.game import Refusal
from .board import CENTRE, EMPTY, EMPTY_BOARD, LINES, PLACES, SIZE, as_tile, letters_of, name_of, word_around


def why_not_there(board: str, rack: str, at: str, word: str) -> Refusal | None:
    """Return why a play is not well placed, or None if it is; words are not checked."""
    if at not in PLACES or PLACES[at][1] + len(word) > SIZE:
        return Refusal("off_board", {"square": at, "word": word})
    number, start = PLACES[at]
    letters = letters_of(board, number)
    refusal = why_not_spelled(letters, number, start, word)
    if refusal is not None:
        return refusal
    new = [place for place in range(start, start + len(word)) if letters[place] == EMPTY]
    if not new:
        return Refusal("nothing_new", {"word": word})
    refusal = why_not_from(rack, [word[place - start] for place in new])
    if refusal is not None:
        return refusal
    if board == EMPTY_BOARD:
        covered = CENTRE in LINES[number].squares[start : start + len(word)]
        return None if covered else Refusal("not_on_centre", {"square": name_of(CENTRE, down=False)})
    touching = len(new) < len(word) or any(crosses(board, number, place) for place in new)
    return None if touching else Refusal("not_touching", {"square": at, "word": word})


def why_not_spelled(letters: str, number: int, start: int, word: str) -> Refusal | None:
    """Refuse a word that is not the whole line after the play, or that contradicts letters on the board (S9)."""
    names = LINES[number].names
    for place, letter in enumerate(word, start):
        there = letters[place]
        if there not in (EMPTY, letter):
            return Refusal("contradicts", {"square": names[place], "letter": there, "word": word})
        if letter == EMPTY:
            return Refusal("gap", {"square": names[place]})
    end = start + len(word)
    first, last = word_around(letters, start)[0], word_around(letters, end - 1)[1]
    if (first, last) != (start, end):
        whole = letters[first:start] + word + letters[end:last]
        return Refusal("part_of_line", {"square": names[first], "word": whole})
    return Refusal("one_letter", {"word": word}) if len(word) == 1 else None


def why_not_from(rack: str, letters: list[str]) -> Refusal | None:
    """Refuse letters for which the rack has no tiles; lower case is a joker."""
    left = list(rack)
    for letter in letters:
        tile = as_tile(letter)
        if tile not in left:
            return Refusal("not_on_rack", {"letter": tile})
        left.remove(tile)
    return None


def crosses(board: str, number: int, place: int) -> bool:
    """Return whether a square has a neighbour across its line."""
    crossing, at = LINES[number].crossing[place]
    letters = letters_of(board, crossing)
    return letters[max(at - 1, 0)] != EMPTY or letters[min(at + 1, SIZE - 1)] != EMPTY
