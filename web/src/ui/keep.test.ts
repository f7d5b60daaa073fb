import { expect, it } from 'vitest';
import { keeper } from './keep';

it('keeps the objects that have not changed, place by place', () => {
  const kept = keeper<{ at: number; letter: string | null }>();
  const before = kept([
    { at: 0, letter: 'A' },
    { at: 1, letter: null },
  ]);
  const now = [
    { at: 0, letter: 'A' },
    { at: 1, letter: 'B' },
    { at: 2, letter: null },
  ];
  const after = kept(now);
  expect(after).toEqual(now);
  expect(after.map((one, at) => one === before[at])).toEqual([true, false, false]);
  expect(kept([{ at: 0, letter: 'A' }])[0]).toBe(before[0]);
});
