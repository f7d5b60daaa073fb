// What happened between two views, and nothing about what may happen next.
import type { Step } from '../../core/types.gen';
import type { Action, FinishedTrick, Gift, Laid, MancheResult, SeatView, View } from './types.gen';

export type Title = NonNullable<SeatView['title']>;

export const actionOf = (step: Step) => step.action as Action | null;

/** The title of a place, from 1. */
export function titleOf(place: number, seats: number): Title {
  if (place === 1) return 'president';
  if (place === 2) return 'vice_president';
  if (place === seats) return 'trouduc';
  return place === seats - 1 ? 'avant_dernier' : 'neutre';
}

/** The title of a seat: the one won in this manche, else that of the manche before. */
export function titleNow(view: View, seat: number): Title | null {
  const { place, title } = view.seats[seat]!;
  return place && view.stage !== 'over' ? titleOf(place, view.seats.length) : title;
}

/** The seat whose turn it is; null if several choose at once. */
export const activeSeat = ({ waiting }: View) => (waiting.length === 1 ? waiting[0]! : null);

/** The titles of a finished manche, by seat. */
export const titlesOf = ({ ranking }: MancheResult) =>
  ranking.map((_, seat) => titleOf(ranking.indexOf(seat) + 1, ranking.length));

/** What lies on the cloth: the trick under way, or the one that ended until somebody leads or a new manche begins. */
export interface OnCloth {
  plays: Laid[];
  /** Set on a trick that is over. */
  ending: FinishedTrick['ending'] | null;
}

export function onCloth(view: View): OnCloth {
  if (view.trick.length) return { plays: view.trick, ending: null };
  const last = view.last_trick;
  return last?.manche === view.manche ? { plays: last.plays, ending: last.ending } : { plays: [], ending: null };
}

/** The exchange lies on the cloth until the first lead. */
export const exchangeShown = (view: View): Gift[] =>
  view.stage !== 'exchange' && !view.played.length ? view.gifts : [];

/** The trick that ended with this view. */
export function endedTrick(previous: View | null, view: View): FinishedTrick | null {
  return previous && signature(previous.last_trick) !== signature(view.last_trick) ? view.last_trick : null;
}

const signature = (trick: FinishedTrick | null) =>
  trick && [trick.manche, ...trick.plays.flatMap((one) => one.cards)].join();

/** The manche that ended with this view. */
export function endedManche(previous: View | null, view: View): MancheResult | null {
  return previous && view.results.length > previous.results.length ? view.results.at(-1)! : null;
}

/** The seats that went out with this view, sunk ones included. */
export function wentOut(previous: View | null, view: View): number[] {
  if (!previous || endedManche(previous, view)) return [];
  return view.seats.flatMap((now, seat) => (now.cards === 0 && previous.seats[seat]!.cards > 0 ? [seat] : []));
}

/** The exchange that was made with this view. */
export function madeExchange(previous: View | null, view: View): Gift[] {
  const before = previous && previous.manche === view.manche && previous.stage !== 'exchange';
  return previous && !before ? exchangeShown(view) : [];
}

const PARTNERS: Partial<Record<Title, Title>> = { president: 'trouduc', vice_president: 'avant_dernier' };

/** The seat that a seat gives to, by the titles of the manche before. */
export function partnerOf(view: View, seat: number): number {
  const title = view.seats[seat]?.title;
  return view.seats.findIndex((other) => title && other.title === PARTNERS[title]);
}

/** The seats by their points, and among equals by the last manche. */
export function standings(view: View): number[] {
  const last = view.results.at(-1)?.ranking ?? [];
  return view.seats
    .map((_, seat) => seat)
    .sort((a, b) => view.seats[b]!.score - view.seats[a]!.score || last.indexOf(a) - last.indexOf(b));
}
