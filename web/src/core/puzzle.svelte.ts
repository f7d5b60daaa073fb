// Runs a puzzle: which position lies on the board, what the server said about an action, and the solution step by step.
import { answerPuzzle, getPuzzle, previewAnswer } from './api';
import type { PlayedStep } from './game';
import { gameText } from './games';
import type { Offer, PreviewFrame, PuzzleEnd, PuzzleFrame, PuzzlePage } from './types.gen';

/** Milliseconds before the other side replies. */
const PACE = 700;

/** `solve`: the solver is to act. `reply`: the other side is. `right` and `wrong`: it is over. */
export type Phase = 'solve' | 'reply' | 'right' | 'wrong';

/** What the solver has to reach, in the words of the game. */
export const goalText = (game: string, goal: string, seat: number) =>
  gameText(game, `puzzles.goal.${goal}.${seat}`) ?? gameText(game, `puzzles.goal.${goal}`) ?? goal;

export class PuzzleRun {
  page = $state.raw() as PuzzlePage;
  phase = $state<Phase>('solve');
  pending = $state(false);
  end = $state.raw<PuzzleEnd | null>(null);
  /** The attempt does not count: the person has tried this puzzle before. */
  practice = $state(false);
  /** Grows with every new beginning: a board begins anew then. */
  scene = $state(0);
  #frames = $state.raw<PuzzleFrame[]>([]);
  #offer = $state.raw<Offer | null>(null);
  #ply = 0;
  /** Where the reader is in the solution; null while they look at what they played. */
  at = $state<number | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pace: () => number;

  constructor(page: PuzzlePage, pace = () => PACE) {
    this.#pace = pace;
    this.#begin(page);
  }

  #begin(page: PuzzlePage): void {
    clearTimeout(this.#timer);
    this.page = page;
    this.#frames = page.frames;
    this.#offer = page.offer;
    this.#ply = page.ply;
    this.phase = 'solve';
    this.end = this.at = null;
    this.practice = page.mine === 'solved' || page.mine === 'failed';
    this.scene++;
  }

  /** The positions on the way to the one on the board. */
  get #shown(): PuzzleFrame[] {
    return this.at === null || !this.end ? this.#frames : this.end.solution.slice(0, this.at + 1);
  }

  get frame(): PuzzleFrame {
    return this.#shown.at(-1)!;
  }

  get previous(): PuzzleFrame | null {
    return this.frame.step ? (this.#shown.at(-2) ?? null) : null;
  }

  get history(): PlayedStep[] {
    return this.#shown.flatMap((frame, i) =>
      frame.step ? [{ step: frame.step, view: frame.view, previous: this.#shown[i - 1]?.view ?? null }] : [],
    );
  }

  get ply(): number {
    return this.#shown.length;
  }

  get offer(): Offer | null {
    return this.phase === 'solve' ? this.#offer : null;
  }

  get over(): boolean {
    return this.phase === 'right' || this.phase === 'wrong';
  }

  /** Sends an action; throws `ApiProblem` if it is refused, and then nothing has changed. */
  async play(action: unknown): Promise<void> {
    if (this.phase !== 'solve' || this.pending) return;
    this.pending = true;
    try {
      const { game, id } = this.page;
      const answer = { ply: this.#ply, action: action as Record<string, unknown> };
      const reply = await answerPuzzle(game, id, answer);
      const [mine, ...others] = reply.frames;
      this.#frames = [...this.#frames, mine!];
      this.#ply = reply.ply;
      this.#offer = reply.offer;
      this.end = reply.end;
      if (reply.over) return this.#finish(reply.right);
      this.phase = 'reply';
      this.#timer = setTimeout(() => {
        this.#frames = [...this.#frames, ...others];
        this.phase = 'solve';
      }, this.#pace());
    } finally {
      this.pending = false;
    }
  }

  #finish(right: boolean): void {
    this.phase = right ? 'right' : 'wrong';
    // After a moment with one's own move the solution begins to play.
    if (!right) this.#timer = setTimeout(() => this.show(0, true), 2 * this.#pace());
  }

  /** Shows a position of the solution; with `go`, plays on from there. */
  show(at: number, go = false): void {
    clearTimeout(this.#timer);
    const last = (this.end?.solution.length ?? 1) - 1;
    if (this.at === null) this.scene++;
    this.at = Math.max(0, Math.min(last, at));
    if (go && this.at < last) this.#timer = setTimeout(() => this.show(this.at! + 1, true), 1.4 * this.#pace());
  }

  async preview(action: unknown): Promise<PreviewFrame | null> {
    if (this.phase !== 'solve') return null;
    try {
      const answer = { ply: this.#ply, action: action as Record<string, unknown> };
      const found = await previewAnswer(this.page.game, this.page.id, answer);
      return { type: 'preview', reply: 0, ...found };
    } catch {
      return null;
    }
  }

  /** Takes the puzzle from the server again, at the place where the attempt is. */
  async resync(): Promise<void> {
    this.#begin(await getPuzzle(this.page.game, this.page.id));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
