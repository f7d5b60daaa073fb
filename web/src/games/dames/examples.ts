// Views for the tests, as the server would send them.
import type { Step } from '../../core/types.gen';
import type { Action, Played, Score, State } from './types.gen';

export const set = (...squares: number[]) => squares.reduce((sum, square) => sum + 2 ** (square - 1), 0);

export const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

export const score = (change: Partial<Score> = {}): Score => ({
  points: 0,
  pieces_captured: 0,
  kings_captured: 0,
  promotions: 0,
  multi_captures: 0,
  ...change,
});

/** The first position, unless it is changed. */
export const view = (change: Partial<State> = {}): State => ({
  options: { variant: 'competitive', move_time: 20, match_time: 300, player_time: 300 },
  red_men: set(...run(31, 50)),
  red_kings: 0,
  black_men: set(...run(1, 20)),
  black_kings: 0,
  to_move: 0,
  must_take: 0,
  scores: [score(), score()],
  last_move: null,
  moves: 0,
  changes: [],
  lost_turns: 0,
  king_moves: 0,
  endgame_moves: 0,
  history: [],
  offered_by: null,
  has_offered: false,
  result: null,
  left: null,
  ...change,
});

export const played = (seat: number, path: number[], change: Partial<Played> = {}): Played => ({
  seat,
  path,
  captured: [],
  promoted: false,
  points: 0,
  ...change,
});

export const step = (seat: number, action: Action, cause: string | null = null): Step => ({
  ply: 1,
  seat,
  action,
  cause,
});

export const move = (seat: number, ...path: number[]) => step(seat, { type: 'move', path });
