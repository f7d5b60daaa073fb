import { expect, it } from 'vitest';
import { extensions, plannable, resolved } from './premove';
import type { Piece, Pieces } from './squares';

const man = (side: number): Piece => ({ side, king: false });
const board = (...all: [number, Piece][]): Pieces => new Map(all);
const ends = (pieces: Pieces, start: number, seat = 0) =>
  plannable(pieces, 10, seat)
    .filter((path) => path[0] === start)
    .map((path) => path[1])
    .sort((a, b) => a! - b!);

it('offers steps forward and every capture that could come', () => {
  expect(ends(board([32, man(0)]), 32)).toEqual([21, 23, 27, 28, 41, 43]);
  expect(ends(board([19, man(1)]), 19, 1)).toEqual([8, 10, 23, 24, 28, 30]);
});

it('offers a square that the opponent may leave, and one where a piece may be taken', () => {
  // 23x32 would take 28 and land before 37: 37x28 answers it.
  expect(ends(board([37, man(0)], [28, man(0)], [23, man(1)]), 37)).toContain(28);
  expect(ends(board([32, man(0)], [28, man(1)], [23, man(1)]), 32)).toEqual(expect.arrayContaining([28, 23]));
});

it('offers nothing over or onto pieces that stay', () => {
  expect(ends(board([32, man(0)], [28, man(0)], [27, man(0)]), 32)).toEqual([41, 43]);
  expect(ends(board([37, man(0)], [32, man(1)], [28, man(0)]), 37)).not.toContain(28);
});

it('lets a king go along its diagonals up to its own pieces', () => {
  expect(ends(board([46, { side: 0, king: true }], [23, man(0)], [37, man(1)]), 46)).toEqual([28, 32, 37, 41]);
});

it('goes on after a capture, not after a step', () => {
  const pieces = board([32, man(0)], [19, man(0)]);
  expect([...extensions(pieces, 10, [32, 23])].sort((a, b) => a - b)).toEqual([12, 34]);
  expect(extensions(pieces, 10, [32, 28]).size).toBe(0);
});

it('stands for the only legal move with its start, its end and its squares', () => {
  const legal = [
    [48, 39, 28],
    [48, 37, 28],
    [32, 27],
  ];
  expect(resolved(legal, [32, 27])).toEqual([32, 27]);
  expect(resolved(legal, [48, 28])).toBeNull();
  expect(resolved(legal, [48, 37, 28])).toEqual([48, 37, 28]);
  expect(resolved(legal, [48, 39])).toBeNull();
  expect(resolved(legal.slice(1), [48, 28])).toEqual([48, 37, 28]);
});
