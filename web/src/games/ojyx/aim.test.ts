import { describe, expect, it } from 'vitest';
import { aim, back, choose, whole, type Aimed } from './aim';

const swaps: Aimed[] = [0, 1].flatMap((cell) =>
  [1, 2].flatMap((seat) => [4, 5].map((target_cell) => ({ cell, seat, target_cell }))),
);

describe('a swap', () => {
  it('asks for one’s own card, then a player, then their card', () => {
    const start = aim(swaps);
    expect([start.next, start.eligible]).toEqual(['cell', [0, 1]]);
    const mine = choose(swaps, start, 1);
    expect([mine.next, mine.eligible]).toEqual(['seat', [1, 2]]);
    const theirs = choose(swaps, mine, 2);
    expect([theirs.next, theirs.eligible]).toEqual(['target_cell', [4, 5]]);
    expect(whole(theirs)).toBeNull();
    expect(whole(choose(swaps, theirs, 5))).toEqual({ cell: 1, seat: 2, target_cell: 5 });
  });

  it('goes back one choice at a time, and then to nothing', () => {
    const chosen = choose(swaps, choose(swaps, aim(swaps), 1), 2);
    const before = back(swaps, chosen)!;
    expect(before.next).toBe('seat');
    expect(back(swaps, before)!.next).toBe('cell');
    expect(back(swaps, aim(swaps))).toBeNull();
  });

  it('does not ask for the only opponent, and goes back past them', () => {
    const duel = swaps.filter((action) => action.seat === 1);
    const mine = choose(duel, aim(duel), 0);
    expect(mine.next).toBe('target_cell');
    expect(back(duel, mine)!.next).toBe('cell');
  });
});

it('a teleportation asks for two cards, and never for the same one twice', () => {
  const teleports: Aimed[] = [{ cells: [0, 1] }, { cells: [0, 2] }, { cells: [1, 2] }];
  const first = choose(teleports, aim(teleports), 2);
  expect([first.next, first.eligible]).toEqual(['cells', [0, 1]]);
  expect(whole(choose(teleports, first, 0))).toEqual({ cells: [0, 2] });
});

it('a card without a target is whole at once', () => {
  expect(whole(aim([{}]))).toEqual({});
});

it('what is not eligible changes nothing', () => {
  const start = aim(swaps);
  expect(choose(swaps, start, 11)).toBe(start);
});
