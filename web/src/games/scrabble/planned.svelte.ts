// A word that is laid while others are to play, and played as soon as it can be.
import type { BoardProps } from '../../core/game';
import { Premove } from '../../core/premove.svelte';
import { announce } from '../../ui/announcer.svelte';
import type { Note } from '../../ui/note.svelte';
import type { Composed, Grid } from './compose';
import type { Composition } from './composition.svelte';
import { provisionalScore, wordsMade } from './provisional';
import type { Action, View } from './types.gen';
import { t } from './words';

interface Plan {
  at: string;
  word: string;
  /** Every word that the play makes: if the board changes one of them, it is another play. */
  made: string;
  tiles: string;
}

interface Now {
  grid: Grid;
  word: Composed;
  mine: boolean;
  /** The reader plays this match. */
  playing: boolean;
}

/** Create it while the board initialises: it follows the match with effects of that board. */
export class PlannedWord {
  readonly #props: () => BoardProps<View, Action>;
  readonly #now: () => Now;
  readonly #composition: Composition;
  readonly #premove: Premove<Plan, Action>;

  /** A play may be planned now. */
  readonly open = $derived.by(() => (this.#props().premoves ?? false) && this.#now().playing && !this.#now().mine);
  /** What the tiles on the board would bring; null if nothing is planned or under way. */
  readonly score = $derived.by(() => {
    const { grid, word } = this.#now();
    const { laid, cursor } = this.#composition;
    const ready = this.open && word.kind === 'word' && word.word.length > 1;
    return ready ? provisionalScore(grid, laid, cursor?.down) : null;
  });
  readonly #tiles = $derived.by(() => [...this.#composition.laid].map(([square, { as }]) => `${square}${as}`).join());

  constructor(props: () => BoardProps<View, Action>, now: () => Now, composition: Composition, note: Note) {
    this.#props = props;
    this.#now = now;
    this.#composition = composition;
    this.#premove = new Premove<Plan, Action>({
      board: props,
      due: () => now().mine,
      resolve: ({ at, word, made }) => (this.#made === made ? { type: 'place', at, word } : null),
      play: (action) => props().play(action),
      dropped: ({ word }, why) => {
        if (why === 'illegal') composition.recall();
        note.say(t(`premove.${why}`, { word: word.toUpperCase() }));
      },
    });
    // Another tile makes another play.
    $effect(() => {
      const plan = this.#premove.planned;
      if (plan && plan.tiles !== this.#tiles) this.cancel();
    });
  }

  get planned(): boolean {
    return this.#premove.planned !== null;
  }

  get #made(): string {
    const { laid, cursor } = this.#composition;
    return wordsMade(this.#now().grid, laid, cursor?.down);
  }

  /** Plans the word that is laid, or cancels the plan. */
  toggle(): void {
    const { word } = this.#now();
    if (this.cancel() || word.kind !== 'word') return;
    this.#premove.plan({ at: word.at, word: word.word, made: this.#made, tiles: this.#tiles });
    announce(t('premove.planned', { word: word.word.toUpperCase() }));
  }

  cancel(): boolean {
    const cancelled = this.#premove.cancel();
    if (cancelled) announce(t('premove.cancelled'));
    return cancelled;
  }
}
