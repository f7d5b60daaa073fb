// A position as text: for the address of the page, and for links from a replay.
import { EMPTY, type Grid } from '../compose';
import { ALPHABET, countOf } from '../letters';
import { SIZE } from '../squares';
import type { View } from '../types.gen';

export const EMPTY_GRID: Grid = EMPTY.repeat(SIZE * SIZE);
export const RACK = 7;
export const PAGE = '/analyse/scrabble';

/** What the address of the page may hold; everything is optional. */
export interface Linked {
  grid: Grid;
  rack: string;
  scores: number[];
  toAct: number;
  lexicon: string;
}

export const rowsOf = (grid: Grid) =>
  Array.from({ length: SIZE }, (_, row) => grid.slice(row * SIZE, (row + 1) * SIZE));

/** The rows with their letters, and numbers for empty squares: « 15/7MOTS4/… », as programs for chess write boards. */
export const writeGrid = (grid: Grid) =>
  rowsOf(grid)
    .map((row) => row.replace(/\.+/g, (gap) => String(gap.length)))
    .join('/');

/** Reads what `writeGrid` wrote; null if it is something else. */
export function readGrid(text: string): Grid | null {
  const rows = text
    .split('/')
    .map((row) => row.replace(/\d+/g, (gap) => EMPTY.repeat(Math.min(Number(gap), SIZE + 1))));
  return rows.length === SIZE && rows.every((row) => /^[A-Za-z.]{15}$/.test(row)) ? rows.join('') : null;
}

/** The address of the analysis page with a position. */
export function writeLink({ grid, rack, scores, toAct, lexicon }: Linked): string {
  const fields = new URLSearchParams({ grille: writeGrid(grid), chevalet: rack });
  if (scores.some(Boolean)) fields.set('scores', scores.join('_'));
  if (toAct) fields.set('trait', String(toAct));
  if (lexicon) fields.set('lexique', lexicon);
  return `${PAGE}?${fields}`;
}

/** The position in the address of the page; null if there is none. */
export function readLink(query: string): Linked | null {
  const fields = new URLSearchParams(query);
  const grid = readGrid(fields.get('grille') ?? '');
  if (grid === null) return null;
  const scores = (fields.get('scores') ?? '0_0')
    .split('_')
    .slice(0, 4)
    .map((score) => Number(score) || 0);
  while (scores.length < 2) scores.push(0);
  const toAct = Math.min(Math.max(Number(fields.get('trait')) || 0, 0), scores.length - 1);
  return { grid, rack: cleanRack(fields.get('chevalet') ?? ''), scores, toAct, lexicon: fields.get('lexique') ?? '' };
}

/** Where « Analyser » of a replay leads: the whole match if the server has it, else the position. */
export function linkFrom({ view, seat, id }: { view: View; seat: number | null; id: string | null }): string {
  if (id) return `${PAGE}?${new URLSearchParams({ partie: id, tour: String(view.log.length) })}`;
  return writeLink({
    grid: view.board.join(''),
    rack: view.rack,
    scores: view.scores,
    toAct: seat ?? view.to_act ?? 0,
    lexicon: view.options.lexicon ?? '',
  });
}

/** A rack as typed: capitals without accents, `?` for a joker; other characters stay, so that the server can name them. */
export const cleanRack = (typed: string) =>
  typed
    .toUpperCase()
    .normalize('NFD')
    .replace(/[\s\p{M}]/gu, '')
    .replaceAll('*', '?')
    .slice(0, 20);

/** A word as typed, without accents: a small letter among capitals is a joker, and a word in small letters has none. */
export function lettersOf(typed: string): string {
  const word = typed.normalize('NFD').replace(/[\s\p{M}]/gu, '');
  return word === word.toLowerCase() ? word.toUpperCase() : word;
}

const asTile = (letter: string) => (letter === letter.toUpperCase() ? letter : '?');

/** How many tiles of each letter are neither on the board nor on a rack; negative if there are too many. */
export function unseenTiles(grid: Grid, rack: string): Map<string, number> {
  const left = new Map([...ALPHABET, '?'].map((letter) => [letter, countOf(letter)]));
  for (const one of [...grid]
    .filter((letter) => letter !== EMPTY)
    .map(asTile)
    .concat([...rack]))
    left.set(one, (left.get(one) ?? 0) - 1);
  return left;
}

/** The tiles that a play takes from the rack, jokers as `?`. */
export const tilesOf = (tiles: string) => [...tiles].filter((letter) => letter !== EMPTY).map(asTile);

/** What is left of a rack without some tiles. */
export function without(rack: string, tiles: readonly string[]): string {
  const left = [...rack];
  for (const tile of tiles) {
    const at = left.indexOf(tile);
    if (at >= 0) left.splice(at, 1);
  }
  return left.join('');
}
