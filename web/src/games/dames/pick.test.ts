import { expect, it } from 'vitest';
import { landings, pick, starts } from './pick';

const QUIET = [
  [32, 27],
  [32, 28],
  [33, 28],
];
/** Two ways round to 28, one to 27, and one that comes back to where it began. */
const TAKES = [
  [48, 39, 28],
  [48, 37, 28],
  [48, 37, 26],
  [47, 38, 27, 36, 47],
];

it('lights the pieces that may move, then where they may land', () => {
  expect([...starts(QUIET)]).toEqual([32, 33]);
  expect(landings(QUIET, [])).toEqual({ next: new Set(), ends: new Set() });
  expect(landings(QUIET, [32])).toEqual({ next: new Set([27, 28]), ends: new Set([27, 28]) });
  expect(landings(TAKES, [48])).toEqual({ next: new Set([39, 37]), ends: new Set([28, 26]) });
});

it('plays a move of one step at once', () => {
  expect(pick(QUIET, [32], 27)).toEqual({ kind: 'play', path: [32, 27] });
  expect(pick(QUIET, [32], 22)).toEqual({ kind: 'none' });
});

it('plays a capture step by step', () => {
  expect(pick(TAKES, [48], 37)).toEqual({ kind: 'advance', prefix: [48, 37] });
  expect(pick(TAKES, [48, 37], 28)).toEqual({ kind: 'play', path: [48, 37, 28] });
});

it('plays a capture whole where its end tells it, and asks for the way where it does not', () => {
  expect(pick(TAKES, [48], 26)).toEqual({ kind: 'play', path: [48, 37, 26] });
  expect(pick(TAKES, [48], 28)).toEqual({ kind: 'ambiguous' });
  expect(pick(TAKES, [47, 38], 47)).toEqual({ kind: 'play', path: [47, 38, 27, 36, 47] });
});
