// The five colours of the number cards.

export const BANDS = ['deep', 'sky', 'green', 'yellow', 'red'] as const;
export type Band = (typeof BANDS)[number];

/** −2 and −1, 0, 1 to 4, 5 to 8, 9 to 12. */
export function bandOf(value: number): Band {
  if (value < 0) return 'deep';
  return BANDS[1 + Math.ceil(value / 4)]!;
}
