// What an action card is aimed at, in words.
import { placeWords } from './grids';
import { t } from './words';

export interface Target {
  /** The seat that plays the card. */
  seat: number;
  /** The target; null: no other seat. */
  target: number | null;
  /** A place of one's own. */
  cell?: number | null;
  cells?: readonly number[] | null;
  /** A place of the other's. */
  target_cell?: number | null;
  column?: number | null;
}

export type NameOf = (seat: number) => string;

/** « votre carte colonne 2, rangée 1 contre la carte colonne 4, rangée 3 chez Paul »; empty if nothing is aimed at. */
export function targetWords(
  { seat, target, cell, cells, target_cell, column }: Target,
  viewer: number | null,
  nameOf: NameOf,
): string {
  const whose = (owner: number) => (owner === viewer ? 'you' : 'other');
  const card = (owner: number, at: number) =>
    t(`aim.cell.${whose(owner)}`, { place: placeWords(at), name: nameOf(owner) });
  const owner = target ?? seat;
  if (cells?.length === 2)
    return t(`aim.cells.${whose(seat)}`, { one: placeWords(cells[0]!), other: placeWords(cells[1]!) });
  if (known(cell) && known(target_cell))
    return t('aim.swap', { one: card(seat, cell), other: card(owner, target_cell) });
  if (known(target_cell)) return card(owner, target_cell);
  if (known(cell)) return card(seat, cell);
  if (known(column)) return t(`aim.column.${whose(owner)}`, { column: column + 1, name: nameOf(owner) });
  return target === null ? '' : t(`aim.seat.${whose(target)}`, { name: nameOf(target) });
}

const known = (value: number | null | undefined): value is number => value !== null && value !== undefined;
