// What a planned play would make and bring on the board as it is now. The server decides when the turn comes.
import { composed, letterAt, spanOf, type Grid, type Laid } from './compose';
import { valueOf } from './letters';
import { premiumOf, readRef, refOf } from './squares';

const RACK = 7;
const BINGO = 50;

interface Word {
  squares: number[];
  down: boolean;
}

/** The words that laid tiles make, the one they lie in first; none if they do not lie in one line without a gap. */
function words(grid: Grid, laid: Laid, preferDown?: boolean): Word[] {
  const main = composed(grid, laid, preferDown);
  if (main.kind !== 'word') return [];
  const { down } = readRef(main.at);
  const crossing = [...laid.keys()].map((square) => ({ squares: spanOf(grid, laid, square, !down), down: !down }));
  return [{ squares: main.squares, down }, ...crossing].filter(({ squares }) => squares.length > 1);
}

/** The words with their places: a plan stands as long as they stay the same. */
export function wordsMade(grid: Grid, laid: Laid, preferDown?: boolean): string {
  return words(grid, laid, preferDown)
    .map(({ squares, down }) => {
      const letters = squares.map((square) => letterAt(grid, laid, square)).join('');
      return `${refOf(squares[0]!, down)} ${letters}`;
    })
    .join(', ');
}

/** The score by letters and premiums; whether the words exist is not known. */
export function provisionalScore(grid: Grid, laid: Laid, preferDown?: boolean): number {
  const scores = words(grid, laid, preferDown).map(({ squares }) => {
    let [sum, times] = [0, 1];
    for (const square of squares) {
      const premium = laid.has(square) ? premiumOf(square) : null;
      const by = premium?.endsWith('T') ? 3 : premium ? 2 : 1;
      sum += valueOf(letterAt(grid, laid, square)!) * (premium?.startsWith('L') ? by : 1);
      if (premium?.startsWith('M')) times *= by;
    }
    return sum * times;
  });
  return scores.reduce((all, one) => all + one, laid.size === RACK ? BINGO : 0);
}
