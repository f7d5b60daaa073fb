// What happened between two views, and nothing about what may happen next.
import type { Step } from '../../core/types.gen';
import { actionOf } from './history';
import { lasts } from './motion';
import { piecesOf, type Path, type Piece, type Pieces } from './squares';
import type { Played, State } from './types.gen';

/** Points that were just won, and the square. */
export interface Gain {
  square: number;
  points: number;
  what: 'man' | 'king' | 'promotion' | 'bonus';
}

/** What is shown for a moment after a move. */
export interface Flourish {
  ghosts: Pieces;
  pops: Gain[];
  crowned: number | null;
  /** Milliseconds until the piece has arrived. */
  wait: number;
}

export const scored = (view: State) => (view.options.variant ?? 'competitive') === 'competitive';

/** The move of a step, read from the view; null for any other action. */
export function playedBy(step: Step | null, view: State): Played | null {
  const action = actionOf(step);
  const last = view.last_move;
  if (action?.type !== 'move' || !last || last.seat !== step?.seat) return null;
  return last.path.join() === action.path.join() ? last : null;
}

/** The points of a move one by one (D4), given the pieces before it. */
export function gains(before: Pieces, { path, captured, promoted }: Played): Gain[] {
  const end = path.at(-1)!;
  const taken = captured.map((square): Gain => {
    const king = before.get(square)?.king === true;
    return { square, points: king ? 3 : 1, what: king ? 'king' : 'man' };
  });
  return [
    ...taken,
    ...(promoted ? [{ square: end, points: 2, what: 'promotion' } as const] : []),
    ...(captured.length > 1 ? [{ square: end, points: 1, what: 'bonus' } as const] : []),
  ];
}

export function flourishOf(previous: State, view: State, played: Played, way: Path): Flourish {
  const before = piecesOf(previous);
  const ghosts = new Map<number, Piece>();
  for (const square of played.captured) {
    const piece = before.get(square);
    if (piece) ghosts.set(square, piece);
  }
  return {
    ghosts,
    pops: scored(view) ? gains(before, played) : [],
    crowned: played.promoted ? played.path.at(-1)! : null,
    wait: lasts(way.length - 1),
  };
}
