// A simulation that runs piece by piece until it is stopped, or has enough trials.
import type { Candidate, Exchange, Place, Position, SimulateAnswer, SimulateQuestion } from '../types.gen';

export const ENOUGH = 2000;
/** Plays that are compared. */
export const COMPARED = 10;

export interface Simulated {
  trials: number;
  mean: number;
  /** The standard error of the mean. */
  error: number;
  exact: boolean;
}

export const keyOf = ({ kind, at, word, tiles }: Candidate) => (kind === 'place' ? `${at} ${word}` : `- ${tiles}`);

const actionOf = ({ kind, at, word, tiles }: Candidate): Place | Exchange =>
  kind === 'place' ? { type: 'place', at, word } : { type: 'exchange', tiles };

export class Simulation {
  running = $state(false);
  trials = $state(0);
  /** By the key of a play. */
  values = $state.raw<ReadonlyMap<string, Simulated>>(new Map());
  problem = $state.raw<unknown>(null);
  #run = 0;

  constructor(readonly ask: (question: SimulateQuestion) => Promise<SimulateAnswer>) {}

  stop(): void {
    this.#run++;
    this.running = false;
  }

  /** Stops and forgets the values: they are of another position. */
  reset(): void {
    this.stop();
    [this.trials, this.values, this.problem] = [0, new Map(), null];
  }

  async start(position: Position, plays: readonly Candidate[], seed = 1): Promise<void> {
    this.reset();
    const run = ++this.#run;
    const compared = plays.slice(0, COMPARED);
    const sums = compared.map(() => ({ trials: 0, total: 0, squares: 0, exact: false }));
    let first = 0;
    this.running = compared.length > 0;
    try {
      while (this.running && this.trials < ENOUGH) {
        const answer = await this.ask({ position, plays: compared.map(actionOf), seed, first });
        if (run !== this.#run) return;
        for (const { play, trials, total, squares } of answer.sums) {
          const sum = sums[play]!;
          sums[play] = {
            trials: sum.trials + trials,
            total: sum.total + total,
            squares: sum.squares + squares,
            exact: answer.exact,
          };
        }
        first = this.trials = answer.next;
        this.values = new Map(
          compared.flatMap((one, at) => (sums[at]!.trials ? [[keyOf(one), meanOf(sums[at]!)] as const] : [])),
        );
        if (answer.finished) break;
      }
    } catch (error) {
      if (run === this.#run) this.problem = error;
    }
    if (run === this.#run) this.running = false;
  }
}

export function meanOf(sum: { trials: number; total: number; squares: number; exact: boolean }): Simulated {
  const { trials, total, squares, exact } = sum;
  const mean = total / trials;
  const variance = trials > 1 ? Math.max(0, squares - trials * mean * mean) / (trials - 1) : 0;
  return { trials, mean, error: Math.sqrt(variance / trials), exact };
}
