// Which grids are on screen. The view follows the active player if the setting says so. After touching a tile it stays there
// until one's own turn.
import type { BoardProps } from '../../core/game';
import { others } from '../../core/seats';
import { changeSettings, settings } from '../../core/settings.svelte';
import type { Choice } from './choice.svelte';
import { activeSeat } from './story';
import type { Action, View } from './types.gen';

/** Create it while the board initialises: its effects turn the view to where something happens. */
export class Look {
  readonly #props: () => BoardProps<View, Action>;
  #pinned = $state(false);
  #at = $state<number | null>(null);
  /** Whether a phone shows one's own grid. */
  onOwn = $state(true);

  readonly count = $derived.by(() => this.#board.view.seats.length);
  /** One's own seat first, then the others in the order of play. */
  readonly order = $derived.by(() => {
    const bottom = this.#board.seat ?? 0;
    return [bottom, ...others(this.count, bottom)];
  });
  readonly follows = $derived.by(() => settings.follow && !this.#pinned);
  /** The other grid that is shown large. */
  readonly seat = $derived.by(() => {
    const { seat } = this.#board;
    if (this.count === 2) return this.order[1]!;
    const there = this.#at !== null && this.#at < this.count && this.#at !== seat;
    return there ? this.#at! : this.order[seat === null ? 0 : 1]!;
  });
  readonly mine = $derived.by(() => {
    const { seat, caption, view } = this.#board;
    return seat !== null && caption === undefined && view.waiting.includes(seat);
  });
  readonly #active = $derived.by(() => activeSeat(this.#board.view));
  /** Changes with every new decision of one's own. */
  readonly #asked = $derived.by(() => {
    const { manche, to_act, stage } = this.#board.view;
    return this.mine ? `${manche} ${to_act} ${stage}` : null;
  });

  constructor(props: () => BoardProps<View, Action>, choice: Choice) {
    this.#props = props;
    // To one's own grid when it is one's turn, …
    $effect.pre(() => {
      if (this.#asked === null) return;
      this.#pinned = false;
      this.onOwn = true;
    });
    // … to the target while aiming (the aim is made anew whenever somebody else chooses, but it asks for the same), …
    const next = $derived.by(() => choice.aimed?.next);
    const whom = $derived.by(() => choice.target);
    $effect.pre(() => {
      if (next === 'cell' || next === 'cells') this.onOwn = true;
      else if (whom !== null && whom !== this.#board.seat) this.#show(whom);
    });
    // … else with the active player.
    $effect.pre(() => {
      if (this.mine || !this.follows) return;
      if (this.#active === null || this.#active === this.#board.seat) this.onOwn = true;
      else this.#show(this.#active);
    });
  }

  get #board(): BoardProps<View, Action> {
    return this.#props();
  }

  /** Look at a seat whose tile was touched. */
  touch(one: number): void {
    this.#pinned = !this.mine;
    if (one === this.#board.seat) this.onOwn = true;
    else this.#show(one);
  }

  /** Keep a seat in view, even if the turn passes. */
  pin(one: number): void {
    this.#show(one);
    this.#pinned = true;
  }

  toggleFollow(): void {
    changeSettings({ follow: !this.follows });
    this.#pinned = false;
    if (!settings.follow && this.#board.seat !== null) this.onOwn = true;
  }

  #show(one: number): void {
    this.#at = one;
    this.onOwn = false;
  }
}
