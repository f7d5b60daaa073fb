// A piece glides along its path. Input is live all the while.
import { EASE, float } from '../../ui/cards/fly';

const LEG = 200;

/** How long a piece is on its way. */
export const lasts = (legs: number) => legs * LEG;

/** Moves an element as large as a square along offsets from where it stands now, in squares. */
export function glide(element: HTMLElement, offsets: { x: number; y: number }[]): void {
  const frames = offsets.map(({ x, y }) => ({
    transform: `translate(${x * 100}%, ${y * 100}%)`,
    easing: EASE,
  }));
  float(element, frames, { duration: lasts(offsets.length - 1) }, 3);
}
