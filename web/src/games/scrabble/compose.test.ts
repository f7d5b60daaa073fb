import { describe, expect, it } from 'vitest';
import { composed, laidBefore, nextFree, reconcile, sortedTiles, type Laid } from './compose';
import { board } from './examples';
import { readRef } from './squares';

const at = (name: string) => readRef(name).square;
const grid = board('H8 MAISON', '8H MES').join('');
const empty = board().join('');
let ids = 0;

/** Laid tiles: `laid('H7 A', 'H8 b')`, lower case for a joker. */
function laid(...tiles: string[]): Laid {
  return new Map(
    tiles.map((text) => {
      const [square = '', as = ''] = text.split(' ');
      return [at(square), { tile: { id: ids++, letter: as === as.toLowerCase() ? '?' : as }, as }] as const;
    }),
  );
}

describe('what is laid', () => {
  it('names the whole word with the letters that were there', () => {
    expect(composed(empty, laid('H8 A', 'H9 S'))).toMatchObject({ kind: 'word', at: 'H8', word: 'AS' });
    expect(composed(empty, laid('H8 A', 'I8 S'))).toMatchObject({ kind: 'word', at: '8H', word: 'AS' });
    expect(composed(grid, laid('H14 S'))).toMatchObject({ at: 'H8', word: 'MAISONS' });
    expect(composed(grid, laid('H6 D', 'H7 e'))).toMatchObject({ at: 'H6', word: 'DeMAISON' });
    expect(composed(grid, laid('J9 O', 'J10 N'))).toMatchObject({ at: 'J8', word: 'SON' });
  });

  it('may be a single tile of two words: the one along the cursor names it, where it is one', () => {
    const cross = board('H8 MA', 'J8 AS').join('');
    expect(composed(cross, laid('I8 A'))).toMatchObject({ at: '8H', word: 'MAA' });
    expect(composed(grid, laid('I9 T'))).toMatchObject({ at: 'I8', word: 'ET' });
    expect(composed(grid, laid('I9 T'), true)).toMatchObject({ at: '9H', word: 'AT' });
    expect(composed(grid, laid('K8 T'), false)).toMatchObject({ at: '8H', word: 'MEST' });
  });

  it('is nothing, apart or with a gap', () => {
    expect(composed(grid, laid())).toEqual({ kind: 'nothing' });
    expect(composed(grid, laid('A1 S', 'B2 T'))).toEqual({ kind: 'apart' });
    expect(composed(empty, laid('H8 S', 'H10 T'))).toEqual({ kind: 'gap', square: at('H9') });
    expect(composed(grid, laid('H7 S', 'H15 T'))).toEqual({ kind: 'gap', square: at('H14') });
  });
});

describe('the cursor', () => {
  it('steps over letters and stops at the edge', () => {
    expect(nextFree(grid, laid(), at('H8'), false)).toBe(at('H14'));
    expect(nextFree(grid, laid('H14 S', 'H15 T'), at('H8'), false)).toBeNull();
  });

  it('goes back to the nearest tile of its own', () => {
    const own = laid('H7 D', 'H14 S');
    expect(laidBefore(grid, own, at('H15'), false)).toBe(at('H14'));
    expect(laidBefore(grid, own, at('H14'), false)).toBe(at('H7'));
    expect(laidBefore(grid, own, at('H7'), false)).toBeNull();
    expect(laidBefore(grid, laid('H5 D'), at('H7'), false)).toBeNull();
  });
});

describe('the rack', () => {
  const tile = (id: number, letter: string) => ({ id, letter });
  const known = [tile(1, 'S'), tile(2, 'E'), tile(3, 'A'), tile(4, 'E')];

  it('keeps the order of its owner and takes new tiles at the end', () => {
    expect(reconcile(known, new Set(), 'AEES', () => 9)).toEqual(known);
    expect(reconcile(known, new Set(), '?AS', () => 9)).toEqual([known[0], known[2], tile(9, '?')]);
  });

  it('misses first what lay on the board', () => {
    expect(reconcile(known, new Set([known[1]!]), 'AES', () => 9)).toEqual([known[0], known[2], known[3]]);
  });

  it('gives tiles back sorted, jokers first', () => {
    expect(sortedTiles(['T', '?', 'A', 'E'])).toBe('?AET');
  });
});
