import { expect, it } from 'vitest';
import { keep } from './keep';

it('keeps the objects that have not changed, place by place', () => {
  const before = [
    { at: 0, letter: 'A' },
    { at: 1, letter: null },
  ];
  const kept = keep(before, [
    { at: 0, letter: 'A' },
    { at: 1, letter: 'B' },
    { at: 2, letter: null },
  ]);
  expect(kept).toEqual([
    { at: 0, letter: 'A' },
    { at: 1, letter: 'B' },
    { at: 2, letter: null },
  ]);
  expect(kept[0]).toBe(before[0]);
});
