// What a view says without saying it: tiles by their squares, scores as sums, how a contest ended.
import type { Told } from '../../core/game';
import type { Grid } from './compose';
import { along, readRef, squaresOf, type Line } from './squares';
import type { Formed, LastPlay, Move, Play, View } from './types.gen';

export const gridOf = (view: View): Grid => view.board.join('');

/** The new tiles of a play, by square. */
export function newTiles(play: Pick<Play, 'at' | 'tiles'>): Map<number, string> {
  const squares = squaresOf(readRef(play.at), play.tiles.length);
  return new Map(squares.flatMap((square, at) => (play.tiles[at] === '.' ? [] : [[square, play.tiles[at]!] as const])));
}

/** The tiles that the last settled play left on the board. */
export function lastTiles(view: View): Set<number> {
  return new Set(view.last && !view.last.withdrawn ? newTiles(view.last.play).keys() : []);
}

/** The square of a play's last letter, and its direction. */
export function endOf(play: Pick<Play, 'at' | 'word'>): Line {
  const { square, down } = readRef(play.at);
  return { square: along(square, down, play.word.length - 1) ?? square, down };
}

/** « (2 ×3 + 1 + 1) ×2 »: how the score of a word came about. */
export function formula({ points, letter_bonus, word_bonus }: Formed): string {
  const letters = points.map((worth, at) => (letter_bonus[at]! > 1 ? `${worth}\u00a0×${letter_bonus[at]}` : `${worth}`));
  const times = word_bonus.filter((bonus) => bonus > 1).map((bonus) => ` ×${bonus}`).join('');
  const sum = letters.join(' + ');
  return times && points.length > 1 ? `(${sum})${times}` : `${sum}${times}`;
}

/** The play that a step settled: it left its window, or there was none to leave. */
export function settled(previous: View | null, view: View): LastPlay | null {
  return previous && view.last && view.log.length > previous.log.length && playedLast(view) ? view.last : null;
}

const playedLast = (view: View) => view.log.at(-1)?.kind === 'place' || view.log.at(-1)?.kind === 'withdrawn';

export const PENALTY = 10;

/** A turn of the log, with what everyone had after it. */
export interface Turn {
  number: number;
  move: Move;
  total: number;
  /** With its words, where this page saw it happen. */
  play: Play | null;
}

export function turnsOf(view: View, told: readonly Told[] = []): Turn[] {
  const plays = new Map<number, Play>();
  for (const { view: seen } of [...(told as Told<View>[]), { view }]) {
    if (seen.last && playedLast(seen)) plays.set(seen.log.length, seen.last.play);
  }
  const totals = view.scores.map(() => 0);
  return view.log.map((move, at) => {
    totals[move.seat]! += move.score;
    if (move.kind === 'place') for (const seat of move.contesters) totals[seat]! -= PENALTY;
    return { number: at + 1, move, total: totals[move.seat]!, play: plays.get(at + 1) ?? null };
  });
}

/** How many of each letter nobody has seen, in the order of the alphabet, jokers last. */
export function unseenOf(view: View): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of view.unseen) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}
