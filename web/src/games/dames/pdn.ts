// The game as PDN, the text that draughts players exchange. Red is White there.
import { rounds, type History, type Line } from './history';
import { written } from './notation';
import type { Result } from './types.gen';

export interface Heading {
  white: string;
  black: string;
  date: Date;
  /** Squares on a side of the board. */
  size: number;
  result: Result | null;
}

const WIDTH = 79;
/** A turn lost to the clock: PDN itself has no word for it. */
const LOST = '--';

/** The game from its beginning until now; null if the beginning is not known. */
export function pdn(history: History, heading: Heading): string | null {
  if (history.from !== 0 || history.lines.length === 0) return null;
  const score = scoreOf(heading.result);
  const tags = {
    Event: 'Tablée',
    Date: dateOf(heading.date),
    White: heading.white,
    Black: heading.black,
    Result: score,
    // 20 is international draughts; 26, the same rules on 64 squares.
    GameType: heading.size === 10 ? '20' : '26',
  };
  const head = Object.entries(tags).map(([tag, value]) => `[${tag} "${value.replace(/["\\]/g, '\\$&')}"]`);
  const words = rounds(history.lines).flatMap(({ number, moves }) => [
    `${number}.`,
    ...moves.map((at, side) => (at === null ? (side === 0 ? '...' : '') : moveOf(history.lines[at]!))),
  ]);
  return `${head.join('\n')}\n\n${wrapped([...words.filter(Boolean), score])}\n`;
}

/** A capture of several pieces is written with every landing, so that it is never ambiguous. */
function moveOf({ path, captured }: Line): string {
  if (!path) return LOST;
  return captured.length > 1 ? path.join('x') : written(path, captured.length > 0, String);
}

function scoreOf(result: Result | null): string {
  if (!result) return '*';
  return result.winner === null ? '1-1' : result.winner === 0 ? '2-0' : '0-2';
}

const dateOf = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('.');

function wrapped(words: string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    if (line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}
