// Views for the tests: a deal of five between two plies, as the server would send it.
import type { Step } from '../../core/types.gen';
import type { Action, DealResult, Trick, View } from './types.gen';

export const view = (change: Partial<View> = {}): View => ({
  seat: 0,
  options: { deals: 5, stake: 10, bank: 100, betting: 'fixed' },
  stage: 'play',
  deal: 1,
  banks: [100, 100],
  leader: 0,
  to_act: 0,
  stake: 10,
  table_stake: 10,
  most_stake: 100,
  hand: [],
  cards: [5, 5],
  led: null,
  tricks: [],
  last_deal: null,
  won: [],
  left: null,
  ...change,
});

export const step = (seat: number, action: Action, cause: string | null = null): Step => ({
  ply: 1,
  seat,
  action,
  cause,
});

export const play = (seat: number, card: string) => step(seat, { type: 'play', card });

export const TRICKS: Trick[] = [
  { leader: 0, led: '7H', reply: '5H', winner: 0 },
  { leader: 0, led: 'JC', reply: '8C', winner: 0 },
  { leader: 0, led: '2D', reply: 'QD', winner: 1 },
  { leader: 1, led: '3S', reply: '9D', winner: 1 },
];
export const FIFTH: Trick = { leader: 1, led: '2S', reply: '3S', winner: 0 };

export const result = (change: Partial<DealResult> = {}): DealResult => ({
  deal: 1,
  winner: 0,
  reason: 'kora',
  stake: 10,
  multiplier: 2,
  paid: 20,
  tricks: [...TRICKS.slice(0, 3), { ...TRICKS[3]!, led: '4S' }, FIFTH],
  hands: null,
  ...change,
});
