// The pieces that a capture takes while its path is being picked. The server says it: this page knows no rules.
import type { BoardProps } from '../../core/game';
import { matching } from './pick';
import type { Path } from './squares';
import type { Action } from './types.gen';

type Preview = BoardProps<unknown, Action>['preview'];

/** Create it while the board initialises: it asks once for each way that a picked piece can go. */
export class Taken {
  #answer = $state.raw<{ path: Path; taken: readonly number[] } | null>(null);
  readonly #prefix: () => Path;

  /** What the path picked so far takes, one piece for each jump. */
  readonly squares = $derived.by((): ReadonlySet<number> => {
    const prefix = this.#prefix();
    const known = this.#answer && matching([this.#answer.path], prefix).length > 0;
    return new Set(known && prefix.length > 1 ? this.#answer!.taken.slice(0, prefix.length - 1) : []);
  });

  /** `captures` are those that can be played now; none if the side to move has nothing to take. */
  constructor(captures: () => readonly Path[], prefix: () => Path, preview: Preview) {
    this.#prefix = prefix;
    const way = $derived(prefix().length ? matching(captures(), prefix())[0] : undefined);
    $effect(() => {
      const path = way;
      if (!path) return;
      let past = false;
      void preview({ type: 'move', path: [...path] }).then((frame) => {
        if (!past && frame?.preview) this.#answer = { path, taken: frame.preview as number[] };
      });
      return () => {
        past = true;
        this.#answer = null;
      };
    });
  }
}
