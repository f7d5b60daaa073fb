import { describe, expect, it } from 'vitest';
import { FIFTH, play, result, step, TRICKS, view } from './examples';
import { dealsToTell, finishedDeals, finishedTrick, points, runningBanks, threes } from './story';

describe('finishedTrick', () => {
  it('is nothing while the trick is open', () => {
    expect(finishedTrick(view(), view({ led: '7H' }), play(0, '7H'))).toBeNull();
  });

  it('is the last of the view’s own tricks', () => {
    const before = view({ led: '7H' });
    expect(finishedTrick(before, view({ tricks: TRICKS.slice(0, 1) }), play(1, '5H'))).toEqual(TRICKS[0]);
  });

  it('is found in the finished deal when it was the fifth', () => {
    const before = view({ tricks: TRICKS, leader: 1, led: '2S' });
    const after = view({ deal: 2, won: [20], last_deal: result() });
    expect(finishedTrick(before, after, play(0, '3S'))).toEqual(FIFTH);
  });

  it('is put together from the step when the next deal was won as dealt', () => {
    const before = view({ tricks: TRICKS, leader: 1, led: '2S' });
    const after = view({
      deal: 3,
      won: [20, -10],
      last_deal: result({ deal: 2, winner: 1, reason: 'sevens', tricks: [] }),
    });
    expect(finishedTrick(before, after, play(0, '3S'))).toEqual(FIFTH);
  });

  it('is nothing where there is no view to compare with', () => {
    expect(finishedTrick(null, view({ tricks: TRICKS }), null)).toBeNull();
    expect(finishedTrick(view({ stage: 'answer' }), view(), step(1, { type: 'accept' }))).toBeNull();
  });
});

describe('finishedDeals', () => {
  it('numbers every deal that ended and details the last', () => {
    const after = view({ deal: 4, won: [10, -20, 10], last_deal: result({ deal: 3 }) });
    expect(finishedDeals(1, after)).toEqual([
      { deal: 2, winner: 1, paid: 20, result: null },
      { deal: 3, winner: 0, paid: 10, result: after.last_deal },
    ]);
    expect(finishedDeals(3, after)).toEqual([]);
  });
});

describe('dealsToTell', () => {
  const won = view({ deal: 3, won: [10, -20], last_deal: result({ deal: 2, winner: 1 }) });

  it('tells what ended since the view before', () => {
    expect(dealsToTell(view({ won: [10] }), won, 9).map(({ deal }) => deal)).toEqual([2]);
  });

  it('tells every deal that was won before anyone played', () => {
    expect(dealsToTell(null, won, 0).map(({ deal }) => deal)).toEqual([1, 2]);
  });

  it('tells the last deal on arrival, unless the next one is under way', () => {
    expect(dealsToTell(null, won, 20).map(({ deal }) => deal)).toEqual([2]);
    expect(dealsToTell(null, { ...won, led: '7H' }, 21)).toEqual([]);
    expect(dealsToTell(null, view(), 3)).toEqual([]);
  });
});

it('threes are marked where they win, and linked where the same player goes on', () => {
  const run = [
    { leader: 0, led: '3H', reply: '2H', winner: 0 },
    { leader: 0, led: '3C', reply: 'KS', winner: 0 },
    { leader: 0, led: '4D', reply: '3D', winner: 0 },
  ];
  expect(threes(run)).toEqual([
    { three: true, linked: false },
    { three: true, linked: true },
    { three: false, linked: false },
  ]);
});

it('banks always add up', () => {
  expect(runningBanks(100, [10, -30, 20])).toEqual([
    [110, 90],
    [80, 120],
    [100, 100],
  ]);
});

it('a hand is worth what its cards say', () => {
  expect(points(['AS', '2H', '3D', '4C', '5S'])).toBe(15);
  expect(points(['KS', 'QS', 'JS', 'TS', '9S'])).toBe(55);
});
