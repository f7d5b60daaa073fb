// The game as far as this page saw it: one line for each move, with the position it led to.
import type { Step } from '../../core/types.gen';
import { after, firstPieces, piecesOf, sizeOf, type Path, type Pieces } from './squares';
import type { Action, State } from './types.gen';

export interface Line {
  seat: number;
  /** Null: the turn was lost to the clock. */
  path: Path | null;
  captured: readonly number[];
  pieces: Pieces;
}

export interface History {
  /** The ply at which it begins; 0 is the beginning of the game. */
  from: number;
  /** The last ply that it covers. */
  ply: number;
  /** The position before the first line. */
  first: Pieces;
  lines: readonly Line[];
}

export interface Seen {
  view: State;
  previous: State | null;
  step: Step | null;
  ply: number;
}

export const actionOf = (step: Step | null) => (step?.action ?? null) as Action | null;

const begin = (view: State, ply: number): History => ({ from: ply, ply, first: piecesOf(view), lines: [] });

/** Adds the last move to the history; if a part is missing, the history begins again. */
export function grow(history: History | null, { view, previous, step, ply }: Seen): History {
  if (history?.ply === ply) return history;
  if (!previous || !step) return begin(view, ply);
  const known = history?.ply === ply - 1 ? history : begin(previous, ply - 1);
  return { ...known, ply, lines: [...known.lines, ...linesOf(previous, view, step)] };
}

/** Rebuild the whole game from its steps and the changes in the view after a late arrival; null if a part is missing. */
export function retell(steps: readonly Step[], view: State, ply: number): History | null {
  if (steps.length !== ply || steps[0]?.ply !== 1) return null;
  const first = firstPieces(sizeOf(view.options));
  const changes = new Map(view.changes.map((change) => [change.move, change]));
  let moves = 0;
  let pieces = first;
  const lines: Line[] = [];
  for (const step of steps) {
    const action = actionOf(step);
    if (action?.type === 'lose_turn') lines.push({ seat: step.seat, path: null, captured: [], pieces });
    if (action?.type !== 'move') continue;
    const change = changes.get(++moves);
    pieces = after(pieces, action.path, change);
    lines.push({ seat: step.seat, path: action.path, captured: change?.captured ?? [], pieces });
  }
  return same(pieces, piecesOf(view)) ? { from: 0, ply, first, lines } : null;
}

function same(a: Pieces, b: Pieces): boolean {
  const text = (pieces: Pieces) =>
    [...pieces]
      .sort(([one], [other]) => one - other)
      .map(([square, { side, king }]) => `${square}${side}${king}`)
      .join();
  return text(a) === text(b);
}

function linesOf(previous: State, view: State, step: Step): Line[] {
  const action = actionOf(step);
  const pieces = piecesOf(view);
  if (action?.type === 'lose_turn') {
    // If the other side cannot move then, it loses its turn too, in the same step.
    const lost = view.lost_turns - previous.lost_turns;
    return Array.from({ length: lost }, (_, at) => ({ seat: (step.seat + at) % 2, path: null, captured: [], pieces }));
  }
  if (action?.type !== 'move') return [];
  return [{ seat: step.seat, path: action.path, captured: view.last_move?.captured ?? [], pieces }];
}

/** The position after so many lines. */
export const positionAt = (history: History, at: number) => history.lines[at - 1]?.pieces ?? history.first;

/** Lines in pairs: red, then black. If one side moves twice in a row, its second move begins a new pair. */
export function rounds(lines: readonly Line[]): { number: number; moves: [number | null, number | null] }[] {
  const made: { number: number; moves: [number | null, number | null] }[] = [];
  for (const [at, { seat }] of lines.entries()) {
    const open = made.at(-1);
    if (seat === 1 && open && open.moves[1] === null) open.moves[1] = at;
    else made.push({ number: made.length + 1, moves: seat === 0 ? [at, null] : [null, at] });
  }
  return made;
}
