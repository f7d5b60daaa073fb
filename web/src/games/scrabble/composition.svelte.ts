// One's own tiles: their order on the rack, those laid on the board for now, and the cursor where the next one goes.
import {
  isTaken,
  laidBefore,
  letterAt,
  nextFree,
  reconcile,
  sortedTiles,
  type Grid,
  type Laid,
  type LaidTile,
  type Tile,
} from './compose';
import { along, type Line } from './squares';

export const JOKER = '?';

/** What survives a reload: the tiles in order, and for each one on the board its square, its place in that order and the
 *  letter it shows. */
export interface Draft {
  order: string;
  laid: [square: number, at: number, as: string][];
}

/** What typing a letter led to. */
export type Typed = 'laid' | 'joker' | 'passed' | 'missing' | 'full';

export class Composition {
  /** All of one's tiles in the order of the rack, laid ones included: they come back to where they were. */
  order = $state.raw<readonly Tile[]>([]);
  laid = $state.raw<Laid>(new Map());
  cursor = $state.raw<Line | null>(null);
  /** The tile of the rack that was touched; it goes to the next touched square. */
  picked = $state<number | null>(null);
  #grid: Grid = '';
  #last = 0;

  readonly free = $derived.by(() => {
    const away = new Set([...this.laid.values()].map(({ tile }) => tile.id));
    return this.order.filter(({ id }) => !away.has(id));
  });

  get draft(): Draft {
    const laid = [...this.laid].map(([square, { tile, as }]): Draft['laid'][number] => [
      square,
      this.order.indexOf(tile),
      as,
    ]);
    return { order: this.order.map(({ letter }) => letter).join(''), laid };
  }

  /** Restores a draft if the rack is still the same; before the first `meet`. */
  resume({ order, laid }: Draft, rack: string): void {
    if (sortedTiles([...order]) !== sortedTiles([...rack])) return;
    this.order = [...order].map((letter) => ({ id: ++this.#last, letter }));
    this.laid = new Map(laid.map(([square, at, as]) => [square, { tile: this.order[at]!, as }]));
  }

  /** Takes a new view: tiles whose square is taken or that were played leave the board, and the others stay. */
  meet(grid: Grid, rack: string): void {
    this.#grid = grid;
    const away = new Set([...this.laid.values()].map(({ tile }) => tile));
    const order = reconcile(this.order, away, rack, () => ++this.#last);
    // The same list again would make the page measure the whole rack at every move of the others.
    if (order.length !== this.order.length || order.some((tile, at) => tile !== this.order[at])) this.order = order;
    const mine = new Set(this.order);
    if (this.laid.size)
      this.laid = new Map([...this.laid].filter(([square, { tile }]) => !isTaken(grid, square) && mine.has(tile)));
    if (!this.free.some(({ id }) => id === this.picked)) this.picked = null;
  }

  lay(tile: Tile, square: number, as: string): void {
    if (letterAt(this.#grid, this.laid, square) !== null) return;
    const laid = this.#without(tile.id);
    laid.set(square, { tile, as });
    this.laid = laid;
    this.picked = null;
  }

  /** Lays a tile at the cursor and steps on; false if there is no room. */
  layNext(tile: Tile, as: string): boolean {
    const { cursor } = this;
    const square = cursor && nextFree(this.#grid, this.laid, cursor.square, cursor.down);
    if (!cursor || square === null) return false;
    this.lay(tile, square, as);
    this.cursor = { square: along(square, cursor.down, 1) ?? square, down: cursor.down };
    return true;
  }

  /** Where `layNext` would lay a tile. */
  get next(): number | null {
    return this.cursor && nextFree(this.#grid, this.laid, this.cursor.square, this.cursor.down);
  }

  /** Touch a square: the cursor moves there, then turns down, then disappears. */
  point(square: number): void {
    const { cursor } = this;
    if (cursor?.square !== square) this.cursor = { square, down: cursor?.down ?? false };
    else this.cursor = cursor.down ? null : { square, down: true };
  }

  /** Type a letter at the cursor: lay it from the rack, or as a joker if there is no such tile or a joker is wanted. If the
   *  letter already stands there, step over it, so that a word can be typed with the letters on the board or without. */
  type(letter: string, asJoker = false): Typed {
    const { cursor } = this;
    if (!cursor) return 'full';
    if (letterAt(this.#grid, this.laid, cursor.square)?.toUpperCase() === letter) {
      const square = along(cursor.square, cursor.down, 1);
      if (square !== null) this.cursor = { ...cursor, square };
      return 'passed';
    }
    const joker = this.free.find((tile) => tile.letter === JOKER);
    const own = asJoker && joker ? undefined : this.free.find((tile) => tile.letter === letter);
    const tile = own ?? joker;
    if (!tile) return 'missing';
    if (!this.layNext(tile, own ? letter : letter.toLowerCase())) return 'full';
    return own ? 'laid' : 'joker';
  }

  /** Takes the tile at the cursor back, or the last one before it, and steps there; without a cursor, the one laid last. */
  back(): LaidTile | null {
    const { cursor } = this;
    if (!cursor) return this.takeBack([...this.laid.keys()].at(-1) ?? -1);
    const square = this.laid.has(cursor.square)
      ? cursor.square
      : laidBefore(this.#grid, this.laid, cursor.square, cursor.down);
    if (square === null) return null;
    this.cursor = { ...cursor, square };
    return this.takeBack(square);
  }

  takeBack(square: number): LaidTile | null {
    const one = this.laid.get(square) ?? null;
    if (one) this.laid = this.#without(one.tile.id);
    return one;
  }

  recall(): void {
    this.laid = new Map();
    this.picked = null;
    this.cursor = null;
  }

  /** Puts a tile where another one is on the rack; those between move up. */
  reorder(id: number, to: number): void {
    const tile = this.order.find((one) => one.id === id);
    if (!tile) return;
    const rest = this.order.filter((one) => one !== tile);
    this.order = [...rest.slice(0, to), tile, ...rest.slice(to)];
  }

  shuffle(random: () => number = Math.random): void {
    const order = [...this.order];
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    this.order = order;
  }

  #without(id: number): Map<number, LaidTile> {
    return new Map([...this.laid].filter(([, { tile }]) => tile.id !== id));
  }
}
