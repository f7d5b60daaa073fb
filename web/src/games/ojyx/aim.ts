// Choosing the targets of a card, one after another. The server lists the actions. Every choice keeps those that agree with
// it, and the next choice is the next thing in which they differ.

/** The fields of an action that are chosen, in the order in which people choose them. */
export const FIELDS = ['cells', 'cell', 'seat', 'target_cell', 'column'] as const;
export type Field = (typeof FIELDS)[number];

export interface Aimed {
  cells?: number[] | null;
  cell?: number | null;
  seat?: number | null;
  target_cell?: number | null;
  column?: number | null;
}

export interface Pick {
  field: Field;
  value: number;
}

export interface Aim<A extends Aimed> {
  picks: Pick[];
  /** The actions that agree with every choice so far. */
  left: A[];
  /** The next thing to choose; null: the action is complete. */
  next: Field | null;
  /** What may be chosen next. */
  eligible: number[];
}

const values = (action: Aimed, field: Field): number[] => {
  const value = action[field];
  return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
};

const picked = (picks: readonly Pick[], field: Field) =>
  picks.filter((pick) => pick.field === field).map((pick) => pick.value);

/** Where the choice stands after some picks. A seat that is the only one left is chosen without asking. */
export function aim<A extends Aimed>(actions: readonly A[], picks: readonly Pick[] = []): Aim<A> {
  const left = actions.filter((action) => picks.every((pick) => values(action, pick.field).includes(pick.value)));
  const next =
    FIELDS.find((field) => left.some((action) => values(action, field).length > picked(picks, field).length)) ?? null;
  if (!next) return { picks: [...picks], left, next, eligible: [] };
  const done = picked(picks, next);
  const eligible = [...new Set(left.flatMap((action) => values(action, next)))].filter(
    (value) => !done.includes(value),
  );
  if (next === 'seat' && eligible.length === 1) return aim(actions, [...picks, { field: 'seat', value: eligible[0]! }]);
  return { picks: [...picks], left, next, eligible };
}

export function choose<A extends Aimed>(actions: readonly A[], from: Aim<A>, value: number): Aim<A> {
  return from.next && from.eligible.includes(value) ? aim(actions, [...from.picks, { field: from.next, value }]) : from;
}

/** One choice back; null if there is none, or only one that was made automatically. */
export function back<A extends Aimed>(actions: readonly A[], from: Aim<A>): Aim<A> | null {
  for (let kept = from.picks.length - 1; kept >= 0; kept--) {
    const before = aim(actions, from.picks.slice(0, kept));
    if (before.picks.length < from.picks.length) return before;
  }
  return null;
}

/** The chosen action, once it is complete. */
export const whole = <A extends Aimed>(from: Aim<A>): A | null => (from.next === null ? (from.left[0] ?? null) : null);

export const pickOf = (from: Aim<Aimed> | null, field: Field): number[] => (from ? picked(from.picks, field) : []);
