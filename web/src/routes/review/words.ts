// Figures and decisions of a review, in words.
import { amountText } from '../../core/advice';
import type { GameClient } from '../../core/game';
import type { ReviewedDecision } from '../../core/types.gen';

export type Mark = ReviewedDecision['mark'];

/** Worst first. */
export const MARKS: readonly Mark[] = ['blunder', 'mistake', 'inaccuracy', 'good', 'best'];

export const isMistake = (mark: Mark) => mark === 'blunder' || mark === 'mistake' || mark === 'inaccuracy';

/** An amount with its sign: « +2 koras », « −0,4 kora », « 0 kora ». */
export function signed(client: GameClient | null, value: number): string {
  const words = amountText(client, value);
  if (words === amountText(client, 0)) return words;
  return (value < 0 ? '−' : '+') + words;
}
