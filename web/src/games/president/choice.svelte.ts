// The cards of one's hand that are chosen, and what touches and keys do with them.
import { untrack } from 'svelte';
import type { BoardProps } from '../../core/game';
import { namer } from '../../core/seats';
import { Note } from '../../ui/note.svelte';
import { whyNot } from './demand';
import { closeOf, exactly, giveOf, kept, movesOf, playOf, touch, type Declare } from './moves';
import { nowFor } from './now';
import type { Action, Play, View } from './types.gen';

/** Create it while the board initialises: it drops cards that the offer no longer allows. */
export class Choice {
  readonly #props: () => BoardProps<View, Action>;
  readonly #touched: () => void;

  cards = $state.raw<string[]>([]);
  readonly note = new Note();

  readonly moves = $derived.by(() => movesOf(this.#props().offer));
  readonly nameOf = $derived.by(() => namer(this.#props().seats, this.#props().seat));
  readonly now = $derived.by(() => {
    const { view, seat } = this.#props();
    return nowFor(view, seat, this.moves, this.cards, this.nameOf);
  });

  /** `touched` runs when a card is picked or played. */
  constructor(props: () => BoardProps<View, Action>, touched: () => void) {
    this.#props = props;
    this.#touched = touched;
    $effect.pre(() => {
      const now = this.moves;
      untrack(() => (this.cards = kept(now, this.cards)));
    });
  }

  act(action: Action): void {
    if (this.#props().pending) return;
    this.#touched();
    this.#props().play(action);
  }

  /** The play of the chosen cards with a declaration. */
  declared(declare: Declare): Play | undefined {
    return playOf(this.moves, this.cards, declare);
  }

  /** Explain why a card cannot be played now. */
  refuse(card: string): void {
    const { view, seat } = this.#props();
    this.note.say(whyNot(view, seat, card, this.nameOf));
  }

  pick(card: string): void {
    this.note.clear();
    this.#touched();
    this.cards = touch(this.moves, this.cards, card);
  }

  /** Choose with the arrows as they go; a gift is chosen card by card. */
  walk(card: string): void {
    this.note.clear();
    if (!this.moves.gives.length) this.cards = touch(this.moves, [], card);
  }

  count(card: string, wanted: { exactly: number } | { by: number }): void {
    const size = 'exactly' in wanted ? wanted.exactly : this.cards.length + wanted.by;
    this.cards = exactly(this.moves, this.cards, card, size);
  }

  /** Play what is chosen; declare only if nothing else can be done with it. */
  enter(card: string): void {
    const declared = [this.declared('suite'), this.declared('reverse')].filter((one) => one !== undefined);
    const only = declared.length === 1 ? declared[0] : undefined;
    const plain = giveOf(this.moves, this.cards) ?? playOf(this.moves, this.cards, null);
    const action = plain ?? only ?? closeOf(this.moves, this.cards);
    if (action) this.act(action);
    else if (this.now.lit.has(card)) this.pick(card);
    else this.refuse(card);
  }

  /** Return whether a key was a shortcut of the hand. */
  press(key: string): boolean {
    const [suite, reverse] = [this.declared('suite'), this.declared('reverse')];
    if (key === 'f' && this.moves.close) this.act(this.moves.close);
    else if (key === 'p' && this.moves.pass) this.act({ type: 'pass' });
    else if (key === 's' && suite) this.act(suite);
    else if (key === 'r' && reverse) this.act(reverse);
    else if (key === 'escape') this.cards = [];
    else return false;
    return true;
  }
}
