// What this person is choosing: an action, and the places picked for it. It is sent only when it is complete; until then
// every pick can be taken back.
import { untrack } from 'svelte';
import type { BoardProps } from '../../core/game';
import { namer } from '../../core/seats';
import { Note } from '../../ui/note.svelte';
import { aim, back, choose, pickOf, whole, type Pick } from './aim';
import { columnCells, COLUMNS } from './grids';
import { whyNot, type Aiming } from './prompt';
import { closes, mirrorsOf, movesOf, placesOf, playsOf, throwOf, type ActionName, type Source } from './turns';
import type { Action, Choose, Play, React, View } from './types.gen';
import { t } from './words';

const NOTE_LASTS = 4_500;
const NONE: ReadonlySet<number> = new Set();

export type Intent =
  | { kind: 'play' | 'throw'; card: ActionName }
  | { kind: 'mirror' }
  /** The last hidden card is about to be turned. That ends the manche, so the board asks for a confirmation. */
  | { kind: 'close'; action: Action };

/** Create it while the board initialises: it drops a choice that the offer no longer allows. */
export class Choice {
  readonly #props: () => BoardProps<View, Action>;
  readonly #acted: () => void;

  intent = $state.raw<Intent | null>(null);
  picks = $state.raw<Pick[]>([]);
  readonly note = new Note(NOTE_LASTS);

  readonly moves = $derived.by(() => movesOf(this.#board.offer));
  readonly nameOf = $derived.by(() => namer(this.#board.seats, this.#board.seat, t('you').toLocaleLowerCase()));

  /** The actions among which targets are being chosen: those of a card, a mirror, a gift, or the first two cards. */
  readonly candidates = $derived.by((): (Play | React | Choose)[] => {
    const { moves, intent } = this;
    if (moves.chooses.length) return moves.chooses;
    if (this.#board.view.stage === 'gift') return playsOf(moves, 'gift');
    if (intent?.kind === 'play') return playsOf(moves, intent.card);
    return intent?.kind === 'mirror' ? mirrorsOf(moves) : [];
  });
  readonly aimed = $derived.by(() =>
    this.candidates.length && this.#board.view.stage !== 'scout' ? aim(this.candidates, this.picks) : null,
  );
  /** The seat whose grid is the target, once it is chosen. */
  readonly target = $derived.by(
    () =>
      pickOf(this.aimed, 'seat')[0] ??
      (this.intent?.kind === 'mirror' ? (this.#board.view.attack?.seat ?? null) : null),
  );
  readonly aiming = $derived.by((): Aiming | null =>
    this.aimed ? { card: this.#aimedCard(), aim: this.aimed, target: this.target } : null,
  );
  /** The chosen action, once it is complete. */
  readonly action = $derived.by(() => this.aimed && whole(this.aimed));
  /** The places where a touch is an action by itself. */
  readonly spots = $derived.by(() => placesOf(this.moves));
  /** What the button « Confirmer » would do. */
  readonly ready = $derived.by((): Action | null => {
    if (this.intent?.kind === 'close') return this.intent.action;
    return this.intent?.kind === 'throw' ? (throwOf(this.moves, this.intent.card) ?? null) : this.action;
  });
  readonly litSeats = $derived.by(() => (this.aimed?.next === 'seat' ? new Set(this.aimed.eligible) : NONE));
  readonly litStock = $derived.by(
    () =>
      new Set<ActionName>([
        ...(this.#board.view.stage === 'play' ? this.moves.plays.map((one) => one.card) : []),
        ...this.moves.throws.map((one) => one.card),
      ]),
  );

  constructor(props: () => BoardProps<View, Action>, acted: () => void) {
    this.#props = props;
    this.#acted = acted;
    // A choice lasts as long as the offer allows it: others may choose at the same time.
    $effect.pre(() => {
      void this.moves;
      untrack(() => {
        if ((this.intent || this.picks.length) && !this.#stands()) this.drop();
      });
    });
  }

  get #board(): BoardProps<View, Action> {
    return this.#props();
  }

  #aimedCard(): ActionName | null {
    const { view } = this.#board;
    if (this.moves.chooses.length) return null;
    if (view.stage === 'gift') return 'gift';
    return this.intent?.kind === 'play' ? this.intent.card : (view.attack?.card ?? null);
  }

  #stands(): boolean {
    const { intent, moves } = this;
    if (intent?.kind === 'throw') return throwOf(moves, intent.card) !== undefined;
    if (intent?.kind === 'close') return 'cell' in intent.action && this.spots.has(intent.action.cell!);
    return this.candidates.length > 0 && aim(this.candidates, this.picks).left.length > 0;
  }

  /** Return the places of a grid that may be touched. */
  litIn(one: number): ReadonlySet<number> {
    const { aimed, intent, target } = this;
    const own = one === this.#board.seat;
    if (intent?.kind === 'close' || intent?.kind === 'throw') return NONE;
    if (!aimed) return own ? new Set(this.spots.keys()) : NONE;
    const { next, eligible } = aimed;
    const theirs = target === one && !own;
    if (next === 'cell' || next === 'cells') return own ? new Set(eligible) : NONE;
    if (next === 'target_cell') return theirs ? new Set(eligible) : NONE;
    if (next === 'column' && (theirs || (target === null && own))) return new Set(eligible.flatMap(columnCells));
    return NONE;
  }

  /** Return the places of a grid that were picked so far. */
  chosenIn(one: number): ReadonlySet<number> {
    const { aimed, intent, target } = this;
    const { seat, view } = this.#board;
    if (intent?.kind === 'close' && one === seat && 'cell' in intent.action) return new Set([intent.action.cell!]);
    if (one === seat && view.chosen.length && view.stage === 'choose') return new Set(view.chosen);
    if (!aimed) return NONE;
    const columns = pickOf(aimed, 'column').flatMap(columnCells);
    if (one === seat)
      return new Set([...pickOf(aimed, 'cell'), ...pickOf(aimed, 'cells'), ...(target === null ? columns : [])]);
    return one === target ? new Set([...pickOf(aimed, 'target_cell'), ...columns]) : NONE;
  }

  /** Return the places of a grid that an attack would hit while it waits for its answer. */
  aimedIn(one: number): ReadonlySet<number> {
    const { attack } = this.#board.view;
    if (!attack || this.intent?.kind === 'mirror') return NONE;
    if (one === attack.seat && attack.cell !== null) return new Set([attack.cell]);
    if (one !== attack.target) return NONE;
    return new Set([
      ...(attack.target_cell === null ? [] : [attack.target_cell]),
      ...(attack.column === null ? [] : columnCells(attack.column)),
    ]);
  }

  drop(): void {
    this.intent = null;
    this.picks = [];
    this.note.clear();
  }

  act(action: Action): void {
    if (this.#board.pending) return;
    this.drop();
    this.#acted();
    this.#board.play(action);
  }

  confirm(): void {
    if (this.ready) this.act(this.ready);
  }

  /** Explain why a touch does nothing. */
  refuse(what: 'cell' | 'stock' | Source, card: ActionName | null = null): void {
    const { caption, view, seat } = this.#board;
    if (caption === undefined) this.note.say(whyNot(view, seat, what, card, this.nameOf));
  }

  /** Pick a place that is lit. */
  pick(one: number, cell: number): void {
    const { aimed } = this;
    const { seat, view } = this.#board;
    this.note.clear();
    if (aimed?.next) {
      this.picks = choose(this.candidates, aimed, aimed.next === 'column' ? cell % COLUMNS : cell).picks;
      return;
    }
    const direct = one === seat ? this.spots.get(cell) : undefined;
    if (!direct || seat === null) return;
    if (closes(view, seat, cell)) this.intent = { kind: 'close', action: direct };
    else this.act(direct);
  }

  /** Touch a place that is not lit: a chosen one is taken back, another of the same kind is chosen instead. */
  retouch(one: number, cell: number): void {
    const { aimed } = this;
    if (!aimed || this.#board.view.stage === 'react') return this.refuse('cell');
    const before = back(this.candidates, aimed);
    if (!before) return this.refuse('cell');
    const wanted = before.next === 'column' ? cell % COLUMNS : cell;
    if (this.chosenIn(one).has(cell)) this.picks = before.picks;
    else if (before.eligible.includes(wanted) && this.action)
      this.picks = choose(this.candidates, before, wanted).picks;
    else this.refuse('cell');
  }

  /** Aim at a seat; return whether it can be aimed at. */
  pickSeat(one: number): boolean {
    if (!this.aimed || !this.litSeats.has(one)) return false;
    this.note.clear();
    this.picks = choose(this.candidates, this.aimed, one).picks;
    return true;
  }

  /** Touch a card of one's stock: the card already picked is put back. */
  pickCard(card: ActionName): void {
    const again = this.intent && 'card' in this.intent && this.intent.card === card;
    this.drop();
    if (again) return;
    const plays = playsOf(this.moves, card).length > 0 && this.#board.view.stage === 'play';
    this.intent = { kind: plays ? 'play' : 'throw', card };
  }

  playHeld(): void {
    const card = this.#board.view.held?.action;
    if (!card || !playsOf(this.moves, card).length) return;
    this.drop();
    this.intent = { kind: 'play', card };
  }

  throwAway(card: ActionName): void {
    this.intent = { kind: 'throw', card };
  }

  answer(wanted: React['answer']): void {
    if (wanted !== 'mirror') return this.act({ type: 'react', answer: wanted });
    this.drop();
    this.intent = { kind: 'mirror' };
  }

  /** Go back by one pick, then out of the card. */
  cancel(): void {
    this.note.clear();
    const before = this.aimed && back(this.candidates, this.aimed);
    if (before) this.picks = before.picks;
    else this.drop();
  }
}
