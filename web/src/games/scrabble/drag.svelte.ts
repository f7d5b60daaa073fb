// A tile carried by a finger or a mouse, from the rack or from the board to either.
import type { Tile } from './compose';

export interface Held {
  tile: Tile;
  /** The letter it shows. */
  as: string;
  /** The square it was taken from; null: the rack. */
  from: number | null;
  x: number;
  y: number;
}

export type Target = { square: number } | { slot: number } | null;

/** A pointer that moved fewer pixels than this is a touch, not a drag. */
const SLOP = 6;
/** How far above a finger the tile floats, so that it is not covered. */
const LIFT = 34;

export class Drag {
  held = $state.raw<Held | null>(null);
  over = $state.raw<Target>(null);

  constructor(
    /** Find what is at a point of the window. */
    readonly find: (x: number, y: number) => Target,
    readonly moved: (held: Held, over: Target) => void,
    readonly drop: (held: Held, over: Target) => void,
  ) {}

  /** Start with a pointer on a tile. A drag of a few pixels is a touch and is left to the click. */
  start(event: PointerEvent, tile: Tile, as: string, from: number | null): void {
    if (event.button !== 0 || this.held) return;
    const lift = event.pointerType === 'mouse' ? 0 : LIFT;
    const { pointerId, clientX, clientY } = event;
    const listening = new AbortController();
    const end = (dropped: boolean) => {
      listening.abort();
      const { held, over } = this;
      this.held = this.over = null;
      if (held) swallowClick();
      if (held && dropped) this.drop(held, over);
    };
    const on = <K extends 'pointermove' | 'pointerup' | 'pointercancel'>(
      type: K,
      react: (event: PointerEvent) => void,
    ) => addEventListener(type, (moved) => moved.pointerId === pointerId && react(moved), { signal: listening.signal });
    on('pointermove', (moved) => {
      if (!this.held && Math.hypot(moved.clientX - clientX, moved.clientY - clientY) <= SLOP) return;
      this.held = { tile, as, from, x: moved.clientX, y: moved.clientY - lift };
      this.over = this.find(this.held.x, this.held.y);
      this.moved(this.held, this.over);
    });
    on('pointerup', () => end(true));
    on('pointercancel', () => end(false));
  }
}

/** The click that a browser sends after a drag is not a touch. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50);
}
