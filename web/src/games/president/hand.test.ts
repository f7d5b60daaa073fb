import { expect, it } from 'vitest';
import { inOrder, inRows } from './hand';

const HAND = ['3S', '7H', '7C', 'QD', '2S', '2H'];

it('lies from the weakest to the strongest of the order in force', () => {
  expect(inOrder(HAND, false)).toEqual(HAND);
  expect(inOrder(HAND, true)).toEqual(['2S', '2H', 'QD', '7H', '7C', '3S']);
});

it('lies in one row if fingers have room', () => {
  expect(inRows(HAND, 6)).toEqual([HAND]);
  expect(inRows([], 6)).toEqual([[]]);
});

it('lies in two rows that keep a rank together', () => {
  expect(inRows(HAND, 4)).toEqual([
    ['3S', '7H', '7C'],
    ['QD', '2S', '2H'],
  ]);
  expect(inRows(['3S', '4S', '7H', '7C', '7D', '9S', 'TS'], 5)).toEqual([
    ['3S', '4S', '7H', '7C', '7D'],
    ['9S', 'TS'],
  ]);
});

it('tears a rank apart rather than overfill a row', () => {
  expect(inRows(['7S', '7H', '7D', '7C'], 2)).toEqual([
    ['7S', '7H'],
    ['7D', '7C'],
  ]);
});
