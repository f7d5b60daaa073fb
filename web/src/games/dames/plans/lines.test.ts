import { expect, it } from 'vitest';
import type { Piece, Pieces } from '../squares';
import { lineNames, pairs } from './lines';

const man = (side: number): Piece => ({ side, king: false });

it('writes a line as players do, captures included', () => {
  const pieces: Pieces = new Map([
    [32, man(0)],
    [19, man(1)],
    [14, man(1)],
    [46, { side: 0, king: true }],
  ]);
  const line = [
    [32, 28],
    [19, 23],
    [28, 19],
    [14, 23],
    [46, 10],
  ];
  expect(lineNames(pieces, 10, line, String)).toEqual(['32-28', '19-23', '28x19', '14x23', '46x10']);
});

it('pairs what the other plays with the answer', () => {
  expect(pairs(['32-28', '19-23', '28x19'])).toEqual([{ when: '32-28', then: '19-23' }]);
});
