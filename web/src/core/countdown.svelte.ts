// The last seconds of one's own time: whether they run, and a tick for each of them.
import type { Clocks } from './game';
import { wholeTime } from './pace';
import { play } from './sound';

/** So many last seconds are unmistakable. */
export const ALARM = 10;

/** Seconds that a seat had left when the clocks were read; null if none of its clocks runs. */
export function timeLeft(clocks: Clocks | null, seat: number | null): number | null {
  if (!clocks || seat === null || !clocks.running.includes(seat)) return null;
  const own = clocks.players[seat] ?? null;
  const limits = [clocks.move, own === null ? null : wholeTime(own, clocks.paced[seat])].filter(
    (limit) => limit !== null,
  );
  return limits.length ? Math.min(...limits) : null;
}

/** Create it while a component initialises: it follows the clocks with an effect of that component. */
export class Countdown {
  /** The last seconds run. */
  alarm = $state(false);

  constructor(clocks: () => Clocks | null, seat: () => number | null) {
    $effect(() => {
      const reading = clocks();
      const left = timeLeft(reading, seat());
      this.alarm = false;
      if (!reading || left === null) return;
      const end = reading.at + left * 1000;
      let timer: ReturnType<typeof setTimeout>;
      const tick = () => {
        const rest = Math.ceil((end - performance.now() - 1) / 1000);
        if (rest <= 0) return;
        if (rest <= ALARM) {
          this.alarm = true;
          play('tick');
        }
        // Wake up at the next whole second, or when the last seconds begin.
        timer = setTimeout(tick, end - Math.min(rest - 1, ALARM) * 1000 - performance.now());
      };
      tick();
      return () => clearTimeout(timer);
    });
  }
}
