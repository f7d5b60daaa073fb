import { beforeEach, expect, it } from 'vitest';
import { Composition } from './composition.svelte';
import { board } from './examples';
import { readRef, squareName } from './squares';

const at = (name: string) => readRef(name).square;
const grid = board('H8 MAISON').join('');
let own: Composition;

beforeEach(() => {
  own = new Composition();
  own.meet(grid, '?AEPSTT');
});

const laid = () => [...own.laid].map(([square, { as }]) => `${squareName(square)} ${as}`);
const free = () => own.free.map(({ letter }) => letter).join('');
const cursor = (name: string, down = false) => (own.cursor = { square: at(name), down });

it('types from the rack along the cursor, over what stands there', () => {
  cursor('G8', true);
  expect(own.type('E')).toBe('laid');
  expect(squareName(own.cursor!.square)).toBe('H8');
  expect(own.type('T')).toBe('laid');
  expect(laid()).toEqual(['G8 E', 'I8 T']);
  expect(free()).toBe('?APST');
});

it('takes a word with the letters that it finds on the board, or without them', () => {
  for (const word of ['AMES', 'AES']) {
    cursor('G8', true);
    for (const letter of word) own.type(letter);
    expect(laid()).toEqual(['G8 A', 'I8 E', 'J8 S']);
    own.recall();
  }
});

it('points at any square, down the second time, and not at all the third', () => {
  own.point(at('H8'));
  expect(own.cursor).toEqual({ square: at('H8'), down: false });
  own.point(at('H8'));
  expect(own.cursor?.down).toBe(true);
  own.point(at('C3'));
  expect(own.cursor).toEqual({ square: at('C3'), down: true });
  own.point(at('C3'));
  expect(own.cursor).toBeNull();
});

it('is taken up again where it was left, if the rack is the same', () => {
  own.shuffle(() => 0);
  cursor('G8', true);
  own.type('E');
  own.type('Z');
  const draft = JSON.parse(JSON.stringify(own.draft));
  const again = new Composition();
  again.resume(draft, '?AEPSTT');
  again.meet(grid, '?AEPSTT');
  expect([again.order, again.laid].map((part) => [...part.values()].length)).toEqual([7, 2]);
  expect(again.draft).toEqual(draft);
  const other = new Composition();
  other.resume(draft, 'AEPSTTU');
  expect(other.order).toEqual([]);
});

it('passes over a letter that is typed where it stands', () => {
  cursor('H8');
  expect(own.type('M')).toBe('passed');
  expect(squareName(own.cursor!.square)).toBe('H9');
  expect(laid()).toEqual([]);
});

it('uses a joker for a letter that is missing, or when asked to', () => {
  cursor('A1');
  expect(own.type('Z')).toBe('joker');
  expect(laid()).toEqual(['A1 z']);
  expect(own.type('K')).toBe('missing');
  own.recall();
  cursor('A1');
  expect(own.type('E', true)).toBe('joker');
  expect(own.type('E', true)).toBe('laid');
  expect(laid()).toEqual(['A1 e', 'A2 E']);
});

it('says when the line is full', () => {
  cursor('A15');
  expect(own.type('E')).toBe('laid');
  expect(own.type('S')).toBe('full');
});

it('takes back in the order of the line', () => {
  cursor('G8', true);
  own.type('E');
  own.type('T');
  expect(own.back()?.as).toBe('T');
  expect(own.back()?.as).toBe('E');
  expect(squareName(own.cursor!.square)).toBe('G8');
  expect(own.back()).toBeNull();
  own.lay(own.order[0]!, at('A1'), 'z');
  own.lay(own.order[1]!, at('A2'), 'A');
  own.cursor = null;
  expect(own.back()?.as).toBe('A');
});

it('moves a tile that lies on the board, and never onto another', () => {
  const [, first, second] = own.order;
  own.lay(first!, at('A1'), 'A');
  own.lay(first!, at('A2'), 'A');
  own.lay(second!, at('A2'), 'E');
  own.lay(second!, at('H8'), 'E');
  expect(laid()).toEqual(['A2 A']);
});

it('keeps the order of the rack while tiles come and go', () => {
  const tile = own.order.at(-1)!;
  own.reorder(tile.id, 0);
  expect(free()).toBe('T?AEPST');
  own.lay(own.order[2]!, at('A1'), 'A');
  own.recall();
  expect(free()).toBe('T?AEPST');
  own.shuffle(() => 0);
  expect(free()).toBe('?AEPSTT');
});

it('takes tiles off squares that others have covered, and keeps the rest', () => {
  cursor('G8', true);
  own.type('E');
  own.lay(
    own.free.find(({ letter }) => letter === 'S')!,
    at('A1'),
    'S',
  );
  own.meet(board('H8 MAISON', '8G ME').join(''), '?AEPSTT');
  expect(laid()).toEqual(['A1 S']);
  own.meet(grid, 'AE');
  expect(laid()).toEqual([]);
});
