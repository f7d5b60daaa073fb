// What happened between two views, and the public state of every seat. Nothing here says what may happen next.
import type { Event, MancheResult, Table, View } from './types.gen';

/** What a plate shows of its seat. */
export interface Standing {
  /** The game waits for it. */
  turn: boolean;
  left: boolean;
  initiator: boolean;
  shielded: boolean;
  frozen: boolean;
  /** It has just lost a turn. */
  skipped: boolean;
  stock: number;
  /** What lies face up now. */
  points: number;
  total: number;
}

export function standingOf(view: View, seat: number): Standing {
  const { gone, shielded, frozen, stock, points, total } = view.seats[seat]!;
  return {
    turn: view.waiting.includes(seat),
    left: gone,
    initiator: view.initiator === seat && view.stage !== 'over',
    shielded,
    frozen: frozen > 0,
    skipped: view.events.some((event) => event.kind === 'skipped' && event.seat === seat),
    stock,
    points,
    total,
  };
}

/** The events of one action; empty if the previous view is not known. */
export const eventsOf = (previous: View | null, view: View): Event[] => (previous ? view.events : []);

/** What the last action changed in a seat's grid. */
export interface Changes {
  /** The places that were turned or filled. */
  turned: ReadonlySet<number>;
  /** The columns that were discarded, and what they were made of. */
  gone: ReadonlyMap<number, number>;
}

export function changesOf(events: readonly Event[], seat: number): Changes {
  const own = events.filter((event) => event.seat === seat);
  const turned = own.filter((event) => event.kind === 'turned' || event.kind === 'placed');
  const cleared = own.filter((event) => event.kind === 'cleared');
  return {
    turned: new Set(turned.flatMap((event) => event.cell ?? [])),
    gone: new Map(cleared.map((event) => [event.column!, event.card!])),
  };
}

export interface EndedManche {
  manche: number;
  result: MancheResult;
  tables: Table[];
}

/** The last manche that was finished. */
export function lastManche(view: View): EndedManche | null {
  const result = view.results.at(-1);
  return result ? { manche: view.results.length, result, tables: view.tables } : null;
}

export const endedManche = (previous: View | null, view: View) =>
  previous && view.results.length > previous.results.length ? lastManche(view) : null;

/** The seats by their totals, lowest first; those who left come last. */
export function standings(view: View): number[] {
  const rank = (seat: number) => view.seats[seat]!;
  return view.seats
    .map((_, seat) => seat)
    .sort((a, b) => Number(rank(a).gone) - Number(rank(b).gone) || rank(a).total - rank(b).total || a - b);
}

/** The active seat: the one that must answer an attack, else the one whose turn it is. */
export function activeSeat(view: View): number | null {
  return (view.stage === 'react' ? view.attack?.target : view.to_act) ?? null;
}
