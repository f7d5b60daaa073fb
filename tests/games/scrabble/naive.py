"""A second, slow and simple implementation of Scrabble, to compare with the rules."""

from itertools import combinations

PREMIUMS = (
    ("A4 A12 C7 C9 D1 D8 D15 G3 G7 G9 G13 H4 H12 I3 I7 I9 I13 L1 L8 L15 M7 M9 O4 O12", 2, 1),
    ("B6 B10 F2 F6 F10 F14 J2 J6 J10 J14 N6 N10", 3, 1),
    ("B2 C3 D4 E5 H8 B14 C13 D12 E11 K5 L4 M3 N2 K11 L12 M13 N14", 1, 2),
    ("A1 A8 A15 H1 H15 O1 O8 O15", 1, 3),
)
BONUS = {square: (letter, word) for squares, letter, word in PREMIUMS for square in squares.split()}
POINTS = {"AEILNORSTU": 1, "DGM": 2, "BCP": 3, "FHV": 4, "JQ": 8, "KWXYZ": 10}


def squares(board):
    """Return the tiles of a board by the name of their square."""
    names = [f"{row}{column}" for row in "ABCDEFGHIJKLMNO" for column in range(1, 16)]
    return {name: tile for name, tile in zip(names, board, strict=True) if tile != "."}


def words(tiles):
    """Return all words on a board, each as the list of its squares."""
    rows = [[f"{row}{column}" for column in range(1, 16)] for row in "ABCDEFGHIJKLMNO"]
    columns = [[f"{row}{column}" for row in "ABCDEFGHIJKLMNO"] for column in range(1, 16)]
    for line in rows + columns:
        run = []
        for square in [*line, None]:
            if square in tiles:
                run.append(square)
                continue
            if len(run) > 1:
                yield run
            run = []


def score(before, after):
    """Return the score of a play from the boards before and after it."""
    old, new = squares(before), squares(after)
    laid = set(new) - set(old)
    total = 50 if len(laid) == 7 else 0
    for word in words(new):
        if not laid & set(word):
            continue
        sum_of_letters, times = 0, 1
        for square in word:
            points = next((points for letters, points in POINTS.items() if new[square] in letters), 0)
            if square in laid:
                letter, whole = BONUS.get(square, (1, 1))
                points, times = points * letter, times * whole
            sum_of_letters += points
        total += sum_of_letters * times
    return total


def spellings(board_line, word, jokers):
    """Yield a word in every spelling with jokers; tiles on the board keep their case."""
    free = [at for at, there in enumerate(board_line) if there == "."]
    fixed = [there if there.upper() == letter else letter for there, letter in zip(board_line, word, strict=True)]
    for count in range(jokers + 1):
        for chosen in combinations(free, count):
            yield "".join(letter.lower() if at in chosen else letter for at, letter in enumerate(fixed))
