"""A second, slow and simple implementation of the moves, to compare with `board.py`.

A board is a dict from (row, column) to (color, king). It shares no code with the rules.
"""

DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def number(place, size):
    row, column = place
    return row * (size // 2) + column // 2 + 1


def dark(size):
    return [(row, column) for row in range(size) for column in range(size) if (row + column) % 2 == 1]


def on(place, size):
    return 0 <= place[0] < size and 0 <= place[1] < size


def far(place, way, steps):
    return place[0] + way[0] * steps, place[1] + way[1] * steps


def jumps(board, size, place, color, king, taken):
    """Yield (piece taken, landing) for each jump from a place; taken pieces stay on the board."""
    for way in DIAGONALS:
        for run in range(1, size if king else 2):
            victim = far(place, way, run)
            if not on(victim, size):
                break
            if victim not in board:
                continue
            if board[victim][0] == color or victim in taken:
                break
            for beyond in range(run + 1, size if king else run + 2):
                landing = far(place, way, beyond)
                if not on(landing, size) or landing in board:
                    break
                yield victim, landing
            break


def chains(board, size, place, color, king, taken=(), path=()):
    """Yield every capture of a piece, complete or not, as its path and the pieces taken."""
    path = (*path, place)
    if taken:
        yield path, taken
    for victim, landing in jumps(board, size, place, color, king, taken):
        yield from chains(board, size, landing, color, king, (*taken, victim), path)


def moves(board, size, color):
    """Return a dict from (origin, target, taken) to the smallest path of each legal move, all as numbers."""
    captures = []
    for place, (owner, king) in board.items():
        if owner == color:
            rest = {other: piece for other, piece in board.items() if other != place}
            captures += chains(rest, size, place, color, king)
    if captures:
        most = max(len(taken) for _, taken in captures)
        found: dict = {}
        for path, taken in captures:
            if len(taken) == most:
                numbers = tuple(number(place, size) for place in path)
                key = numbers[0], numbers[-1], frozenset(number(place, size) for place in taken)
                found[key] = min(found.get(key, numbers), numbers)
        return found
    return {(path[0], path[1], frozenset()): path for path in quiet(board, size, color)}


def quiet(board, size, color):
    forward = -1 if color == "red" else 1
    for place, (owner, king) in board.items():
        if owner != color:
            continue
        for way in DIAGONALS:
            if not king and way[0] != forward:
                continue
            for steps in range(1, size if king else 2):
                target = far(place, way, steps)
                if not on(target, size) or target in board:
                    break
                yield number(place, size), number(target, size)
