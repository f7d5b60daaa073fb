// A position as a FEN, for the editor. The server reads it and says what is wrong with it.
import type { Piece, Pieces } from '../squares';

const listed = (pieces: Pieces, side: number) =>
  [...pieces]
    .filter(([, piece]) => piece.side === side)
    .sort(([a], [b]) => a - b)
    .map(([square, piece]) => `${piece.king ? 'K' : ''}${square}`)
    .join(',');

/** Red is White in a FEN. */
export const fenOf = (pieces: Pieces, toMove: number) =>
  `${toMove === 0 ? 'W' : 'B'}:W${listed(pieces, 0)}:B${listed(pieces, 1)}`;

/** A brush puts its piece on a square, or takes away what stands there; the same piece twice takes it away too. */
export function painted(pieces: Pieces, square: number, brush: Piece | null): Pieces {
  const [there, changed] = [pieces.get(square), new Map(pieces)];
  if (!brush || (there?.side === brush.side && there.king === brush.king)) changed.delete(square);
  else changed.set(square, brush);
  return changed;
}
