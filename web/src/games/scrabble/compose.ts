// A play under way: which tiles of the rack lie on which squares, and the word that they make. No rules: the server says
// whether it may be played.
import { along, colOf, readRef, refOf, rowOf, squaresOf } from './squares';

/** A tile of one's own; `?` is a joker. The number keeps it the same tile wherever it goes. */
export interface Tile {
  id: number;
  letter: string;
}

/** A tile on the board; `as` is the letter it shows, lower case for a joker. */
export interface LaidTile {
  tile: Tile;
  as: string;
}

export type Laid = ReadonlyMap<number, LaidTile>;

/** The letter on each of the 225 squares, `.` if it is empty. */
export type Grid = string;

export const EMPTY = '.';

export const isTaken = (grid: Grid, square: number) => (grid[square] ?? EMPTY) !== EMPTY;

/** A board with more tiles on it. */
export const put = (grid: Grid, tiles: ReadonlyMap<number, string>): Grid =>
  [...grid].map((there, square) => tiles.get(square) ?? there).join('');

/** The new tiles of a play, by square: what is not on the board yet. */
export function ghostsOf(grid: Grid, { at, word }: { at: string; word: string }): Map<number, string> {
  const squares = squaresOf(readRef(at), word.length);
  return new Map(squares.flatMap((square, n) => (isTaken(grid, square) ? [] : [[square, word[n]!] as const])));
}

/** The letter on a square, tiles under way included. */
export function letterAt(grid: Grid, laid: Laid, square: number): string | null {
  return laid.get(square)?.as ?? (isTaken(grid, square) ? grid[square]! : null);
}

export type Composed =
  | { kind: 'nothing' }
  /** Not in one row or column. */
  | { kind: 'apart' }
  /** An empty square between two of the tiles. */
  | { kind: 'gap'; square: number }
  | { kind: 'word'; at: string; word: string; squares: number[] };

/** The word that the laid tiles make with what stands on the board, as `place` names it. */
export function composed(grid: Grid, laid: Laid, preferDown = false): Composed {
  const squares = [...laid.keys()].sort((a, b) => a - b);
  const first = squares[0];
  if (first === undefined) return { kind: 'nothing' };
  const oneRow = squares.every((square) => rowOf(square) === rowOf(first));
  const oneCol = squares.every((square) => colOf(square) === colOf(first));
  if (!oneRow && !oneCol) return { kind: 'apart' };
  const spans = (down: boolean) => spanOf(grid, laid, first, down);
  // A single tile may belong to two words: the one along the cursor names the play, if it is a word at all.
  const single = squares.length === 1;
  const down = single ? spans(preferDown).length > 1 === preferDown : !oneRow;
  const word = spans(down);
  const gap = squares.find((square) => !word.includes(square));
  if (gap !== undefined) return { kind: 'gap', square: along(word.at(-1)!, down, 1)! };
  return {
    kind: 'word',
    at: refOf(word[0]!, down),
    word: word.map((square) => letterAt(grid, laid, square)).join(''),
    squares: word,
  };
}

/** The unbroken line of letters through a square. */
export function spanOf(grid: Grid, laid: Laid, through: number, down: boolean): number[] {
  const line = [through];
  const filled = (square: number | null): square is number => square !== null && letterAt(grid, laid, square) !== null;
  for (let next = along(through, down, -1); filled(next); next = along(next, down, -1)) line.unshift(next);
  for (let next = along(through, down, 1); filled(next); next = along(next, down, 1)) line.push(next);
  return line;
}

/** The first square without a tile, from one on; null if the line is full. */
export function nextFree(grid: Grid, laid: Laid, from: number | null, down: boolean): number | null {
  let square = from;
  while (square !== null && letterAt(grid, laid, square) !== null) square = along(square, down, 1);
  return square;
}

/** The nearest tile of one's own before a square, with only letters between; null if there is none. */
export function laidBefore(grid: Grid, laid: Laid, square: number, down: boolean): number | null {
  let before = along(square, down, -1);
  while (before !== null && !laid.has(before) && isTaken(grid, before)) before = along(before, down, -1);
  return before !== null && laid.has(before) ? before : null;
}

/** The rack in the order that the player chose, new tiles last. If a letter is missing, tiles on the board are dropped first. */
export function reconcile(known: readonly Tile[], away: ReadonlySet<Tile>, rack: string, number: () => number): Tile[] {
  const left = [...rack];
  const claim = (tile: Tile) => {
    const at = left.indexOf(tile.letter);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const kept = new Set(
    [...known.filter((tile) => !away.has(tile)), ...known.filter((tile) => away.has(tile))].filter(claim),
  );
  return [...known.filter((tile) => kept.has(tile)), ...left.map((letter) => ({ id: number(), letter }))];
}

/** `tiles` of an exchange: sorted, jokers first. */
export const sortedTiles = (letters: readonly string[]) => [...letters].sort().join('');
