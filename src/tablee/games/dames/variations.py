"""Games with variations, as a tree of moves: read from PDN, and written as PDN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from . import pdn
from .board import EIGHT
from .notation import position_of, read_move, write_move
from .rules import begin, board_of, lose_turn, move
from .values import Options, State, Variant

VARIANTS: dict[str, Variant] = {"competitive": "competitive", "international": "international", "classic8": "classic8"}
MOST_NODES = 2000
"""The most moves of a tree."""


class Node(Struct):
    """A move in a tree, after that of its parent. The first child of a node is the main line."""

    parent: int
    """Its place in the list of nodes; -1 is the first position."""
    move: str
    """As PDN writes it."""
    state: State
    comment: str = ""


class Tree(Struct):
    """A first position and the moves from it. A parent comes before its children."""

    first: State
    nodes: list[Node] = field(default_factory=list)
    skipped: int = 0
    """Variations of the file that stop at an illegal move, or that did not fit."""

    def add(self, parent: int, text: str, comment: str = "") -> int:
        """Play a move after a node and return its place; raise ValueError if it is not legal."""
        before = replace(self.first if parent < 0 else self.nodes[parent].state, result=None)
        board, position = board_of(before), position_of(before)
        if text == pdn.LOST_TURN:
            after, name = lose_turn(before), text
        else:
            path = read_move(board, position, text)
            after, name = move(before, path), write_move(board, position, path)
        self.nodes.append(Node(parent, name, replace(after, changes=()), comment))
        return len(self.nodes) - 1


def read_tree(sheet: pdn.Sheet) -> Tree:
    """Read a game with its variations; raise PdnError at the first bad move of the game itself."""
    if sheet.broken is not None:
        raise sheet.broken
    board, position = pdn.opening(sheet)
    variant = VARIANTS.get(sheet.tags.get("Variant", ""), "international")
    variant = "classic8" if board is EIGHT else "international" if variant == "classic8" else variant
    tree = Tree(begin(Options(variant, 0, 0, 0), position))
    if len(sheet.entries) > MOST_NODES:
        beyond = sheet.entries[MOST_NODES]
        raise pdn.PdnError(beyond.line, beyond.column, f"more than {MOST_NODES} half-moves")
    waiting: list[tuple[int, tuple[pdn.Entry, ...]]] = []
    parent = -1
    for ply, entry in enumerate(sheet.entries, position.to_move):
        waiting += [(parent, variation) for variation in entry.variations]
        try:
            parent = tree.add(parent, entry.text, entry.comment)
        except ValueError as error:
            problem = f"move {pdn.move_number(ply)} {error}"
            raise pdn.PdnError(entry.line, entry.column, problem) from error
    _grow(tree, waiting)
    return tree


def _grow(tree: Tree, waiting: list[tuple[int, tuple[pdn.Entry, ...]]]) -> None:
    """Add the variations that wait, each after its parent, and then those inside them."""
    for parent, variation in waiting:  # the list grows meanwhile
        for entry in variation:
            waiting += [(parent, inner) for inner in entry.variations]
            try:
                if len(tree.nodes) >= MOST_NODES:
                    raise ValueError("too many moves")
                parent = tree.add(parent, entry.text, entry.comment)
            except ValueError:
                tree.skipped += 1
                break


def write_tree(tree: Tree, tags: Mapping[str, str] | None = None) -> str:
    """Write a tree as one game of PDN, with variations in brackets."""
    state = tree.first
    board, start = board_of(state), position_of(state)
    replies: dict[int, list[int]] = {}
    for at, node in enumerate(tree.nodes):
        replies.setdefault(node.parent, []).append(at)
    last, at = tree.first, -1
    while at in replies:
        at = replies[at][0]
        last = tree.nodes[at].state
    result = (tags or {}).get("Result") or pdn.result_of(last)
    words = _words(tree.nodes, replies, -1, start.to_move)
    return pdn.with_heading(board, start, words, result, {**(tags or {}), "Variant": state.options.variant})


def _words(
    nodes: Sequence[Node], replies: Mapping[int, list[int]], parent: int, ply: int, depth: int = 0
) -> Iterator[str]:
    """Yield the words of the line after a node, each variation after the move that it replaces."""
    if depth > pdn.MOST_NESTED:
        raise ValueError("too many variations inside variations")
    numbered = depth == 0
    while parent in replies:
        main, *others = replies[parent]
        yield from _move_words(nodes[main], ply, numbered)
        for other in others:
            inside = [*_move_words(nodes[other], ply, True), *_words(nodes, replies, other, ply + 1, depth + 1)]
            yield from _bracketed(inside)
        numbered = bool(others) or bool(nodes[main].comment)
        parent, ply = main, ply + 1


def _move_words(node: Node, ply: int, numbered: bool) -> Iterator[str]:
    if ply % 2 == 0 or numbered:
        yield pdn.move_number(ply)
    yield node.move
    if node.comment:
        yield from f"{{{_readable(node.comment)}}}".split()


def _readable(comment: str) -> str:
    """Return a comment without what would end it."""
    return " ".join(comment.replace("{", "(").replace("}", ")").split())


def _bracketed(words: list[str]) -> list[str]:
    return [f"({words[0]}", *words[1:-1], f"{words[-1]})"]
