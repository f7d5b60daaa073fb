// Asks the server for the best lines of a position, piece by piece, until they are deep enough or nobody looks.
import { askStudy, type ApiProblem } from '../../../core/api';
import type { Analyse, Analysed } from '../types.gen';

/** The first piece is short, so that something is there at once; each one after it is twice as long. */
const FIRST_PIECE = 0.1;
const LONGEST_PIECE = 0.8;
/** Seconds to wait if the server is busy or away. */
const PATIENCE = 2;

export class Engine {
  /** Whether people want lines at all. */
  on = $state(true);
  lines = $state(3);
  state = $state('');
  /** Positions without moves are not searched. */
  idle = $state(false);
  problem = $state.raw<ApiProblem | null>(null);
  #found = $state.raw<ReadonlyMap<string, Analysed>>(new Map());
  #visible = $state(document.visibilityState === 'visible');
  #asking = false;

  readonly #key = $derived(`${this.lines} ${this.state}`);
  /** What is known about the position; null before the first answer. */
  readonly found = $derived(this.#found.get(this.#key) ?? null);
  readonly running = $derived(
    this.on && this.#visible && !this.idle && this.state !== '' && !this.found?.done && !this.problem,
  );

  /** Create it while a component initialises: it stops with that component. */
  constructor() {
    $effect(() => {
      const look = () => (this.#visible = document.visibilityState === 'visible');
      document.addEventListener('visibilitychange', look);
      return () => {
        document.removeEventListener('visibilitychange', look);
        this.on = false;
      };
    });
    $effect(() => {
      if (this.running) void this.#ask();
    });
  }

  /** One request at a time, even if the position changes meanwhile: the next one asks about the new position. */
  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    let [last, seconds] = ['', FIRST_PIECE];
    while (this.running) {
      const key = this.#key;
      seconds = key === last ? Math.min(LONGEST_PIECE, 2 * seconds) : FIRST_PIECE;
      last = key;
      try {
        this.#keep(
          key,
          await askStudy('dames', 'analyse', { state: this.state, lines: this.lines, seconds } satisfies Analyse),
        );
      } catch (problem) {
        await this.#wait(problem as ApiProblem);
      }
    }
    this.#asking = false;
  }

  /** Another process of the server may have begun anew: the deepest answer stays. */
  #keep(key: string, answer: Analysed): void {
    const before = this.#found.get(key);
    if (before && before.depth > answer.depth && !answer.done) return;
    const kept = [...this.#found].filter(([known]) => known !== key).slice(-200);
    this.#found = new Map([...kept, [key, answer]]);
  }

  async #wait(problem: ApiProblem): Promise<void> {
    const passing = ['study_busy', 'too_many', 'unreachable', 'server_closing'].includes(problem.code);
    if (!passing) this.problem = problem;
    const retry = typeof problem.values.retry === 'number' ? problem.values.retry : PATIENCE;
    await new Promise((resume) => setTimeout(resume, 1000 * Math.max(0.2, retry)));
  }

  /** Searches another position. */
  look(state: string, idle: boolean): void {
    [this.state, this.idle, this.problem] = [state, idle, null];
  }
}
