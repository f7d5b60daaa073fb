// Planned lines in words.
import { written } from '../notation';
import { placeOf, squareAt, underWay, type Path, type Pieces } from '../squares';

/** The squares that a path passes over, without those it lands on. */
function passed(path: Path, size: number): number[] {
  return path.slice(1).flatMap((end, at) => {
    const [from, to] = [placeOf(path[at]!, size), placeOf(end, size)];
    const [down, right] = [Math.sign(to.row - from.row), Math.sign(to.col - from.col)];
    return Array.from({ length: Math.abs(to.row - from.row) - 1 }, (_, by) =>
      squareAt({ row: from.row + down * (by + 1), col: from.col + right * (by + 1) }, size)!,
    );
  });
}

/** The moves of a line as players write them, from a position on. */
export function lineNames(pieces: Pieces, size: number, line: Path[], name: (square: number) => string): string[] {
  let now = pieces;
  return line.map((path) => {
    const taken = passed(path, size).filter((square) => now.has(square));
    const moved = new Map(underWay(now, path));
    for (const square of taken) moved.delete(square);
    now = moved;
    return written(path, taken.length > 0, name);
  });
}

/** A line in pairs: what the other plays, and the answer. */
export function pairs(names: string[]): { when: string; then: string }[] {
  return Array.from({ length: Math.floor(names.length / 2) }, (_, at) => ({
    when: names[2 * at]!,
    then: names[2 * at + 1]!,
  }));
}
