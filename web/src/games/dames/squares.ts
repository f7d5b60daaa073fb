// The board as squares: numbered 1 to 50 (1 to 32 on 8 × 8) from the top left, only the dark ones. Nothing here decides
// what may be played; it reads positions and says where things are.
import type { Change, Options, State } from './types.gen';

export interface Piece {
  /** 0 is red, 1 is black: the seat that owns it. */
  side: number;
  king: boolean;
}

export type Pieces = ReadonlyMap<number, Piece>;

/** Where a piece starts, each square it lands on, where it ends. */
export type Path = readonly number[];

export interface Place {
  row: number;
  col: number;
}

export const sizeOf = (options: Options) => (options.variant === 'classic8' ? 8 : 10);

/** Row 0 is the top, column 0 is a. */
export function placeOf(square: number, size: number): Place {
  const half = size / 2;
  const row = Math.floor((square - 1) / half);
  return { row, col: 2 * ((square - 1) % half) + (row % 2 === 0 ? 1 : 0) };
}

/** The dark square at a row and a column; null on a light square or off the board. */
export function squareAt({ row, col }: Place, size: number): number | null {
  const inside = row >= 0 && col >= 0 && row < size && col < size;
  return inside && (row + col) % 2 === 1 ? (row * size) / 2 + Math.floor(col / 2) + 1 : null;
}

export const squaresOf = (size: number) => Array.from({ length: (size * size) / 2 }, (_, at) => at + 1);

/** a1 to j10: files from the left, ranks from the bottom, as red sees the board. */
export function letterName(square: number, size: number): string {
  const { row, col } = placeOf(square, size);
  return fileName(col) + (size - row);
}

export const fileName = (col: number) => String.fromCharCode(97 + col);

/** Whether a set of squares contains one. It divides, because the bit operators of JavaScript end at 32 bits. */
export const holds = (set: number, square: number) => Math.floor(set / 2 ** (square - 1)) % 2 === 1;

type Position = Pick<State, 'options' | 'red_men' | 'red_kings' | 'black_men' | 'black_kings'>;

export function piecesOf(view: Position): Pieces {
  const sets = [
    { set: view.red_men, side: 0, king: false },
    { set: view.red_kings, side: 0, king: true },
    { set: view.black_men, side: 1, king: false },
    { set: view.black_kings, side: 1, king: true },
  ];
  const pieces = new Map<number, Piece>();
  for (const square of squaresOf(sizeOf(view.options))) {
    const found = sets.find(({ set }) => holds(set, square));
    if (found) pieces.set(square, { side: found.side, king: found.king });
  }
  return pieces;
}

/** The pieces while one is moving: captured ones stay until the whole capture is done. */
export function underWay(pieces: Pieces, path: Path): Pieces {
  const mover = pieces.get(path[0]!);
  if (!mover || path.length < 2) return pieces;
  const moved = new Map(pieces);
  moved.delete(path[0]!);
  return moved.set(path.at(-1)!, mover);
}

/** The position after a move, from what the server says that it changed. */
export function after(pieces: Pieces, path: Path, change: Pick<Change, 'captured' | 'promoted'> | undefined): Pieces {
  const moved = new Map(underWay(pieces, path));
  for (const square of change?.captured ?? []) moved.delete(square);
  const end = path.at(-1)!;
  const mover = moved.get(end);
  if (mover && change?.promoted) moved.set(end, { ...mover, king: true });
  return moved;
}

/** How every game begins. */
export function firstPieces(size: number): Pieces {
  const men = (size / 2) * (size / 2 - 1);
  const squares = squaresOf(size);
  return new Map([
    ...squares.slice(0, men).map((square): [number, Piece] => [square, { side: 1, king: false }]),
    ...squares.slice(-men).map((square): [number, Piece] => [square, { side: 0, king: false }]),
  ]);
}

/** How many men and kings a side still has. */
export function count(pieces: Pieces, side: number): { men: number; kings: number } {
  const own = [...pieces.values()].filter((piece) => piece.side === side);
  const kings = own.filter((piece) => piece.king).length;
  return { men: own.length - kings, kings };
}
