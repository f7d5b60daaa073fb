// What the server says of the play under way: its score, or why it would be refused.
import type { BoardProps } from '../../core/game';
import type { Refusal } from '../../core/types.gen';
import type { Composed } from './compose';
import type { Action, Play, View } from './types.gen';

/** How long no tile must move before the server is asked, and how long to wait if it could not be reached. */
const ASK_AFTER = 120;
const ASK_AGAIN = 1_500;

/** Create it while the board initialises: it asks once no tile has moved for a moment. */
export class Verdict {
  #heard = $state.raw<{ key: string; play: Play | null; refusal: Refusal | null } | null>(null);
  readonly #props: () => BoardProps<View, Action>;
  readonly #word: () => Composed;

  readonly #key = $derived.by(() => {
    const word = this.#word();
    return word.kind === 'word' && word.word.length > 1 ? `${this.#props().ply} ${word.at} ${word.word}` : null;
  });
  /** The server has answered for exactly this play. */
  readonly answer = $derived.by(() => (this.#heard && this.#heard.key === this.#key ? this.#heard : null));
  readonly play = $derived.by(
    () => this.answer?.play ?? (this.answer?.refusal?.values.play as Play | undefined) ?? null,
  );
  readonly refusal = $derived.by(() => this.answer?.refusal ?? null);
  /** The words that are not in the lexicon. */
  readonly invalid = $derived.by(() => (this.refusal?.values.words as string[] | undefined) ?? []);
  readonly judged = $derived.by(() => this.#props().view.options.validation === 'auto' && this.play !== null);

  constructor(props: () => BoardProps<View, Action>, word: () => Composed, mine: () => boolean) {
    this.#props = props;
    this.#word = word;
    $effect(() => {
      const key = this.#key;
      return key === null || !mine() ? undefined : this.#ask(key);
    });
  }

  #ask(key: string): () => void {
    let past = false;
    const ask = async () => {
      const word = this.#word();
      if (word.kind !== 'word') return;
      const frame = await this.#props().preview({ type: 'place', at: word.at, word: word.word });
      if (past) return;
      if (frame) this.#heard = { key, play: frame.preview as Play | null, refusal: frame.refusal };
      else timer = setTimeout(() => void ask(), ASK_AGAIN);
    };
    let timer = setTimeout(() => void ask(), ASK_AFTER);
    return () => {
      past = true;
      clearTimeout(timer);
    };
  }
}
