import { describe, expect, it } from 'vitest';
import { begin, cut, endOf, grow, inVariation, lineThrough, listed, nodeAt, play, promote, ROOT, tokens } from './tree';

const move = (text: string) => ({ move: text, state: `after ${text}`, comment: '' });

/** `1. 32-28 19-23 (1… 18-23 2. 34-29 (2. 34-30)) 2. 28x19` */
const FILE = [
  { parent: -1, ...move('32-28') },
  { parent: 0, ...move('19-23') },
  { parent: 1, ...move('28x19') },
  { parent: 0, ...move('18-23') },
  { parent: 3, ...move('34-29') },
  { parent: 3, ...move('34-30') },
];
const tree = grow('start', FILE);

const told = (of = tree, first = 0) =>
  tokens(of, first)
    .map((token) => (token.kind === 'move' ? `${token.number}${token.move}` : token.kind === 'open' ? '(' : ')'))
    .join(' ');

describe('a tree of moves', () => {
  it('is told with its variations in brackets, each after the move that it replaces', () => {
    expect(told()).toBe('1.32-28 19-23 ( 1…18-23 2.34-29 ( 2.34-30 ) ) 2.28x19');
    expect(told(tree, 1)).toBe('1…32-28 2.19-23 ( 2.18-23 34-29 ( 2…34-30 ) ) 2…28x19');
  });

  it('keeps a move that is played again as one', () => {
    const [same, id] = play(tree, ROOT, move('32-28'));
    expect([same, id]).toEqual([tree, 1]);
    const [more, other] = play(tree, ROOT, move('33-28'));
    expect(nodeAt(more, ROOT).children).toEqual([1, other]);
    expect(nodeAt(tree, ROOT).children).toEqual([1]);
  });

  it('knows the line through a node', () => {
    expect(lineThrough(tree, 1).map((id) => nodeAt(tree, id).move)).toEqual(['32-28', '19-23', '28x19']);
    expect(lineThrough(tree, 4).map((id) => nodeAt(tree, id).move)).toEqual(['32-28', '18-23', '34-29']);
    expect(endOf(begin('start'), ROOT)).toBe(ROOT);
    expect([1, 2, 3, 4, 5, 6].map((id) => inVariation(tree, id))).toEqual([false, false, false, true, true, true]);
  });

  it('promotes the innermost variation first', () => {
    const once = promote(tree, 6);
    expect(told(once)).toBe('1.32-28 19-23 ( 1…18-23 2.34-30 ( 2.34-29 ) ) 2.28x19');
    expect(told(promote(once, 6))).toBe('1.32-28 18-23 ( 1…19-23 2.28x19 ) 2.34-30 ( 2.34-29 )');
    expect(promote(tree, 3)).toBe(tree);
  });

  it('loses a move with all that follow it', () => {
    const [less, before] = cut(tree, 4);
    expect([told(less), before, less.nodes.size]).toEqual(['1.32-28 19-23 2.28x19', 1, 4]);
    expect(cut(tree, ROOT)).toEqual([tree, ROOT]);
    const [, id] = play(less, before, move('20-25'));
    expect(tree.nodes.has(id)).toBe(false);
  });

  it('is listed with parents before their children, the main line first', () => {
    expect(listed(tree).map((one) => [one.parent, one.move])).toEqual([
      [-1, '32-28'],
      [0, '19-23'],
      [1, '28x19'],
      [0, '18-23'],
      [3, '34-29'],
      [3, '34-30'],
    ]);
    expect(
      told(
        grow(
          'start',
          listed(promote(tree, 6)).map((one) => ({ ...one, state: '' })),
        ),
      ),
    ).toBe(told(promote(tree, 6)));
  });
});
