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
  const log = [
    moveOf(0, one, { contesters: [1] }),
    move(1, { kind: 'withdrawn', word: 'XYZ', contesters: [0], invalid: ['XYZ'] }),
    move(0),
  ];
  const turns = turnsOf(view({ log, last: last(0, one) }));
  expect(turns.map(({ total }) => total)).toEqual([6, -10, 6]);
});

it('knows the words of every play of the log, and what they brought', () => {
  const log = [
    move(0, { kind: 'place', at: 'H5', word: 'PORT', tiles: 'PORT', score: 12 }),
    move(1, { kind: 'withdrawn', at: 'H5', word: 'PORTZ', tiles: '....Z', invalid: ['PORTZ'] }),
    move(1),
    move(0, { kind: 'place', at: '9H', word: 'EAU', tiles: 'EAU', score: 11 }),
    move(1, { kind: 'place', at: 'J8', word: 'mURIERS', tiles: 'm.RIERS', score: 10 }),
    move(0, { kind: 'place', at: 'G2', word: 'NOTAIRE', tiles: 'NOTAIRE', score: 70 }),
  ];
  const turns = turnsOf(view({ log }));
  const words = turns.map(({ play }) => play?.words.map(({ at, word, score }) => `${at} ${word} ${score}`));
  expect(words).toEqual([
    ['H5 PORT 12'],
    ['H5 PORTZ 16'],
    undefined,
    ['9H EAU 4', 'H5 PORTE 7'],
    ['J8 mURIERS 10'],
    ['G2 NOTAIRE 9', '5G AP 4', '6G IO 2', '7G RR 3', '8G ET 2'],
  ]);
  expect(turns.at(-1)!.play!.bingo).toBe(50);
  const placed = turns.filter(({ move }) => move.kind === 'place');
  expect(placed.map(({ play }) => play!.score)).toEqual(placed.map(({ move }) => move.score));
});

it('counts what nobody has seen', () => {
  expect([...unseenOf(view({ unseen: '?AAB' }))]).toEqual([
    ['?', 1],
    ['A', 2],
    ['B', 1],
  ]);
});
