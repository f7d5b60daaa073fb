// The state of the analysis page: positions in a row, which one is shown, and the cursor on its board.
import { EMPTY, isTaken, put, type Grid } from '../compose';
import { newTiles } from '../story';
import { along, squareName, type Line } from '../squares';
import type { Candidate, OpenAnswer, Turn } from '../types.gen';
import { EMPTY_GRID, tilesOf, without, type Linked } from './position';

/** A position, and the turn that led to it from the one before. */
export interface Spot {
  grid: Grid;
  /** The tiles of each player, as far as they are known. */
  racks: readonly string[];
  scores: readonly number[];
  toAct: number;
  turn: Turn | null;
}

interface Kept {
  spots: readonly Spot[];
  at: number;
  names: readonly string[];
}

/** Why a word cannot be written on the board. */
export type Misfit = { code: 'off_board' | 'contradicts' | 'not_letters'; values: Record<string, string> };

const MOST_KEPT = 100;
const START: Spot = { grid: EMPTY_GRID, racks: ['', ''], scores: [0, 0], toAct: 0, turn: null };

export class Editor {
  spots = $state.raw<readonly Spot[]>([START]);
  at = $state(0);
  names = $state.raw<readonly string[]>(['', '']);
  lexicon = $state('');
  cursor = $state.raw<Line | null>(null);
  #kept = $state.raw<readonly Kept[]>([]);
  #field = '';

  readonly spot = $derived(this.spots[this.at]!);
  readonly rack = $derived(this.spot.racks[this.spot.toAct] ?? '');
  readonly canUndo = $derived(this.#kept.length > 0);
  /** The tiles that the last turn laid. */
  readonly last = $derived(
    new Set(
      this.spot.turn?.kind === 'place'
        ? [...this.spot.grid].flatMap((letter, square) =>
            letter !== this.spots[this.at - 1]!.grid[square] ? [square] : [],
          )
        : [],
    ),
  );

  /** Keeps the present state for `undo`; several changes of one field in a row are one. */
  #keep(field = ''): void {
    if (field && field === this.#field) return;
    this.#field = field;
    this.#kept = [...this.#kept.slice(1 - MOST_KEPT), { spots: this.spots, at: this.at, names: this.names }];
  }

  /** Takes the last change back. */
  undo(): void {
    const before = this.#kept.at(-1);
    if (!before) return;
    this.#kept = this.#kept.slice(0, -1);
    this.#field = '';
    [this.spots, this.at, this.names] = [before.spots, before.at, before.names];
    this.cursor = null;
  }

  go(at: number): void {
    this.#field = '';
    this.at = Math.min(Math.max(at, 0), this.spots.length - 1);
    this.cursor = null;
  }

  /** Changes the position that is shown. Turns after it would no longer fit, nor would those before it if the board
   *  changed. */
  #change(change: Partial<Spot>, field = ''): void {
    this.#keep(field);
    const spot = { ...this.spot, ...change };
    const newBoard = change.grid !== undefined && change.grid !== this.spot.grid;
    this.spots = newBoard ? [{ ...spot, turn: null }] : [...this.spots.slice(0, this.at), spot];
    if (newBoard) this.at = 0;
  }

  setRack(rack: string): void {
    if (rack === this.rack) return;
    this.#change({ racks: this.spot.racks.map((one, seat) => (seat === this.spot.toAct ? rack : one)) }, 'rack');
  }

  setScore(seat: number, score: number): void {
    this.#change({ scores: this.spot.scores.map((one, other) => (other === seat ? score : one)) }, `score ${seat}`);
  }

  setToAct(toAct: number): void {
    if (toAct !== this.spot.toAct) this.#change({ toAct });
  }

  /** Empties board, racks and scores. */
  clear(): void {
    this.#keep();
    [this.spots, this.at, this.names] = [[START], 0, ['', '']];
    this.cursor = null;
  }

  load({ grid, rack, scores, toAct, lexicon }: Linked): void {
    this.#keep();
    const racks = scores.map((_, seat) => (seat === toAct ? rack : ''));
    [this.spots, this.at] = [[{ grid, racks, scores, toAct, turn: null }], 0];
    [this.names, this.lexicon, this.cursor] = [scores.map(() => ''), lexicon, null];
  }

  /** Shows a match that the server read, at one of its turns. */
  open({ names, lexicon, moments }: OpenAnswer, at = 0): void {
    this.#keep();
    this.spots = moments.map(({ board, racks, scores, to_act, turn }) => ({
      grid: board.join(''),
      racks,
      scores,
      toAct: to_act ?? 0,
      turn,
    }));
    [this.names, this.lexicon] = [names, lexicon];
    this.go(at);
  }

  /** Plays a turn: the score counts, the tiles leave the rack, and the next player is to act. */
  play(one: Candidate): void {
    this.#keep();
    const { grid, racks, scores, toAct } = this.spot;
    const place = one.kind === 'place';
    const turn: Turn = {
      seat: toAct,
      kind: one.kind,
      rack: this.rack,
      at: one.at,
      word: one.word,
      tiles: place ? '' : one.tiles,
      score: one.score,
    };
    const next: Spot = {
      grid: place ? put(grid, newTiles(one)) : grid,
      racks: racks.map((rack, seat) => (seat === toAct ? without(rack, tilesOf(one.tiles)) : rack)),
      scores: scores.map((score, seat) => (seat === toAct ? score + one.score : score)),
      toAct: (toAct + 1) % scores.length,
      turn,
    };
    this.spots = [...this.spots.slice(0, this.at + 1), next];
    this.go(this.at + 1);
  }

  /** Touch a square: the cursor moves there, then turns down, then disappears. */
  point(square: number): void {
    const { cursor } = this;
    if (cursor?.square !== square) this.cursor = { square, down: cursor?.down ?? false };
    else this.cursor = cursor.down ? null : { square, down: true };
  }

  #write(letters: ReadonlyMap<number, string>): void {
    const grid = put(this.spot.grid, letters);
    if (grid !== this.spot.grid) this.#change({ grid });
  }

  /** Writes a letter at the cursor and steps on; lower case is a joker. */
  type(letter: string): void {
    const { cursor } = this;
    if (!cursor) return;
    this.#write(new Map([[cursor.square, letter]]));
    this.cursor = { ...cursor, square: along(cursor.square, cursor.down, 1) ?? cursor.square };
  }

  /** Erases the tile at the cursor; if there is none, steps back and erases the one before. */
  erase(): void {
    const { cursor } = this;
    if (!cursor) return;
    const here = isTaken(this.spot.grid, cursor.square);
    const square = here ? cursor.square : (along(cursor.square, cursor.down, -1) ?? cursor.square);
    this.#write(new Map([[square, EMPTY]]));
    this.cursor = { ...cursor, square };
  }

  /** Writes a whole word from the cursor; says why it does not fit the letters on the board. */
  writeWord(word: string): Misfit | null {
    const { cursor } = this;
    if (!cursor || !/^[A-Za-z]+$/.test(word)) return { code: 'not_letters', values: { word } };
    const letters = new Map<number, string>();
    for (const [at, letter] of [...word].entries()) {
      const square = along(cursor.square, cursor.down, at);
      if (square === null) return { code: 'off_board', values: { word } };
      const there = this.spot.grid[square]!;
      if (there !== EMPTY && there.toUpperCase() !== letter.toUpperCase())
        return { code: 'contradicts', values: { word, square: squareName(square), letter: there.toUpperCase() } };
      if (there === EMPTY) letters.set(square, letter);
    }
    this.#write(letters);
    this.cursor = { ...cursor, square: along(cursor.square, cursor.down, word.length) ?? cursor.square };
    return null;
  }
}
