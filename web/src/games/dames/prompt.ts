// The prompt, and why a square does nothing, in words. It follows from the view; no rules here.
import type { Path, Pieces } from './squares';
import type { State } from './types.gen';
import { t } from './words';

export interface Asked {
  view: State;
  pieces: Pieces;
  seat: number | null;
  prefix: Path;
  /** The reader may plan a move meanwhile. */
  planning: boolean;
  /** The sentence for an opponent who is not here. */
  awaited?: string;
  nameOf: (seat: number) => string;
}

/** The sentence beside the board. */
export function promptFor({ view, seat, prefix, planning, awaited, nameOf }: Asked): string {
  if (view.result) return t('prompt.over');
  if (planning && prefix.length) return t('premove.where');
  const offered = view.offered_by;
  if (offered !== null && offered !== seat) return t('prompt.offered', { name: nameOf(offered) });
  if (view.to_move !== seat) return awaited ?? t('prompt.wait', { name: nameOf(view.to_move) });
  if (prefix.length) return t(view.must_take > 1 ? 'prompt.way' : 'prompt.where');
  if (offered === seat) return t('prompt.offering');
  return t(view.must_take ? 'prompt.take' : 'prompt.yours');
}

/** Why a touched square does nothing. */
export function whyNot({ view, pieces, seat, prefix, planning, nameOf }: Asked, square: number): string {
  if (view.result) return t('prompt.over');
  if (seat === null) return t('why.watching');
  if (planning && prefix.length) return t('premove.there');
  if (view.to_move !== seat) return t(planning ? 'premove.how' : 'why.wait', { name: nameOf(view.to_move) });
  const piece = pieces.get(square);
  if (!piece) return t(prefix.length ? 'why.there' : 'why.first');
  if (piece.side !== seat) return t('why.theirs', { name: nameOf(piece.side) });
  return view.must_take ? t('why.take', { count: view.must_take }) : t('why.stuck');
}
