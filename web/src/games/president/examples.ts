// Views for the tests: five players in a first manche, as the server would send it to the first of them.
import type { Offer, Step } from '../../core/types.gen';
import type { Action, Demand, FinishedTrick, Laid, Play, SeatView, View } from './types.gen';

const ORDER = [...'3456789TJQKA2'];

export const seatView = (change: Partial<SeatView> = {}): SeatView => ({
  cards: 10,
  out: false,
  waived: false,
  place: null,
  sunk: false,
  title: null,
  points: [],
  score: 0,
  most: '4444444444444',
  ...change,
});

export const demand = (change: Partial<Demand> = {}): Demand => ({
  size: 1,
  ranks: ORDER,
  direction: null,
  ou_rien: false,
  suite: null,
  reverse: null,
  ...change,
});

export const view = (change: Partial<View> = {}): View => ({
  seat: 0,
  options: { rounds: 5, exchange: 'automatic' },
  stage: 'play',
  manche: 1,
  dealer: 4,
  opener: 0,
  waiting: [0],
  hand: [],
  seats: Array.from({ length: 5 }, () => seatView()),
  revolution: false,
  closing_rank: '2',
  trick: [],
  demand: demand({ size: null }),
  played: [],
  finished: [],
  sunk: [],
  gifts: [],
  results: [],
  last_trick: null,
  ...change,
});

/** From a rank on, in the normal order. */
export const from = (rank: string) => ORDER.slice(ORDER.indexOf(rank));

export const laid = (seat: number, ...cards: string[]): Laid => ({ seat, cards, declare: null, out_of_turn: false });

export const finished = (ending: FinishedTrick['ending'], ...plays: Laid[]): FinishedTrick => ({
  manche: 1,
  plays,
  ending,
});

export const step = (seat: number, action: Action): Step => ({ ply: 1, seat, action, cause: null });

export const play = (seat: number, cards: string[], declare: Play['declare'] = null) =>
  step(seat, { type: 'play', cards, declare });

export const offer = (...legal: Action[]): Offer => ({ number: 1, must: true, legal, ranges: [] });

/** Plays without a declaration, as the server lists them. */
export const plays = (...cards: string[]): Action[] =>
  cards.map((one) => ({ type: 'play', cards: one.split(' '), declare: null }));
