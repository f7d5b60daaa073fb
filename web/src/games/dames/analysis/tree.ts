// A tree of moves. The first child of a node is the main line, the others are variations. Trees are values: every change
// makes a new one.

export interface Move {
  /** As PDN writes it. */
  move: string;
  /** The position after it, as text of the server. */
  state: string;
  comment: string;
}

export interface Node extends Move {
  parent: number;
  children: readonly number[];
}

/** The first position; its `move` is empty. */
export const ROOT = 0;

export interface Tree {
  nodes: ReadonlyMap<number, Node>;
  /** The id of the next node; ids are never used again. */
  next: number;
}

export function begin(state: string): Tree {
  return { nodes: new Map([[ROOT, { parent: -1, children: [], move: '', state, comment: '' }]]), next: 1 };
}

export const nodeAt = (tree: Tree, id: number): Node => tree.nodes.get(id) ?? tree.nodes.get(ROOT)!;

/** The node after a move: the one that is there already, or a new one after the others. */
export function play(tree: Tree, parent: number, move: Move): [Tree, number] {
  const before = nodeAt(tree, parent);
  const known = before.children.find((child) => nodeAt(tree, child).move === move.move);
  if (known !== undefined) return [tree, known];
  const id = tree.next;
  const nodes = new Map(tree.nodes);
  nodes.set(parent, { ...before, children: [...before.children, id] });
  nodes.set(id, { ...move, parent, children: [] });
  return [{ nodes, next: id + 1 }, id];
}

/** Moves from a file: a parent comes before its children, and -1 is the first position. */
export function grow(state: string, moves: readonly (Move & { parent: number })[]): Tree {
  let tree = begin(state);
  const ids: number[] = [];
  for (const { parent, ...move } of moves) {
    const [grown, id] = play(tree, parent < 0 ? ROOT : ids[parent]!, move);
    [tree] = [grown, ids.push(id)];
  }
  return tree;
}

/** From the first move to a node. */
export function wayTo(tree: Tree, id: number): number[] {
  const way: number[] = [];
  for (let at = id; at !== ROOT && at >= 0; at = nodeAt(tree, at).parent) way.unshift(at);
  return way;
}

/** The end of the line that goes through a node. */
export function endOf(tree: Tree, id: number): number {
  let at = id;
  while (nodeAt(tree, at).children[0] !== undefined) at = nodeAt(tree, at).children[0]!;
  return at;
}

/** The line through a node: the moves to it, then the main line after it. */
export function lineThrough(tree: Tree, id: number): number[] {
  return wayTo(tree, endOf(tree, id));
}

/** Whether a node, or one before it, is not in the main line. */
export const inVariation = (tree: Tree, id: number): boolean =>
  wayTo(tree, id).some((at) => nodeAt(tree, nodeAt(tree, at).parent).children[0] !== at);

/** Makes the innermost variation around a node come first. */
export function promote(tree: Tree, id: number): Tree {
  const branch = wayTo(tree, id)
    .reverse()
    .find((at) => nodeAt(tree, nodeAt(tree, at).parent).children[0] !== at);
  if (branch === undefined) return tree;
  const parent = nodeAt(tree, branch).parent;
  const before = nodeAt(tree, parent);
  const children = [branch, ...before.children.filter((child) => child !== branch)];
  return { ...tree, nodes: new Map(tree.nodes).set(parent, { ...before, children }) };
}

/** Removes a move and all that follow it; returns the node before it too. */
export function cut(tree: Tree, id: number): [Tree, number] {
  if (id === ROOT) return [tree, ROOT];
  const parent = nodeAt(tree, id).parent;
  const nodes = new Map(tree.nodes);
  const before = nodeAt(tree, parent);
  nodes.set(parent, { ...before, children: before.children.filter((child) => child !== id) });
  const waiting = [id];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    waiting.push(...nodeAt(tree, at).children);
    nodes.delete(at);
  }
  return [{ ...tree, nodes }, parent];
}

/** What the list of moves shows, in order: moves, and the brackets around variations. */
export type Token =
  | { kind: 'move'; id: number; number: string; move: string; comment: string; depth: number }
  | { kind: 'open' | 'close'; id: number; depth: number };

/** The tree as text. `first` is 0 if light moves first, 1 if black does. */
export function tokens(tree: Tree, first: number): Token[] {
  const found: Token[] = [];
  const told = (id: number, ply: number, numbered: boolean, depth: number) => {
    const { move, comment } = nodeAt(tree, id);
    const number = ply % 2 === 0 ? `${ply / 2 + 1}.` : numbered ? `${(ply + 1) / 2}…` : '';
    found.push({ kind: 'move', id, number, move, comment, depth });
  };
  const line = (id: number, from: number, depth: number) => {
    let [at, ply, numbered] = [id, from, depth === 0];
    for (;;) {
      const [main, ...others] = nodeAt(tree, at).children;
      if (main === undefined) return;
      told(main, ply, numbered, depth);
      for (const other of others) {
        found.push({ kind: 'open', id: other, depth: depth + 1 });
        told(other, ply, true, depth + 1);
        line(other, ply + 1, depth + 1);
        found.push({ kind: 'close', id: other, depth: depth + 1 });
      }
      numbered = others.length > 0 || nodeAt(tree, main).comment !== '';
      [at, ply] = [main, ply + 1];
    }
  };
  line(ROOT, first, 0);
  return found;
}

/** The moves for the server, which writes them as PDN. */
export function listed(tree: Tree): { parent: number; move: string; comment: string }[] {
  const places = new Map<number, number>([[ROOT, -1]]);
  const moves: { parent: number; move: string; comment: string }[] = [];
  const waiting = [...nodeAt(tree, ROOT).children].reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const { parent, move, comment, children } = nodeAt(tree, id);
    moves.push({ parent: places.get(parent)!, move, comment });
    places.set(id, moves.length - 1);
    waiting.push(...[...children].reverse());
  }
  return moves;
}
