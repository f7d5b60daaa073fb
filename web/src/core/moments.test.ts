import { expect, it } from 'vitest';
import { pickMoments } from './moments';

const weighed = (...weights: number[]) => weights.map((weight, ply) => ({ ply, weight }));
const plies = (...weights: number[]) => pickMoments(weighed(...weights)).map(({ ply }) => ply);

it('keeps at most the eight heaviest, in the order of the match', () => {
  // The captures of a match of draughts: twenty of one piece, two of several, a promotion, the end.
  const match = [...Array<number>(10).fill(1), 3, ...Array<number>(10).fill(1), 4, 5, 10];
  expect(plies(...match)).toEqual([10, 21, 22, 23]);
  expect(plies(3, 3, 3, 3, 3, 9, 3, 3, 3, 3)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

it('fills up to three with lighter ones, the later of two equal ones first', () => {
  expect(plies(1, 1, 1, 2, 10)).toEqual([2, 3, 4]);
  expect(plies(1)).toEqual([0]);
  expect(plies()).toEqual([]);
});
