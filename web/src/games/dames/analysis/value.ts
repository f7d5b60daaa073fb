// The value of a position for people: in men, for red.
import { lang } from '../../../i18n';
import type { BestLine } from '../types.gen';

type Valued = Pick<BestLine, 'value' | 'win'>;

/** `+0,35`, with a true minus. */
export const inMen = (value: number) =>
  value
    .toLocaleString(lang.current, { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' })
    .replace('-', '−');

/** How much of the bar is red: a half if both stand equal; a man more is about two thirds. */
export function redShare({ value, win }: Valued): number {
  if (win !== null) return value > 0 ? 1 : 0;
  return Math.min(0.97, Math.max(0.03, 1 / (1 + Math.exp(-0.75 * value))));
}

export const winnerOf = ({ value, win }: Valued): number | null => (win === null ? null : value > 0 ? 0 : 1);
