import { expect, it } from 'vitest';
import { strength, usualLevel } from './seats';

it('begins with moyen, or with the middle level of a game that has none', () => {
  expect(usualLevel(['facile', 'moyen', 'difficile', 'expert', 'maitre'])).toBe('moyen');
  expect(usualLevel(['mouse', 'cat', 'dog'])).toBe('cat');
  expect(usualLevel(['only'])).toBe('only');
  expect(usualLevel([])).toBeUndefined();
});

it('shows a pip more for each level', () => {
  expect(['facile', 'moyen', 'difficile', 'expert', 'maitre', null].map(strength)).toEqual([1, 2, 3, 4, 5, 1]);
});
