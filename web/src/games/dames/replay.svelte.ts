// Shared by the board and the panel: the game so far, and the position that is shown.
import type { Step } from '../../core/types.gen';
import { grow, retell, type History, type Seen } from './history';
import type { State } from './types.gen';

class Replay {
  history = $state.raw<History | null>(null);
  /** How many lines are on the board; null: all of them, live. */
  at = $state<number | null>(null);

  get lines(): number {
    return this.history?.lines.length ?? 0;
  }

  get shown(): number {
    return this.at ?? this.lines;
  }

  /** Show a new game, or one that starts again after a gap, live. */
  take(seen: Seen): void {
    const grown = grow(this.history, seen);
    if (grown.first !== this.history?.first) this.at = null;
    this.history = grown;
  }

  /** Adds the moves from before this page was opened; does nothing if the beginning is known already. */
  retell(steps: readonly Step[], view: State, ply: number): void {
    if (!this.history?.from || this.history.ply !== ply) return;
    this.history = retell(steps, view, ply) ?? this.history;
  }

  show(at: number): void {
    this.at = at >= this.lines ? null : Math.max(0, at);
  }

  live(): void {
    this.at = null;
  }

  clear(): void {
    this.history = null;
    this.at = null;
  }
}

export const replay = new Replay();
