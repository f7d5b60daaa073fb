// A piece glides along its path, taken pieces vanish, and points rise. Input is live all the while.
import type { Attachment } from 'svelte/attachments';
import { animate, EASE, float, hold, SLOW } from '../../ui/cards/fly';

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

/** A taken piece vanishes after a while. */
export const vanish =
  (delay: number): Attachment =>
  (piece) => {
    const frames = [
      { opacity: 1, scale: 1 },
      { opacity: 0, scale: 0.7 },
    ];
    animate(piece, frames, { duration: SLOW, delay, easing: EASE });
  };

const POP = 1_400;

/** Points come from their square, stay above it and leave; `rise` is how far, in squares. */
export const pop =
  (delay: number, rise: number): Attachment =>
  (points) => {
    const at = (squares: number) => `0 calc(var(--cell) * ${squares})`;
    const frames = [
      { opacity: 0, translate: '0 0', scale: 0.6 },
      { opacity: 1, translate: at(rise), scale: 1, offset: 0.2 },
      { opacity: 1, translate: at(rise), scale: 1, offset: 0.75 },
      { opacity: 0, translate: at(rise - 0.35), scale: 1 },
    ];
    const motion = hold(points, frames, { duration: POP, delay, easing: EASE });
    return () => motion.cancel();
  };
