import { expect, it } from 'vitest';
import { ALPHABET, countOf, valueOf } from './letters';
import { along, CENTRE, premiumOf, readRef, refOf, SIZE, squareName } from './squares';

const squares = Array.from({ length: SIZE * SIZE }, (_, square) => square);
const at = (name: string) => readRef(name).square;

it('has the premiums of the official board, alike from all four sides', () => {
  const many = (premium: string) => squares.filter((square) => premiumOf(square) === premium).length;
  expect(['MT', 'MD', 'LT', 'LD'].map(many)).toEqual([8, 17, 12, 24]);
  expect(['A1', 'B2', 'B6', 'D1', 'H8', 'O15'].map((name) => premiumOf(at(name)))).toEqual([
    'MT',
    'MD',
    'LT',
    'LD',
    'MD',
    'MT',
  ]);
  for (const square of squares) {
    const row = Math.floor(square / SIZE);
    const col = square % SIZE;
    expect(premiumOf(col * SIZE + row)).toBe(premiumOf(square));
    expect(premiumOf(SIZE * SIZE - 1 - square)).toBe(premiumOf(square));
  }
});

it('names a square by its row, and a play by its direction too', () => {
  expect(squareName(CENTRE)).toBe('H8');
  expect([refOf(CENTRE, false), refOf(CENTRE, true)]).toEqual(['H8', '8H']);
  for (const square of squares)
    for (const down of [false, true]) expect(readRef(refOf(square, down))).toEqual({ square, down });
});

it('ends at the edges', () => {
  expect(along(at('H15'), false, 1)).toBeNull();
  expect(along(at('O8'), true, 1)).toBeNull();
  expect(along(at('A1'), true, -1)).toBeNull();
  expect(along(at('H14'), false, 1)).toBe(at('H15'));
});

it('knows the 102 French tiles', () => {
  expect([...ALPHABET, '?'].reduce((sum, letter) => sum + countOf(letter), 0)).toBe(102);
  expect(ALPHABET.reduce((sum, letter) => sum + countOf(letter) * valueOf(letter), 0)).toBe(197);
  expect(['E', 'e', '?', 'Q', 'K'].map(valueOf)).toEqual([1, 0, 0, 8, 10]);
});
