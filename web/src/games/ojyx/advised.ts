// Where an advised action is on the table: a pile, places of a grid, an action card or a button.
import { COLUMNS } from './grids';
import type { ActionName, Source } from './turns';
import type { Action } from './types.gen';

export interface Advised {
  pile: Source | null;
  card: ActionName | null;
  /** The `testid` of a button. */
  button: string | null;
  cellsOf: (seat: number) => ReadonlySet<number>;
}

const ROWS = 3;
const BUTTONS: Partial<Record<Action['type'], string>> = {
  discard: 'discard',
  store: 'store',
  throw: 'throw',
  end_turn: 'end-turn',
};

export function advisedBy(action: Action | null | undefined, own: number | null): Advised {
  const cells = new Map<number, Set<number>>();
  const mark = (seat: number | null | undefined, places: readonly (number | null | undefined)[]) => {
    if (seat == null) return;
    const known = cells.get(seat) ?? new Set();
    for (const place of places) if (place != null) known.add(place);
    cells.set(seat, known);
  };
  const column = (at: number | null | undefined) =>
    at == null ? [] : Array.from({ length: ROWS }, (_, row) => row * COLUMNS + at);
  if (action && 'cells' in action) mark(own, action.cells ?? []);
  if (action && 'cell' in action) mark(own, [action.cell]);
  if (action?.type === 'action') mark(action.seat ?? own, [action.target_cell, ...column(action.column)]);
  return {
    pile: action?.type === 'draw' ? action.source : action?.type === 'discard' ? 'discard' : null,
    card: action?.type === 'action' || action?.type === 'throw' ? action.card : null,
    button: action?.type === 'react' ? `react-${action.answer}` : ((action && BUTTONS[action.type]) ?? null),
    cellsOf: (seat) => cells.get(seat) ?? new Set(),
  };
}
