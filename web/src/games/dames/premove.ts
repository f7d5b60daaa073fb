// What could become legal after the opponent's move, judged generously by geometry. The offer decides when the turn comes.
import { placeOf, squareAt, type Path, type Pieces } from './squares';

const DIAGONALS = [
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
] as const;

interface From {
  pieces: Pieces;
  size: number;
  /** Where the piece stands now; its kind goes with it along a plan. */
  start: number;
}

/** The squares in one direction, nearest first. */
function* ray(square: number, [down, right]: readonly [number, number], size: number): Generator<number> {
  const { row, col } = placeOf(square, size);
  for (let by = 1; by < size; by++) {
    const next = squareAt({ row: row + down * by, col: col + right * by }, size);
    if (next === null) return;
    yield next;
  }
}

/** Where a man could step to. The opponent may leave a square, but one's own pieces stay. */
function steps({ pieces, size, start }: From): number[] {
  const { side } = pieces.get(start)!;
  const forward = side === 0 ? -1 : 1;
  return DIAGONALS.filter(([down]) => down === forward)
    .flatMap((way) => [...ray(start, way, size)].slice(0, 1))
    .filter((square) => pieces.get(square)?.side !== side);
}

/** Where a man could land with a capture from `square`. The opponent may come to the square that is jumped, and may leave or
 *  take the piece on the square behind it. */
function jumps({ pieces, size, start }: From, square: number): number[] {
  const { side } = pieces.get(start)!;
  const own = (one: number) => one !== start && pieces.get(one)?.side === side;
  return DIAGONALS.flatMap((way) => {
    const [over, landing] = ray(square, way, size);
    if (over === undefined || landing === undefined || own(over)) return [];
    return own(landing) && pieces.has(over) ? [] : [landing];
  });
}

/** Where a king could go from `square`: along the diagonals, up to one's own pieces. */
function flights({ pieces, size, start }: From, square: number): number[] {
  const { side } = pieces.get(start)!;
  return DIAGONALS.flatMap((way) => {
    const line = [...ray(square, way, size)];
    const end = line.findIndex((one) => one !== start && pieces.get(one)?.side === side);
    return end < 0 ? line : line.slice(0, end);
  });
}

/** The moves of one leg that a seat may plan. */
export function plannable(pieces: Pieces, size: number, seat: number): Path[] {
  return [...pieces].flatMap(([start, piece]) => {
    if (piece.side !== seat) return [];
    const from = { pieces, size, start };
    const ends = piece.king ? flights(from, start) : [...steps(from), ...jumps(from, start)];
    return ends.map((end) => [start, end]);
  });
}

/** The squares with which a planned capture can go on. A step of a man ends it. */
export function extensions(pieces: Pieces, size: number, plan: Path): ReadonlySet<number> {
  const [start, end, before] = [plan[0]!, plan.at(-1)!, plan.at(-2)!];
  const piece = pieces.get(start);
  const isStep = Math.abs(placeOf(end, size).row - placeOf(before, size).row) === 1;
  if (!piece || (isStep && !piece.king)) return new Set();
  const from = { pieces, size, start };
  const next = piece.king ? flights(from, end) : jumps(from, end);
  return new Set(next.filter((square) => square !== before && pieces.get(square)?.side !== piece.side));
}

/** The legal move that a plan stands for: the only one with its start, its end and its squares on the way. */
export function resolved(paths: readonly Path[], plan: Path): Path | null {
  const exact = paths.find((path) => path.join() === plan.join());
  if (exact) return exact;
  const found = paths.filter((path) => path[0] === plan[0] && path.at(-1) === plan.at(-1) && contains(path, plan));
  return found.length === 1 ? found[0]! : null;
}

function contains(path: Path, plan: Path): boolean {
  let at = -1;
  return plan.every((square) => (at = path.indexOf(square, at + 1)) >= 0);
}
