import { expect, it } from 'vitest';
import { board as rows } from './examples';
import type { Grid, Laid } from './compose';
import { provisionalScore, wordsMade } from './provisional';
import { readRef, squaresOf } from './squares';

const laid = (at: string, letters: string): Laid =>
  new Map(
    squaresOf(readRef(at), letters.length).flatMap((square, n) =>
      letters[n] === '.' ? [] : [[square, { tile: { id: n, letter: letters[n]! }, as: letters[n]! }]],
    ),
  );
const board = (play: string): Grid => rows(play).join('');
const EMPTY: Grid = '.'.repeat(225);

it('counts letters, premiums, crossing words and seven tiles', () => {
  expect(provisionalScore(EMPTY, laid('H8', 'SON'))).toBe(6);
  expect(provisionalScore(EMPTY, laid('H4', 'MAISONS'))).toBe(2 * (8 + 2) + 50);
  const grid = board('H8 MA');
  expect(wordsMade(grid, laid('I9', 'SI'))).toBe('I9 SI, 9H AS');
  expect(provisionalScore(grid, laid('I9', 'SI'))).toBe(2 * 1 + 1 + (1 + 2));
  expect(provisionalScore(grid, laid('H10', 's'))).toBe(3);
});

it('names every word with its place, so that a new neighbour is noticed', () => {
  expect(wordsMade(EMPTY, laid('H8', 'SON'))).toBe('H8 SON');
  expect(wordsMade(board('H11 S'), laid('H8', 'SON'))).toBe('H8 SONS');
  expect(wordsMade(board('G9 A'), laid('H8', 'SON'))).toBe('H8 SON, 9G AO');
  expect(wordsMade(EMPTY, laid('H8', 'S.N'))).toBe('');
});
