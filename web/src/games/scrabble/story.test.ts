import { expect, it } from 'vitest';
import { board, formed, last, move, moveOf, played, view } from './examples';
import { squareName } from './squares';
import { endOf, formula, lastTiles, newTiles, settled, turnsOf, unseenOf } from './story';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

it('adds a word up as the board does', () => {
  expect(plain(formula(formed('H8', 'MA')))).toBe('(2 + 1) ×2');
  expect(plain(formula(formed('H4', 'MAISON')))).toBe('(2 ×2 + 1 + 1 + 1 + 1 + 1) ×2');
  expect(plain(formula(formed('I7', 'EH')))).toBe('1 ×2 + 4');
  const both = { ...formed('A1', 'ZONERAIT'), word: 'ZONERAIT' };
  expect(plain(formula(both))).toBe('(10 + 1 + 1 + 1 ×2 + 1 + 1 + 1 + 1) ×3 ×3');
});

it('finds the new tiles of a play', () => {
  const play = played('H8', 'MAISONS', { tiles: '......S' });
  expect([...newTiles(play)].map(([square, letter]) => `${squareName(square)} ${letter}`)).toEqual(['H14 S']);
  expect(squareName(endOf(play).square)).toBe('H14');
  expect(lastTiles(view({ last: last(1, play) })).size).toBe(1);
  expect(lastTiles(view({ last: last(1, play, { withdrawn: true }) })).size).toBe(0);
});

it('knows a play that has just been settled', () => {
  const play = played('H8', 'MA');
  const after = view({ board: board('H8 MA'), log: [moveOf(1, play)], last: last(1, play) });
  expect(settled(view(), after)?.seat).toBe(1);
  expect(settled(null, after)).toBeNull();
  expect(settled(after, { ...after, log: [...after.log, move(0)] })).toBeNull();
});

it('keeps the totals, wrong contests included', () => {
  const one = played('H8', 'MA');
  const log = [moveOf(0, one, { contesters: [1] }), move(1, { kind: 'withdrawn', word: 'XYZ', contesters: [0], invalid: ['XYZ'] }), move(0)];
  const turns = turnsOf(view({ log, last: last(0, one) }));
  expect(turns.map(({ total }) => total)).toEqual([6, -10, 6]);
});

it('shows the words of a play where this page saw them', () => {
  const [one, two] = [played('H8', 'MA'), played('H8', 'MAI', { tiles: '..I' })];
  const first = view({ log: [moveOf(0, one)], last: last(0, one) });
  const second = view({ log: [...first.log, move(1), moveOf(0, two)], last: last(0, two) });
  const told = [{ step: { ply: 1, seat: 0, action: null, cause: null }, view: first, previous: null }];
  expect(turnsOf(second, told).map(({ play }) => play?.word)).toEqual(['MA', undefined, 'MAI']);
  expect(turnsOf(second).map(({ play }) => play?.word)).toEqual([undefined, undefined, 'MAI']);
});

it('counts what nobody has seen', () => {
  expect([...unseenOf(view({ unseen: '?AAB' }))]).toEqual([['?', 1], ['A', 2], ['B', 1]]);
});
