// A move that is planned while somebody else is to act. It lives in this page alone, so nobody else can learn of it, and a
// reload cancels it. It is sent with the frame that makes it legal, so it costs no time but the network's.
import { untrack } from 'svelte';
import type { BoardProps } from './game';

/** Why a plan was dropped: it is not legal now, or this page missed what happened. */
export type Dropped = 'illegal' | 'gap';

interface Hooks<Plan, Action> {
  board: () => Pick<BoardProps, 'ply' | 'step' | 'outcome'>;
  /** The reader may play now. */
  due: () => boolean;
  /** The action that a plan stands for now; null if it cannot be played any more. Before the reader's turn, null drops the
   *  plan and any action keeps it. */
  resolve: (plan: Plan) => Action | null;
  play: (action: Action) => void;
  dropped: (plan: Plan, why: Dropped) => void;
}

/** Create it while a board initialises: it follows the match with an effect of that board. */
export class Premove<Plan, Action> {
  #plan = $state.raw<Plan | null>(null);
  /** The last ply that was looked at with this plan. */
  #ply = -1;
  readonly #hooks: Hooks<Plan, Action>;

  constructor(hooks: Hooks<Plan, Action>) {
    this.#hooks = hooks;
    $effect(() => {
      const { ply, step, outcome } = hooks.board();
      const due = hooks.due();
      untrack(() => this.#follow(ply, step === null, outcome !== null, due));
    });
  }

  get planned(): Plan | null {
    return this.#plan;
  }

  plan(plan: Plan): void {
    this.#plan = plan;
    this.#ply = this.#hooks.board().ply;
  }

  /** Forgets the plan; returns whether there was one. */
  cancel(): boolean {
    const planned = this.#plan !== null;
    this.#plan = null;
    return planned;
  }

  #follow(ply: number, arrived: boolean, over: boolean, due: boolean): void {
    const plan = this.#plan;
    // A match can end without a move. Its plan must not live on in the next match.
    if (over) this.#plan = null;
    if (plan === null || over || (ply === this.#ply && !due)) return;
    // A position that no step led to: moves were missed or taken back, so the player did not see what the plan answers.
    const gap = ply !== this.#ply && arrived;
    this.#ply = ply;
    const action = gap ? null : this.#hooks.resolve(plan);
    if (action !== null && !due) return;
    this.#plan = null;
    if (action !== null) this.#hooks.play(action);
    else this.#hooks.dropped(plan, gap ? 'gap' : 'illegal');
  }
}
