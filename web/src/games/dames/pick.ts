// A move is picked square by square among the legal ones. `prefix` holds the squares picked so far, beginning with the piece.
import type { Path } from './squares';

export type Picked =
  | { kind: 'play'; path: Path }
  | { kind: 'advance'; prefix: Path }
  /** Several captures end there: the squares on the way tell them apart. */
  | { kind: 'ambiguous' }
  | { kind: 'none' };

/** The squares picked in a position, which is counted by its ply; in the next one they mean nothing. */
export interface Chosen {
  ply: number;
  prefix: Path;
  /** The answer has not come yet. */
  sent: boolean;
}

export const NOTHING: Chosen = { ply: -1, prefix: [], sent: false };

export const matching = (paths: readonly Path[], prefix: Path) =>
  paths.filter((path) => prefix.every((square, at) => path[at] === square));

export const starts = (paths: readonly Path[]) => new Set(paths.map((path) => path[0]!));

/** Where the piece may land next, and where the whole move may end. */
export function landings(paths: readonly Path[], prefix: Path): { next: Set<number>; ends: Set<number> } {
  const open = prefix.length ? matching(paths, prefix).filter((path) => path.length > prefix.length) : [];
  return {
    next: new Set(open.map((path) => path[prefix.length]!)),
    ends: new Set(open.map((path) => path.at(-1)!)),
  };
}

/** What touching a square means once a piece is picked: the next landing, or the end of the only move that ends there. */
export function pick(paths: readonly Path[], prefix: Path, square: number): Picked {
  const open = matching(paths, prefix);
  const stepped = open.filter((path) => path[prefix.length] === square);
  if (stepped.length) {
    const further = [...prefix, square];
    const whole = stepped.find((path) => path.length === further.length);
    return whole ? { kind: 'play', path: whole } : { kind: 'advance', prefix: further };
  }
  const ending = open.filter((path) => path.length > prefix.length && path.at(-1) === square);
  if (ending.length > 1) return { kind: 'ambiguous' };
  return ending[0] ? { kind: 'play', path: ending[0] } : { kind: 'none' };
}
