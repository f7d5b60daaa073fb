// A grid as it is drawn: twelve places, row by row, and what is known of each.
import { figure } from '../../i18n';
import type { SeatView } from './types.gen';
import { t } from './words';

export const COLUMNS = 4;
export const ROWS = 3;

export interface Cell {
  /** Null: face down, or no card. */
  value: number | null;
  empty: boolean;
  /** The value of a hidden card that only this person has seen. */
  known: number | null;
  /** Somebody has looked at it; that is public. */
  seen: boolean;
}

/** The effects on a column for the rest of the manche. */
export interface Marks {
  curses: number;
  heals: number;
}

export function cellsOf({ cells, peeked }: Pick<SeatView, 'cells' | 'peeked'>): Cell[] {
  return cells.map((cell, at) => {
    const peek = peeked.find((one) => one.cell === at);
    return {
      value: typeof cell === 'number' ? cell : null,
      empty: cell === 'empty',
      known: peek?.card ?? null,
      seen: peek !== undefined,
    };
  });
}

export const marksOf = ({ curses, heals }: Pick<SeatView, 'curses' | 'heals'>): Marks[] =>
  Array.from({ length: COLUMNS }, (_, column) => ({ curses: curses[column] ?? 0, heals: heals[column] ?? 0 }));

/** The places of a column, top first. */
export const columnCells = (column: number) => Array.from({ length: ROWS }, (_, row) => row * COLUMNS + column);

/** « ×2 », « ÷2 », « ×1 » */
export function factorWords({ curses, heals }: Marks): string {
  const power = curses - heals;
  return power < 0 ? `÷${2 ** -power}` : `×${2 ** power}`;
}

/** « colonne 2, rangée 1 » */
export const placeWords = (cell: number) =>
  t('place', { column: (cell % COLUMNS) + 1, row: Math.floor(cell / COLUMNS) + 1 });

/** « colonne 2, rangée 1 : 7, face visible » */
export function cellWords(cell: Cell, at: number, marks?: Marks): string {
  const face = cell.empty
    ? t('cell.empty')
    : cell.value !== null
      ? t('cell.up', { value: figure(cell.value) })
      : cell.known !== null
        ? t('cell.known', { value: figure(cell.known) })
        : t(cell.seen ? 'cell.seen' : 'cell.hidden');
  const factor = marks && (marks.curses || marks.heals) ? `, ${t('cell.factor', { factor: factorWords(marks) })}` : '';
  return t('cell', { place: placeWords(at), face }) + factor;
}
