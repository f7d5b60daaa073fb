const same = <T extends object>(a: T, b: T) => (Object.keys(b) as (keyof T)[]).every((key) => a[key] === b[key]);

/** Returns a function that replaces each object of a list by the one before at its place if nothing in it has changed, so
 *  that a keyed list updates only the others. */
export function keeper<T extends object>(): (now: readonly T[]) => T[] {
  let before: T[] = [];
  return (now) => (before = now.map((one, at) => (before[at] && same(before[at], one) ? before[at] : one)));
}
