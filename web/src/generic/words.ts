// Words for the views and actions of a game that has no board here: the game's own if its meta file has them, else the names
// of its fields.
import { gameText } from '../core/games';
import { readable } from '../core/labels';
import { seatName } from '../core/seats';
import type { Range, SeatInfo } from '../core/types.gen';
import { lang, t } from '../i18n';
import { cardName, isCard } from '../ui/cards/card';

/** What turns codes into words: the key of the game and the players. */
export interface Reader {
  game?: string;
  seats: readonly SeatInfo[];
}

type Fields = Record<string, unknown>;

/** Fields whose number is a seat in any game. */
const SEAT_FIELDS = new Set(
  'seat seats player players to_move to_act turn leader dealer lead led_by winner winners must waiting target from to by owner holder next'.split(
    ' ',
  ),
);

export const fieldWords = (name: string, { game }: Reader) =>
  (game && gameText(game, `fields.${name}`)) || readable(name);

export const typeWords = (type: string, { game }: Reader) =>
  (game && gameText(game, `actions.${type}`)) || readable(type);

const isSeat = (value: unknown, field: string, { seats }: Reader): value is number =>
  typeof value === 'number' && Number.isInteger(value) && SEAT_FIELDS.has(field) && seats[value] !== undefined;

/** A text, a number or nothing in a few words: « 3 », « oui », « sept de pique », the name of a player. */
export function scalarWords(value: unknown, field: string, reader: Reader): string {
  if (value === null || value === undefined || value === '') return t('generic.none');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (isSeat(value, field, reader)) return seatName(reader.seats[value], value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (isCard(value)) return cardName(value, lang.current);
  return (reader.game && gameText(reader.game, `values.${value}`)) || readable(value);
}

/** Any value in a few words. */
export function valueWords(value: unknown, field: string, reader: Reader): string {
  if (Array.isArray(value)) return value.map((one) => valueWords(one, field, reader)).join(', ') || t('generic.none');
  if (typeof value !== 'object' || value === null) return scalarWords(value, field, reader);
  return Object.entries(value)
    .map(([name, one]) => `${fieldWords(name, reader)} ${valueWords(one, name, reader)}`)
    .join(', ');
}

export const typeOf = (action: unknown): string => {
  const type = (action as { type?: unknown } | null)?.type;
  return typeof type === 'string' ? type : '';
};

/** The fields of an action, its type aside. */
export function fieldsOf(action: unknown): [string, unknown][] {
  if (typeof action !== 'object' || action === null) return [['', action]];
  return Object.entries(action as Fields).filter(([name]) => name !== 'type');
}

/** `{type: "play", card: "7S"}` → « play · card sept de pique ». */
export function actionWords(action: unknown, reader: Reader): string {
  const fields = fieldsOf(action).map(([name, value]) =>
    [name && fieldWords(name, reader), valueWords(value, name, reader)].filter(Boolean).join(' '),
  );
  return [typeWords(typeOf(action), reader), ...fields].filter(Boolean).join(' · ');
}

/** Whether a value fits in one line. */
export function isShort(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null);
}

/** The entries of a view or a part of it; the options of the match come last. */
export function entriesOf(value: object): [string, unknown][] {
  const entries = Object.entries(value) as [string, unknown][];
  return [...entries.filter(([name]) => name !== 'options'), ...entries.filter(([name]) => name === 'options')];
}

/** Whether a list has one entry for each player: it is as long as the table and not a plain list of cards or numbers. */
export const isBySeat = (list: readonly unknown[], { seats }: Reader) =>
  list.length > 1 && list.length === seats.length && !isShort(list);

export interface Group {
  type: string;
  actions: unknown[];
  ranges: Range[];
}

/** The actions of an offer by their type, in the order of the first of each; ranges come first, so that they stay in sight. */
export function groups(legal: readonly unknown[], ranges: readonly Range[]): Group[] {
  const found = new Map<string, Group>();
  const of = (type: string) => {
    const group = found.get(type) ?? { type, actions: [], ranges: [] };
    found.set(type, group);
    return group;
  };
  for (const range of ranges) of(typeOf(range.action)).ranges.push(range);
  for (const action of legal) of(typeOf(action)).actions.push(action);
  return [...found.values()];
}
