// A move as players write it.
import type { Path } from './squares';

/** `32-28`, `28x19`; the squares on the way are left out. */
export function written(path: Path, takes: boolean, name: (square: number) => string): string {
  return `${name(path[0]!)}${takes ? 'x' : '-'}${name(path.at(-1)!)}`;
}
