// The time for texts that count seconds.

/** Create it while a component initialises: it ticks while the component lives. */
export class Ticking {
  now = $state(performance.now());

  constructor(every = 250) {
    $effect(() => {
      const timer = setInterval(() => (this.now = performance.now()), every);
      return () => clearInterval(timer);
    });
  }

  /** Seconds since a moment of `performance.now()`. */
  since(at: number): number {
    return Math.max(0, (this.now - at) / 1000);
  }
}
