import { describe, expect, it } from 'vitest';
import { cardName, indexOf, sortHand, theCard } from './card';
import { pips } from './shapes';

describe('names', () => {
  it.each([
    ['7H', 'sept de cœur', 'le sept de cœur', 'seven of hearts'],
    ['AS', 'as de pique', 'l’as de pique', 'ace of spades'],
    ['QC', 'dame de trèfle', 'la dame de trèfle', 'queen of clubs'],
    ['TD', 'dix de carreau', 'le dix de carreau', 'ten of diamonds'],
  ])('%s is said as players say it', (card, name, withArticle, english) => {
    expect(cardName(card, 'fr')).toBe(name);
    expect(theCard(card, 'fr')).toBe(withArticle);
    expect(cardName(card, 'en')).toBe(english);
    expect(theCard(card, 'en')).toBe(`the ${english}`);
  });

  it('prints the index of the reader’s language', () => {
    expect(['AS', 'TS', 'JS', 'QS', 'KS'].map((card) => indexOf(card, 'fr'))).toEqual(['A', '10', 'V', 'D', 'R']);
    expect(['AS', 'TS', 'JS', 'QS', 'KS'].map((card) => indexOf(card, 'en'))).toEqual(['A', '10', 'J', 'Q', 'K']);
  });
});

describe('sortHand', () => {
  it('goes by suit, black and red in turn, then from low to high', () => {
    const hand = ['KD', 'TC', '2H', 'AS', '9C', 'KS'];
    expect(sortHand(hand, (card) => card)).toEqual(['AS', 'KS', '2H', '9C', 'TC', 'KD']);
  });
});

describe('pips', () => {
  it('are as many as the card says', () => {
    expect([...'A23456789T'].map((rank) => pips(rank as 'A').length)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect([...'JQK'].map((rank) => pips(rank as 'J').length)).toEqual([0, 0, 0]);
  });
});
