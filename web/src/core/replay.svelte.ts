// A match to watch. It is fetched part by part, and shows one position at a time.
import type { ApiProblem } from './api';
import type { PlayedStep } from './game';
import type { ReplayPage, Outcome, Step, TurnInfo } from './types.gen';

/** Positions asked for at a time; the server gives no more. */
const PART = 200;

/** Fetches a part of a replay as one seat saw it; null is a spectator. */
export type Reel = (seat: number | null, first: number, last: number) => Promise<ReplayPage>;

export class Replay {
  /** The fields that are the same in every part. */
  head = $state.raw<ReplayPage | null>(null);
  problem = $state.raw<ApiProblem | null>(null);
  /** The position shown; 0 is the deal. */
  at = $state(0);
  /** Whether the last move of `at` was one step forward, so that the board may show the move. */
  forward = $state(false);
  seat = $state<number | null>(null);
  views = $state.raw<unknown[]>([]);
  steps = $state.raw<Step[]>([]);
  turns = $state.raw<TurnInfo[]>([]);
  #reel: Reel;
  #loading = 0;

  constructor(reel: Reel, seat: number | null = null, at = 0) {
    this.#reel = reel;
    void this.watchAs(seat, at);
  }

  get plies(): number {
    return this.head?.plies ?? 0;
  }

  get outcome(): Outcome | null {
    return this.at === this.plies ? (this.head?.outcome ?? null) : null;
  }

  /** Whether the position to show has arrived. */
  get ready(): boolean {
    return this.head !== null && this.at < this.views.length;
  }

  /** Every step that has arrived so far, with the views around it. */
  get history(): PlayedStep[] {
    return this.steps.slice(0, this.views.length - 1).map((_, i) => this.playedAt(i + 1));
  }

  playedAt(ply: number): PlayedStep {
    return { step: this.steps[ply - 1]!, view: this.views[ply], previous: this.views[ply - 1] ?? null };
  }

  go(at: number): void {
    const next = Math.max(0, Math.min(at, this.plies));
    this.forward = next === this.at + 1;
    this.at = next;
  }

  /** Changes the point of view, at the same position. */
  async watchAs(seat: number | null, at = this.at): Promise<void> {
    const turn = ++this.#loading;
    this.problem = null;
    try {
      let first = 0;
      let views: unknown[] = [];
      let steps: Step[] = [];
      let turns: TurnInfo[] = [];
      for (;;) {
        const part = await this.#reel(seat, first, first + PART - 1);
        if (turn !== this.#loading) return;
        views = [...views, ...part.views];
        steps = [...steps, ...part.steps];
        turns = [...turns, ...part.turns];
        // Change the seat and its views together: a board must never show one seat the view of another.
        [this.seat, this.head, this.views, this.steps, this.turns] = [seat, part, views, steps, turns];
        if (first === 0) this.go(at);
        if (part.last >= part.plies) return;
        first = part.last + 1;
      }
    } catch (error) {
      if (turn === this.#loading) this.problem = error as ApiProblem;
    }
  }
}
