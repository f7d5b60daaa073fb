// The review of one match: asks for it, and looks every moment how far it is.
import { ApiProblem } from '../../core/api';
import type { Review, ReviewPage } from '../../core/types.gen';

/** How to begin a review, and how to look at one. */
export interface Source {
  ask: () => Promise<ReviewPage>;
  /** Looks at the review with this id; null before it was asked for. */
  look: (id: string | null) => Promise<ReviewPage | null>;
}

const EVERY = 700;
/** After this many failures in a row there is no connection. */
const MOST_FAILURES = 20;

export class ReviewWatch {
  page = $state.raw<ReviewPage | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  /** Whether the first look has answered. */
  looked = $state(false);
  #source: Source;
  #every: number;
  #stopped = false;
  #following = false;

  constructor(source: Source, every = EVERY) {
    this.#source = source;
    this.#every = every;
  }

  get review(): Review | null {
    return this.page?.review ?? null;
  }

  get running(): boolean {
    return this.page?.status === 'running';
  }

  /** From 0 to 1. */
  get progress(): number {
    return this.page?.total ? this.page.done / this.page.total : 0;
  }

  /** Shows a review that is there or under way; begins none. */
  async look(): Promise<void> {
    if (this.looked) return;
    try {
      this.page ??= await this.#source.look(null);
    } catch {
      // A review can be asked for all the same.
    }
    this.looked = true;
    void this.#follow();
  }

  async begin(): Promise<void> {
    this.problem = null;
    try {
      this.page = await this.#source.ask();
      this.looked = true;
    } catch (error) {
      this.problem = error as ApiProblem;
    }
    void this.#follow();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #follow(): Promise<void> {
    if (this.#following) return;
    this.#following = true;
    let failures = 0;
    while (this.running && !this.#stopped) {
      await new Promise((done) => setTimeout(done, this.#every));
      try {
        const page = await this.#source.look(this.page?.id ?? null);
        // If its server died, another one begins again.
        this.page = page?.status === 'none' ? await this.#source.ask() : page;
        failures = 0;
      } catch (error) {
        if (++failures < MOST_FAILURES) continue;
        this.problem = error as ApiProblem;
        this.page = null;
      }
    }
    if (this.page?.status === 'failed') this.problem = new ApiProblem('review_failed');
    this.#following = false;
  }
}
