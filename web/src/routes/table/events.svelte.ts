// What players should notice: each event stands on the cloth for a few seconds.
import type { GameEvent } from '../../core/game';

/** Milliseconds that an event is shown. */
export const LASTS = 6_000;
/** Milliseconds that it is shown at least, if another waits or a move was made since. */
export const LEAST = 2_500;
/** More events than this do not wait: the oldest is dropped. */
const MOST = 3;

export interface ShownEvent extends GameEvent {
  id: number;
}

/** Shows one event after the other. */
export class EventQueue {
  shown = $state.raw<ShownEvent | null>(null);
  #waiting: ShownEvent[] = [];
  #last = 0;
  #since = 0;
  /** A move was made since the shown event. */
  #old = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  show(event: GameEvent): void {
    const known = [this.shown, ...this.#waiting].some((one) => one?.text === event.text);
    if (known) return;
    this.#waiting = [...this.#waiting, { ...event, id: ++this.#last }].slice(-MOST);
    if (this.shown) this.#schedule();
    else this.#next();
  }

  /** A move was made: what was shown before it goes soon. */
  moved(): void {
    this.#old = true;
    if (this.shown) this.#schedule();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.shown = null;
  }

  #next(): void {
    this.shown = this.#waiting.shift() ?? null;
    this.#since = performance.now();
    this.#old = false;
    if (this.shown) this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const lasts = this.#old || this.#waiting.length ? LEAST : LASTS;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, this.#since + lasts - performance.now()));
  }
}
