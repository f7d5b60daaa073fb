// A piece glides along its path. Input is live all the while.
const EASE = 'cubic-bezier(0.2, 0.8, 0.2, 1)';
const LEG = 200;

/** How long a piece is on its way. */
export const lasts = (legs: number) => legs * LEG;

/** Moves an element as large as a square along offsets from where it stands now, in squares. */
export function glide(element: Element, offsets: { x: number; y: number }[]): void {
  const frames = offsets.map(({ x, y }) => ({
    transform: `translate(${x * 100}%, ${y * 100}%)`,
    zIndex: 3,
    easing: EASE,
  }));
  element.animate(frames, { duration: lasts(offsets.length - 1) });
}
