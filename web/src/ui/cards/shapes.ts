// The drawing of the cards as numbers: suit shapes in a box of 100 around 0,0; faces in a box of 240 × 336.
import type { Rank, Suit } from './card';

export const WIDTH = 240;
export const HEIGHT = 336;

export const SUIT_PATHS: Record<Suit, string> = {
  S: 'M0-49C7-31 43-9 43 15C43 30 32 38 22 38C13 38 7 34 3 27C4 37 8 44 17 49L-17 49C-8 44-4 37-3 27C-7 34-13 38-22 38C-32 38-43 30-43 15C-43-9-7-31 0-49Z',
  H: 'M0 47C-8 27-45 5-45-20C-45-35-34-44-23-44C-12-44-4-37 0-26C4-37 12-44 23-44C34-44 45-35 45-20C45 5 8 27 0 47Z',
  D: 'M0-50C9-31 22-13 37 0C22 13 9 31 0 50C-9 31-22 13-37 0C-22-13-9-31 0-50Z',
  C: 'M0-49C13-49 22-39 22-27C22-20 19-14 14-9C18-12 22-13 26-13C37-13 46-4 46 8C46 20 37 29 25 29C15 29 7 24 3 16C4 32 8 43 17 49L-17 49C-8 43-4 32-3 16C-7 24-15 29-25 29C-37 29-46 20-46 8C-46-4-37-13-26-13C-22-13-18-12-14-9C-19-14-22-20-22-27C-22-39-13-49 0-49Z',
};

/** Centre and size of one suit shape on a face; those of the lower half stand on their heads. */
export interface Pip {
  x: number;
  y: number;
  size: number;
}

const COLUMNS = { l: 80, m: 120, r: 160 };
const TOP = 68;
const STEP = (HEIGHT - 2 * TOP) / 12;

// Twelve steps from the top row to the bottom one, so that every classic row falls on a whole step.
const LAYOUTS: Record<string, string> = {
  2: 'm0 m12',
  3: 'm0 m6 m12',
  4: 'l0 r0 l12 r12',
  5: 'l0 r0 m6 l12 r12',
  6: 'l0 r0 l6 r6 l12 r12',
  7: 'l0 r0 m3 l6 r6 l12 r12',
  8: 'l0 r0 m3 l6 r6 m9 l12 r12',
  9: 'l0 r0 l4 r4 m6 l8 r8 l12 r12',
  T: 'l0 r0 m2 l4 r4 l8 r8 m10 l12 r12',
};

export function pips(rank: Rank): Pip[] {
  if (rank === 'A') return [{ x: 120, y: 168, size: 0.92 }];
  return (LAYOUTS[rank] ?? '')
    .split(' ')
    .filter(Boolean)
    .map((at) => ({
      x: COLUMNS[at[0] as keyof typeof COLUMNS],
      y: TOP + STEP * Number(at.slice(1)),
      size: 0.44,
    }));
}

/** Places a shape: moved, scaled, and turned if it belongs to the lower half. */
export const place = ({ x, y, size }: Pip) =>
  `translate(${x} ${y}) scale(${size})${y > HEIGHT / 2 + 1 ? ' rotate(180)' : ''}`;
