import { describe, expect, it } from 'vitest';
import { finished, laid, seatView, view } from './examples';
import {
  endedManche,
  endedTrick,
  exchangeShown,
  madeExchange,
  onCloth,
  partnerOf,
  standings,
  titleOf,
  wentOut,
} from './story';

const GIFTS = [{ giver: 1, receiver: 0, count: 2, cards: ['3S', '4S'] }];
const RESULT = { ranking: [1, 2, 3, 4, 0], sunk: [], points: [-2, 2, 1, 0, -1] };

it('titles go by the place', () => {
  expect([1, 2, 3, 4].map((place) => titleOf(place, 4))).toEqual([
    'president',
    'vice_president',
    'avant_dernier',
    'trouduc',
  ]);
  expect([3, 6, 7, 8].map((place) => titleOf(place, 8))).toEqual(['neutre', 'neutre', 'avant_dernier', 'trouduc']);
});

describe('the cloth', () => {
  const ended = finished('closing_rank', laid(1, '9S'), laid(2, '2S'));

  it('bears the trick under way', () => {
    expect(onCloth(view({ trick: [laid(0, '7S')], last_trick: ended }))).toEqual({
      plays: [laid(0, '7S')],
      ending: null,
    });
  });

  it('keeps the trick that ended until somebody leads', () => {
    expect(onCloth(view({ last_trick: ended }))).toEqual({ plays: ended.plays, ending: 'closing_rank' });
  });

  it('is clear in a new manche', () => {
    expect(onCloth(view({ manche: 2, last_trick: ended })).plays).toEqual([]);
  });

  it('bears the exchange until the first lead', () => {
    expect(exchangeShown(view({ manche: 2, gifts: GIFTS }))).toEqual(GIFTS);
    expect(exchangeShown(view({ manche: 2, gifts: GIFTS, played: ['3S'] }))).toEqual([]);
    expect(exchangeShown(view({ manche: 2, gifts: GIFTS, stage: 'exchange' }))).toEqual([]);
  });
});

describe('between two views', () => {
  it('a trick ends once', () => {
    const last = finished('passes', laid(0, '7S'));
    expect(endedTrick(view({ trick: [laid(0, '7S')] }), view({ last_trick: last }))).toEqual(last);
    expect(endedTrick(view({ last_trick: last }), view({ last_trick: { ...last } }))).toBeNull();
    expect(endedTrick(null, view({ last_trick: last }))).toBeNull();
  });

  it('a manche ends, and its last player does not count as going out', () => {
    const after = view({ manche: 2, results: [RESULT] });
    expect(endedManche(view(), after)).toEqual(RESULT);
    expect(wentOut(view(), after)).toEqual([]);
  });

  it('somebody lays the last card', () => {
    const seats = view().seats.with(2, seatView({ cards: 0, place: 1 }));
    expect(wentOut(view(), view({ seats }))).toEqual([2]);
    expect(wentOut(view({ seats }), view({ seats }))).toEqual([]);
  });

  it('an exchange is made with the deal, or with the last choice', () => {
    const dealt = view({ manche: 2, gifts: GIFTS });
    expect(madeExchange(view(), dealt)).toEqual(GIFTS);
    expect(madeExchange(view({ manche: 2, stage: 'exchange' }), dealt)).toEqual(GIFTS);
    expect(madeExchange(dealt, dealt)).toEqual([]);
    expect(madeExchange(null, dealt)).toEqual([]);
  });
});

it('upper ranks give to the lower rank of the same step', () => {
  const titles = ['avant_dernier', 'president', 'neutre', 'trouduc', 'vice_president'] as const;
  const seats = titles.map((title) => seatView({ title }));
  expect(partnerOf(view({ seats }), 1)).toBe(3);
  expect(partnerOf(view({ seats }), 4)).toBe(0);
});

it('standings go by points, then by the last manche', () => {
  const seats = [-2, 2, 2, 0, -1].map((score) => seatView({ score }));
  expect(standings(view({ seats, results: [{ ...RESULT, ranking: [2, 1, 3, 4, 0] }] }))).toEqual([2, 1, 3, 4, 0]);
});
