// Views of a manche, as the server would send them to the first of some players.
import type { Offer, Step } from '../../core/types.gen';
import type { Action, Event, SeatView, View } from './types.gen';

export const seatView = (change: Partial<SeatView> = {}): SeatView => ({
  cells: Array.from({ length: 12 }, () => 'hidden' as const),
  peeked: [],
  curses: [0, 0, 0, 0],
  heals: [0, 0, 0, 0],
  points: 0,
  hidden: 12,
  stock: 0,
  frozen: 0,
  shielded: false,
  owed: false,
  turns: 0,
  gone: false,
  absent: false,
  ready: false,
  scores: [],
  total: 0,
  ...change,
});

/** A grid from its numbers; `?` is hidden, `.` empty. */
export const cells = (text: string): SeatView['cells'] =>
  text.split(/\s+/).map((one) => (one === '?' ? 'hidden' : one === '.' ? 'empty' : Number(one)));

export const view = (change: Partial<View> = {}): View => ({
  seat: 0,
  options: { deck: 'standard', reveal_after_discard: true, rounds: 'vote' },
  stage: 'draw',
  manche: 1,
  to_act: 0,
  waiting: [0],
  seats: Array.from({ length: 3 }, () => seatView()),
  stock: [],
  held: null,
  attack: null,
  plays: 0,
  last_card: null,
  direction: 1,
  skips: 0,
  starter: null,
  initiator: null,
  ending: false,
  deck: 100,
  discard: 5,
  discard_size: 1,
  discards: [],
  unseen: [],
  refilled: [],
  scout: null,
  scouted: 0,
  top: [],
  action_deck: 34,
  action_discard: null,
  action_discards: {},
  unseen_actions: {},
  lost: [],
  known_stored: [],
  chosen: [],
  vote: null,
  results: [],
  tables: [],
  events: [],
  ...change,
});

export const event = (kind: Event['kind'], change: Partial<Event> = {}): Event => ({
  kind,
  seat: null,
  card: null,
  old: null,
  action: null,
  repeats: null,
  source: null,
  answer: null,
  target: null,
  cell: null,
  cells: null,
  target_cell: null,
  column: null,
  count: null,
  direction: null,
  go_on: null,
  ...change,
});

export const step = (seat: number, action: Action | null): Step => ({ ply: 1, seat, action, cause: null });

export const offer = (...legal: Action[]): Offer => ({ number: 1, must: true, legal, ranges: [] });
