// The board's geometry: 15 rows A–O, 15 columns 1–15, squares numbered from 0 row by row; and what each square brings.
export const SIZE = 15;
export const CENTRE = 112;

/** Word triple, word double, letter triple, letter double. The star in the middle doubles the word too. */
export type Premium = 'MT' | 'MD' | 'LT' | 'LD';

/** The upper half with the middle row; the lower half mirrors it. */
const UPPER = [
  'T..d...T...d..T',
  '.D...t...t...D.',
  '..D...d.d...D..',
  'd..D...d...D..d',
  '....D.....D....',
  '.t...t...t...t.',
  '..d...d.d...d..',
  'T..d...D...d..T',
];
const SIGNS: Record<string, Premium> = { T: 'MT', D: 'MD', t: 'LT', d: 'LD' };
const PREMIUMS: readonly (Premium | null)[] = [...UPPER, ...UPPER.slice(0, -1).reverse()].flatMap((row) =>
  [...row].map((sign) => SIGNS[sign] ?? null),
);

export const premiumOf = (square: number): Premium | null => PREMIUMS[square] ?? null;

export const ROWS = 'ABCDEFGHIJKLMNO';
export const rowOf = (square: number) => Math.floor(square / SIZE);
export const colOf = (square: number) => square % SIZE;

/** « H8 »: the row's letter, the column's number. */
export const squareName = (square: number) => `${ROWS[rowOf(square)]}${colOf(square) + 1}`;

/** How a play is written: `H8` runs across, `8H` down. */
export function refOf(square: number, down: boolean): string {
  const row = ROWS[rowOf(square)];
  return down ? `${colOf(square) + 1}${row}` : `${row}${colOf(square) + 1}`;
}

export interface Line {
  square: number;
  down: boolean;
}

export function readRef(at: string): Line {
  const down = /^\d/.test(at);
  const row = ROWS.indexOf(/[A-O]/.exec(at)?.[0] ?? 'A');
  return { square: row * SIZE + Number(/\d+/.exec(at)?.[0] ?? 1) - 1, down };
}

/** The square so many steps further in a direction; null off the board. */
export function along(square: number, down: boolean, by: number): number | null {
  const row = rowOf(square) + (down ? by : 0);
  const col = colOf(square) + (down ? 0 : by);
  return row < 0 || col < 0 || row >= SIZE || col >= SIZE ? null : row * SIZE + col;
}

/** The squares of a word of so many letters. */
export function squaresOf({ square, down }: Line, length: number): number[] {
  return Array.from({ length }, (_, at) => along(square, down, at)).filter((one) => one !== null);
}
