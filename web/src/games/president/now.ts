// What the reader can do now: the lit cards, the buttons and the prompt. All three follow from one offer, so they agree.
import { partnerOf, titleOf } from './story';
import { giveOf, lit, playOf, type Declare, type Moves } from './moves';
import type { Action, Play, View } from './types.gen';
import { either, list, setWords, t } from './words';

type NameOf = (seat: number) => string;

export interface ActionButton {
  key: 'close' | 'play' | Declare | 'stop' | 'pass' | 'give';
  /** Null: the cards for it are not chosen yet. */
  action: Action | null;
  primary: boolean;
}

export interface Now {
  /** The cards that a touch chooses. */
  lit: ReadonlySet<string>;
  buttons: ActionButton[];
  /** The sentence above the hand. */
  prompt: string;
}

export function nowFor(view: View, seat: number | null, moves: Moves, chosen: readonly string[], nameOf: NameOf): Now {
  return { lit: lit(moves), buttons: buttonsFor(moves, chosen), prompt: promptFor(view, seat, moves, nameOf) };
}

const DECLARES: Declare[] = ['suite', 'reverse'];
const declares = (moves: Moves, declare: Declare) => moves.plays.some((one) => one.declare === declare);
const follows = (moves: Moves) => moves.plays.some((one) => !one.declare);

/** Whether some card can be laid only with this declaration. */
const onlyDeclares = (moves: Moves, declare: Declare) =>
  moves.plays.some((one) => one.declare === declare && !playOf(moves, one.cards, null));

function buttonsFor(moves: Moves, chosen: readonly string[]): ActionButton[] {
  const button = (key: ActionButton['key'], action: Action | undefined | null, primary = true): ActionButton => ({
    key,
    action: action ?? null,
    primary,
  });
  const plain = playOf(moves, chosen, null);
  const nothing = !moves.plays.length && !moves.close;
  return [
    ...(moves.close ? [button('close', moves.close)] : []),
    ...(follows(moves) ? [button('play', plain)] : []),
    ...declarations(moves, chosen).map(([key, play]) => button(key, play, !plain)),
    ...(moves.stop ? [button('stop', { type: 'stop' }, nothing)] : []),
    ...(moves.pass ? [button('pass', { type: 'pass' }, nothing)] : []),
    ...(moves.gives.length ? [button('give', giveOf(moves, chosen))] : []),
  ];
}

/** What the chosen cards can declare; without a card that follows, everything that can be declared at all. */
function declarations(moves: Moves, chosen: readonly string[]): [Declare, Play | undefined][] {
  return DECLARES.filter((one) => declares(moves, one))
    .map((one): [Declare, Play | undefined] => [one, playOf(moves, chosen, one)])
    .filter(([, play]) => play || !follows(moves));
}

function promptFor(view: View, seat: number | null, moves: Moves, nameOf: NameOf): string {
  if (view.stage === 'over') return t('prompt.over');
  const mine = seat !== null && view.waiting.includes(seat);
  if (view.stage === 'exchange') return exchangePrompt(view, seat, mine, nameOf);
  if (!mine && moves.close) return t('prompt.close', { all: setWords(moves.close.cards) });
  return mine ? ownPrompt(view, moves) : (afterwards(view, seat) ?? waitPrompt(view, nameOf));
}

function exchangePrompt(view: View, seat: number | null, mine: boolean, nameOf: NameOf): string {
  if (seat !== null && mine) {
    const to = partnerOf(view, seat);
    const title = view.seats[to]!.title!;
    return t('prompt.give', { count: title === 'trouduc' ? 2 : 1, name: nameOf(to), title: t(`title.${title}`) });
  }
  return t(view.gifts.length ? 'prompt.gave' : 'prompt.wait.give', { names: list(view.waiting.map(nameOf)) });
}

function ownPrompt(view: View, moves: Moves): string {
  if (view.stage === 'alone') return t(moves.plays.length ? 'prompt.alone' : 'prompt.alone.none');
  if (!view.trick.length) return t('prompt.lead');
  const can = [
    ...(follows(moves) ? [t('can.follow')] : []),
    ...DECLARES.filter((one) => onlyDeclares(moves, one)).map((one) => t(`can.${one}`)),
    ...(moves.close ? [t('can.close', { all: setWords(moves.close.cards) })] : []),
    ...(moves.pass ? [t('can.pass')] : []),
  ];
  if (!can.length) return t('prompt.yours');
  if (follows(moves)) return t('prompt.follow', { can: either(can) });
  return t(can.length > 1 ? 'prompt.stuck' : 'prompt.pass', { can: either(can) });
}

/** The prompt of a player who has no cards left. */
function afterwards(view: View, seat: number | null): string | null {
  const own = seat === null ? undefined : view.seats[seat];
  if (own?.sunk) return t('prompt.sunk');
  return own?.place ? t('prompt.out', { title: t(`title.${titleOf(own.place, view.seats.length)}`) }) : null;
}

function waitPrompt(view: View, nameOf: NameOf): string {
  const form = view.stage === 'alone' ? '.alone' : view.trick.length ? '' : '.lead';
  return t(`prompt.wait${form}`, { name: nameOf(view.waiting[0] ?? 0) });
}
