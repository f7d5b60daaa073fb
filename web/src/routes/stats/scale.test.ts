import { expect, it } from 'vitest';
import { ticks } from './scale';

it.each([
  [1480, 1612],
  [0, 1],
  [-3, 250],
  [100, 100],
  [0, 0],
  [1499.6, 1500.4],
  [2, 9000],
])('has round numbers around %d and %d', (least, most) => {
  const marks = ticks(least, most);
  expect(marks.length).toBeGreaterThanOrEqual(2);
  expect(marks.length).toBeLessThanOrEqual(6);
  expect(marks[0]).toBeLessThanOrEqual(least);
  expect(marks.at(-1)).toBeGreaterThanOrEqual(most);
  expect(marks.at(-1)).toBeGreaterThan(marks[0]!);
  expect(marks.every(Number.isInteger)).toBe(true);
});
