const same = <T extends object>(a: T, b: T) => (Object.keys(b) as (keyof T)[]).every((key) => a[key] === b[key]);

/** Returns `now` with the objects of `before` where nothing has changed, so that a keyed list updates only the others. */
export function keep<T extends object>(before: readonly T[], now: readonly T[]): T[] {
  return now.map((one, at) => (before[at] && same(before[at], one) ? before[at] : one));
}
