// Views for the tests, as the server would send them.
import type { Step } from '../../core/types.gen';
import { EMPTY } from './compose';
import { valueOf } from './letters';
import { premiumOf, readRef, SIZE, squaresOf } from './squares';
import type { Action, Formed, LastPlay, Move, Play, View } from './types.gen';

/** A board with some plays on it: `board('H8 MAISON', '8H MES')`. */
export function board(...plays: string[]): string[] {
  const squares = Array.from({ length: SIZE * SIZE }, () => EMPTY);
  for (const text of plays) {
    const [at = '', word = ''] = text.split(' ');
    squaresOf(readRef(at), word.length).forEach((square, index) => (squares[square] = word[index]!));
  }
  return Array.from({ length: SIZE }, (_, row) => squares.slice(row * SIZE, (row + 1) * SIZE).join(''));
}

/** Two people, Anne to move, an empty board. */
export const view = (change: Partial<View> = {}): View => ({
  seat: 0,
  options: { validation: 'auto', challenge_time: 30, lexicon: 'dicollecte:0123' },
  stage: 'play',
  starter: 0,
  to_act: 0,
  waiting: [0],
  board: board(),
  rack: 'AEINORS',
  rack_sizes: [7, 7],
  scores: [0, 0],
  bag: 88,
  unseen: 'E'.repeat(95),
  passes: 0,
  idle: 0,
  most_passes: 6,
  most_idle: 12,
  log: [],
  last: null,
  pending: null,
  left: [],
  final: null,
  ...change,
});

/** A word of which every letter is new. */
export function formed(at: string, word: string): Formed {
  const squares = squaresOf(readRef(at), word.length);
  const bonus = (kind: 'L' | 'M') =>
    squares.map((square) => {
      const premium = premiumOf(square);
      return premium?.startsWith(kind) ? (premium.endsWith('T') ? 3 : 2) : 1;
    });
  const points = [...word].map(valueOf);
  const letter_bonus = bonus('L');
  const word_bonus = bonus('M');
  const sum = points.reduce((total, worth, index) => total + worth * letter_bonus[index]!, 0);
  return { word, at, points, letter_bonus, word_bonus, score: word_bonus.reduce((total, times) => total * times, sum) };
}

export function played(at: string, word: string, change: Partial<Play> = {}): Play {
  const main = formed(at, word);
  const bingo = word.length === 7 ? 50 : 0;
  return { at, word, tiles: word, words: [main], bingo, score: main.score + bingo, ...change };
}

export const last = (seat: number, play: Play, change: Partial<LastPlay> = {}): LastPlay => ({
  seat,
  play,
  withdrawn: false,
  contesters: [],
  invalid: [],
  ...change,
});

export const move = (seat: number, change: Partial<Move> = {}): Move => ({
  seat,
  kind: 'pass',
  at: '',
  word: '',
  tiles: '',
  score: 0,
  count: 0,
  contesters: [],
  invalid: [],
  ...change,
});

export const moveOf = (seat: number, play: Play, change: Partial<Move> = {}): Move =>
  move(seat, {
    kind: 'place',
    at: play.at,
    word: play.word,
    tiles: play.tiles,
    score: play.score,
    count: play.tiles.length,
    ...change,
  });

export const step = (seat: number, action: Action | null, cause: string | null = null): Step => ({
  ply: 1,
  seat,
  action,
  cause,
});
