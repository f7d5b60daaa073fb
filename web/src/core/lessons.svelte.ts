// What this browser knows about the reader and the lessons: how far each was read, and for which games none is offered.
import { getHistory } from './api';

interface Kept {
  /** The moment at which a lesson was left, by `game/name`. */
  at: Record<string, number>;
  /** The finished lessons, as `game/name`. */
  done: string[];
  /** Games whose lesson is not offered any more: they were played, or the offer was dismissed. */
  settled: string[];
}

const KEY = 'tablee.lessons';

const texts = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

/** Keeps what is still valid. */
export function readKept(stored: string | null): Kept {
  let old: Partial<Record<keyof Kept, unknown>>;
  try {
    old = (JSON.parse(stored ?? '{}') as typeof old | null) ?? {};
  } catch {
    old = {};
  }
  const at = Object.entries(typeof old.at === 'object' && old.at ? old.at : {});
  return {
    at: Object.fromEntries(at.filter(([, moment]) => Number.isInteger(moment) && moment > 0)),
    done: texts(old.done),
    settled: texts(old.settled),
  };
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const kept = $state<Kept>(readKept(stored()));

function save(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still learns; the choice lasts as long as the page.
  }
}

const id = (game: string, name: string) => `${game}/${name}`;

/** The moment to go on from. */
export const leftAt = (game: string, name: string): number => kept.at[id(game, name)] ?? 0;

export function keepPlace(game: string, name: string, at: number): void {
  kept.at[id(game, name)] = at;
  save();
}

export const isDone = (game: string, name: string): boolean => kept.done.includes(id(game, name));

export function finishLesson(game: string, name: string): void {
  delete kept.at[id(game, name)];
  if (!isDone(game, name)) kept.done.push(id(game, name));
  settle(game);
}

/** Whether any lesson of a game was finished. */
export const hasDone = (game: string): boolean => kept.done.some((one) => one.startsWith(`${game}/`));

export const isSettled = (game: string): boolean => kept.settled.includes(game);

/** Offers no lesson of a game any more. */
export function settle(game: string): void {
  if (!isSettled(game)) kept.settled.push(game);
  save();
}

const asked = new Set<string>();

/** Asks once whether the person finished a match of a game on another browser; then nothing is offered here either. */
export async function lookBack(game: string): Promise<void> {
  if (isSettled(game) || asked.has(game)) return;
  asked.add(game);
  const { matches } = await getHistory({ whose: 'mine', game });
  if (matches.length) settle(game);
}
