import { describe, expect, it } from 'vitest';
import { offer, plays } from './examples';
import { exactly, giveOf, kept, lit, movesOf, playOf, touch } from './moves';

const lead = movesOf(offer(...plays('7S', '7H', '7D', '7S 7H', '7S 7D', '7H 7D', '7S 7H 7D', 'KC')));
const pairs = movesOf(offer(...plays('7S 7H', '7S 7D', '7H 7D', 'KC KS')));
const second = movesOf(
  offer(
    { type: 'play', cards: ['8S'], declare: null },
    { type: 'play', cards: ['8S'], declare: 'suite' },
    { type: 'play', cards: ['6H'], declare: 'reverse' },
    { type: 'close', cards: ['7D', '7C'] },
  ),
);
const gifts = movesOf(
  offer(
    { type: 'give', cards: ['3S', '4S'] },
    { type: 'give', cards: ['3S', 'KC'] },
    { type: 'give', cards: ['4S', 'KC'] },
  ),
);

describe('the offer', () => {
  it('lights every card that something may be done with, declared plays and closing included', () => {
    expect([...lit(second)].sort()).toEqual(['6H', '7C', '7D', '8S']);
    expect([...lit(movesOf(offer({ type: 'pass' })))]).toEqual([]);
    expect([...lit(movesOf(null))]).toEqual([]);
  });

  it('has a declaration only if the list has it', () => {
    expect(playOf(second, ['8S'], 'suite')?.declare).toBe('suite');
    expect(playOf(second, ['8S'], 'reverse')).toBeUndefined();
    expect(playOf(second, ['6H'], null)).toBeUndefined();
  });
});

describe('a touch', () => {
  it('takes as many of the rank as can be played, then puts back what is touched', () => {
    const all = touch(lead, [], '7H');
    expect(all).toEqual(['7S', '7H', '7D']);
    const two = touch(lead, all, '7H');
    expect(two).toEqual(['7S', '7D']);
    expect(touch(lead, two, '7H')).toEqual(['7S', '7D', '7H']);
  });

  it('takes the number that the trick asks for, the touched card among them', () => {
    expect(touch(pairs, [], '7D')).toEqual(['7S', '7D']);
    expect(touch(pairs, ['7S', '7H'], '7S')).toEqual([]);
    expect(touch(pairs, ['7S', '7H'], '7D')).toEqual(['7S', '7D']);
  });

  it('of another rank lets the first one go', () => {
    expect(touch(lead, ['7S', '7H'], 'KC')).toEqual(['KC']);
  });

  it('chooses the closing at once if its cards cannot be played, and puts it back', () => {
    const stuck = movesOf(offer({ type: 'close', cards: ['7S', '7D', '7C'] }, { type: 'pass' }));
    expect(touch(stuck, [], '7D')).toEqual(['7S', '7D', '7C']);
    expect(touch(stuck, ['7S', '7D', '7C'], '7S')).toEqual([]);
  });

  it('chooses the closing with a second card if one of them can be played too', () => {
    const closing = movesOf(offer(...plays('7S', '7D', '7C'), { type: 'close', cards: ['7S', '7D', '7C'] }));
    expect(touch(closing, [], '7D')).toEqual(['7D']);
    expect(touch(closing, ['7D'], '7S')).toEqual(['7S', '7D', '7C']);
    expect(touch(closing, ['7S', '7D', '7C'], '7C')).toEqual(['7C']);
    expect(exactly(closing, ['7D'], '7D', 3)).toEqual(['7S', '7D', '7C']);
  });

  it('chooses gifts one by one, the oldest making room', () => {
    const two = touch(gifts, touch(gifts, [], '3S'), 'KC');
    expect(giveOf(gifts, two)?.cards).toEqual(['3S', 'KC']);
    expect(touch(gifts, two, '4S')).toEqual(['KC', '4S']);
    expect(touch(gifts, two, 'KC')).toEqual(['3S']);
  });
});

it('a digit says how many', () => {
  expect(exactly(lead, ['7S', '7H', '7D'], '7S', 1)).toEqual(['7S']);
  expect(exactly(lead, ['7D'], '7D', 2)).toEqual(['7S', '7D']);
  expect(exactly(lead, ['7D'], '7D', 4)).toEqual(['7D']);
});

it('a choice is kept as long as it can be played', () => {
  expect(kept(lead, ['7S', '7H'])).toEqual(['7S', '7H']);
  expect(kept(pairs, ['KC'])).toEqual([]);
  expect(kept(gifts, ['3S'])).toEqual(['3S']);
  expect(kept(gifts, ['9S'])).toEqual([]);
});
