import { expect, it } from 'vitest';
import { set, view } from './examples';
import { after, count, holds, letterName, piecesOf, placeOf, squareAt, squaresOf, underWay } from './squares';

it('numbers the dark squares from the top left', () => {
  expect(placeOf(1, 10)).toEqual({ row: 0, col: 1 });
  expect(placeOf(6, 10)).toEqual({ row: 1, col: 0 });
  expect(placeOf(50, 10)).toEqual({ row: 9, col: 8 });
  expect(placeOf(32, 8)).toEqual({ row: 7, col: 6 });
  for (const size of [8, 10]) {
    for (const square of squaresOf(size)) expect(squareAt(placeOf(square, size), size)).toBe(square);
  }
});

it('has no square off the board or on a light one', () => {
  expect(squareAt({ row: 0, col: 0 }, 10)).toBeNull();
  expect(squareAt({ row: -1, col: 2 }, 10)).toBeNull();
  expect(squareAt({ row: 4, col: 11 }, 10)).toBeNull();
});

it('names squares by letters from the lower left', () => {
  expect([46, 32, 5].map((square) => letterName(square, 10))).toEqual(['a1', 'd4', 'j10']);
  expect([29, 4].map((square) => letterName(square, 8))).toEqual(['a1', 'h8']);
});

it('reads sets of fifty squares, which are wider than the bit operators', () => {
  expect(holds(set(50), 50)).toBe(true);
  expect(holds(set(50), 18)).toBe(false);
  expect(holds(set(1, 33), 33)).toBe(true);
  const pieces = piecesOf(view({ red_kings: set(28), black_kings: set(21) }));
  expect(pieces.size).toBe(42);
  expect(pieces.get(28)).toEqual({ side: 0, king: true });
  expect(pieces.get(20)).toEqual({ side: 1, king: false });
  expect(count(pieces, 1)).toEqual({ men: 20, kings: 1 });
});

it('lifts nothing while a capture is on its way', () => {
  const pieces = piecesOf(view({ red_men: set(48), black_men: set(43, 33) }));
  const moved = underWay(pieces, [48, 39]);
  expect([moved.has(48), moved.get(39)?.side, moved.has(43)]).toEqual([false, 0, true]);
  expect(underWay(pieces, [48])).toBe(pieces);
});

it('changes after a move what the server says, and nothing else', () => {
  const pieces = piecesOf(view({ red_men: set(48, 7), black_men: set(43, 33) }));
  const taken = after(pieces, [48, 39, 28], { captured: [33, 43], promoted: false });
  expect([...taken]).toEqual([
    [7, { side: 0, king: false }],
    [28, { side: 0, king: false }],
  ]);
  expect(after(pieces, [7, 1], { captured: [], promoted: true }).get(1)).toEqual({ side: 0, king: true });
  expect(after(pieces, [7, 1], undefined).get(1)).toEqual({ side: 0, king: false });
});
