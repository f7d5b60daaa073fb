// What stands under a name at the table.
import { titleNow } from './story';
import type { View } from './types.gen';
import { t } from './words';

export interface Plate {
  /** This is the reader's own seat, so the name above is « Vous ». */
  own: boolean;
  /** There is room for two things. */
  large: boolean;
  /** In a replay or a pause a turn is not announced. */
  asleep: boolean;
}

/** « joue », « avez passé » under « Vous », « à vous · Trouduc » on a large plate. */
export function plateWords(view: View, seat: number, { own, large, asleep }: Plate): string {
  const { place, sunk } = view.seats[seat]!;
  const now = titleNow(view, seat);
  const title = now ? t(`title.${now}`) : '';
  if (view.stage === 'over' || (place && !sunk)) return title;
  const state = stateWords(view, seat, own, asleep);
  return large && state && title && !sunk ? `${state} · ${title}` : state;
}

function stateWords(view: View, seat: number, own: boolean, asleep: boolean): string {
  const { sunk, out, waived } = view.seats[seat]!;
  const you = own ? '.you' : '';
  if (view.waiting.includes(seat) && !asleep)
    return t(own ? 'state.yours' : view.stage === 'exchange' ? 'state.chooses' : 'state.turn');
  if (sunk) return t(`state.sunk${you}`);
  if (out) return t(`state.passed${you}`);
  return waived ? t(`state.waived${you}`) : '';
}
