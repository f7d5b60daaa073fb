// A planned line under way: moves of the other and one's own, played on a board of its own. The server says what is legal.
import { askStudy, type ApiProblem } from '../../../core/api';
import { fenOf } from '../analysis/fen';
import { piecesOf, type Path } from '../squares';
import type { Look, Seen, State } from '../types.gen';

/** As many moves as the server takes in a line. */
export const MOST_MOVES = 20;

const look = (question: Look) => askStudy<Seen>('dames', 'look', question);

export class Planner {
  /** The positions so far, the present one of the match first; empty until the server has answered. */
  #positions = $state.raw<Seen[]>([]);
  moves = $state.raw<{ path: Path; name: string }[]>([]);
  problem = $state.raw<ApiProblem | null>(null);
  /** Counts requests, so that an old answer does not replace a newer one. */
  #asked = 0;

  readonly seen = $derived(this.#positions.at(-1) ?? null);

  /** Begins at a position of the match. */
  async open(view: State): Promise<void> {
    [this.#positions, this.moves] = [[], []];
    const fen = fenOf(piecesOf(view), view.to_move);
    const seen = await this.#ask({ fen, variant: view.options.variant ?? 'competitive' });
    if (seen) this.#positions = [seen];
  }

  async play(path: Path): Promise<void> {
    const { seen } = this;
    const at = seen?.legal.findIndex((one) => one.join() === path.join()) ?? -1;
    if (!seen || at < 0 || this.moves.length >= MOST_MOVES) return;
    const next = await this.#ask({ state: seen.state, move: seen.names[at]! });
    if (!next) return;
    this.#positions = [...this.#positions, next];
    this.moves = [...this.moves, { path, name: next.played }];
  }

  back(): void {
    if (!this.moves.length) return;
    this.#asked++;
    this.#positions = this.#positions.slice(0, -1);
    this.moves = this.moves.slice(0, -1);
  }

  restart(): void {
    this.#asked++;
    this.#positions = this.#positions.slice(0, 1);
    this.moves = [];
  }

  async #ask(question: Look): Promise<Seen | null> {
    const asked = ++this.#asked;
    try {
      const seen = await look(question);
      if (asked !== this.#asked) return null;
      this.problem = null;
      return seen;
    } catch (problem) {
      if (asked === this.#asked) this.problem = problem as ApiProblem;
      return null;
    }
  }
}
