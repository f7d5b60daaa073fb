// The few moments of a match that people look for in its replay.

/** A few words for a step, and how much it mattered: from 1 for a small thing to 10 for the end of the match. */
export interface Moment {
  text: string;
  weight: number;
}

const LEAST = 3;
const MOST = 8;
/** Moments of this weight are worth showing by themselves; lighter ones only fill up to `LEAST`. */
const MATTERS = 3;

/** The heaviest moments, at most eight, in the order of the match; of two equal ones the later. */
export function pickMoments<T extends { weight: number }>(all: readonly T[]): T[] {
  const heaviest = all
    .map((moment, at) => ({ moment, at }))
    .sort((a, b) => b.moment.weight - a.moment.weight || b.at - a.at);
  return heaviest
    .filter(({ moment }, rank) => rank < LEAST || (rank < MOST && moment.weight >= MATTERS))
    .sort((a, b) => a.at - b.at)
    .map(({ moment }) => moment);
}
