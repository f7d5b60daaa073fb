// What follows from a view: tiles by their squares, scores as sums, how a contest ended.
import { EMPTY, put, spanOf, type Grid } from './compose';
import { valueOf } from './letters';
import { along, premiumOf, readRef, refOf, SIZE, squaresOf, type Line } from './squares';
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
  const letters = points.map((worth, at) =>
    letter_bonus[at]! > 1 ? `${worth}\u00a0×${letter_bonus[at]}` : `${worth}`,
  );
  const times = word_bonus
    .filter((bonus) => bonus > 1)
    .map((bonus) => ` ×${bonus}`)
    .join('');
  const sum = letters.join(' + ');
  return times && points.length > 1 ? `(${sum})${times}` : `${sum}${times}`;
}

/** The play that a step settled: its window closed, or it had none. */
export function settled(previous: View | null, view: View): LastPlay | null {
  return previous && view.last && view.log.length > previous.log.length && playedLast(view) ? view.last : null;
}

const playedLast = (view: View) => view.log.at(-1)?.kind === 'place' || view.log.at(-1)?.kind === 'withdrawn';

export const PENALTY = 10;
const ALL_SEVEN = 7;
const BINGO = 50;

/** What one of the words of a play brings: premiums count under its new tiles. */
function formedBy(grid: Grid, fresh: ReadonlyMap<number, string>, squares: number[], down: boolean): Formed {
  const bonus = (kind: 'L' | 'M') =>
    squares.map((square) => {
      const premium = fresh.has(square) ? premiumOf(square) : null;
      return premium?.startsWith(kind) ? (premium.endsWith('T') ? 3 : 2) : 1;
    });
  const points = squares.map((square) => valueOf(grid[square]!));
  const [letter_bonus, word_bonus] = [bonus('L'), bonus('M')];
  const sum = points.reduce((total, worth, at) => total + worth * letter_bonus[at]!, 0);
  return {
    word: squares.map((square) => grid[square]).join(''),
    at: refOf(squares[0]!, down),
    points,
    letter_bonus,
    word_bonus,
    score: word_bonus.reduce((total, times) => total * times, sum),
  };
}

/** A play of the log with all its words, the main one first: the log names only that one. */
export function playOf(before: Grid, { at, word, tiles }: Pick<Move, 'at' | 'word' | 'tiles'>): Play {
  const { square, down } = readRef(at);
  const fresh = newTiles({ at, tiles });
  const grid = put(before, fresh);
  const across = [...fresh.keys()].map((one) => spanOf(grid, new Map(), one, !down)).filter(({ length }) => length > 1);
  const words = [
    formedBy(grid, fresh, squaresOf({ square, down }, word.length), down),
    ...across.map((squares) => formedBy(grid, fresh, squares, !down)),
  ];
  const bingo = fresh.size === ALL_SEVEN ? BINGO : 0;
  return { at, word, tiles, words, bingo, score: words.reduce((total, { score }) => total + score, bingo) };
}

/** A turn of the log, with what everyone had after it. */
export interface Turn {
  number: number;
  move: Move;
  total: number;
  play: Play | null;
}

export function turnsOf(view: View): Turn[] {
  const totals = view.scores.map(() => 0);
  let grid = EMPTY.repeat(SIZE * SIZE);
  return view.log.map((move, at) => {
    totals[move.seat]! += move.score;
    if (move.kind === 'place') for (const seat of move.contesters) totals[seat]! -= PENALTY;
    const play = move.word ? playOf(grid, move) : null;
    if (move.kind === 'place') grid = put(grid, newTiles(move));
    return { number: at + 1, move, total: totals[move.seat]!, play };
  });
}

/** How many of each letter nobody has seen, in the order of the alphabet, jokers last. */
export function unseenOf(view: View): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of view.unseen) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

/**
 * The list that may explain the words of a play, or nothing: where words can be contested, only a contest or the end of
 * the match shows whether they are valid.
 */
export function explainedBy(view: View, play: { contesters: readonly number[] } | null): string {
  const isKnown =
    view.options.validation !== 'challenge' || view.stage === 'over' || (play?.contesters.length ?? 0) > 0;
  return isKnown ? (view.options.lexicon ?? '') : '';
}
