/** The moment that an address names: `#37` is the position after the 37th move, `#37.2` the same for the third seat.
 *  Otherwise people see the view of the seat that they had, and strangers that of a spectator. */
export function momentOf(hash: string, own: number | null): [at: number, seat: number | null] {
  if (!hash) return [0, own];
  const [at, seat] = hash.slice(1).split('.').map(Number);
  return [Number.isInteger(at) ? at! : 0, Number.isInteger(seat) ? seat! : null];
}
