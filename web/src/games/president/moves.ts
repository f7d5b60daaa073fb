// What the offer lets this seat do, and how touching cards chooses among it. The server makes the list; no rules here.
import type { Offer } from '../../core/types.gen';
import type { Action, Close, Give, Play } from './types.gen';

export type Declare = 'suite' | 'reverse';

/** The legal actions, sorted by kind. */
export interface Moves {
  plays: Play[];
  close: Close | null;
  gives: Give[];
  pass: boolean;
  stop: boolean;
}

export function movesOf(offer: Offer | null): Moves {
  const legal = (offer?.legal ?? []) as Action[];
  return {
    plays: legal.filter((one) => one.type === 'play'),
    close: legal.find((one) => one.type === 'close') ?? null,
    gives: legal.filter((one) => one.type === 'give'),
    pass: legal.some((one) => one.type === 'pass'),
    stop: legal.some((one) => one.type === 'stop'),
  };
}

const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((card) => other.includes(card));
const rank = (card: string | undefined) => card?.[0];

/** The cards that are part of a legal action. */
export function lit(moves: Moves): Set<string> {
  return new Set(
    [...moves.plays, ...moves.gives, ...(moves.close ? [moves.close] : [])].flatMap((one) => one.cards ?? []),
  );
}

/** The play of exactly these cards, with or without a declaration. */
export function playOf(moves: Moves, cards: readonly string[], declare: Declare | null): Play | undefined {
  return moves.plays.find((one) => (one.declare ?? null) === declare && same(one.cards, cards));
}

export const giveOf = (moves: Moves, cards: readonly string[]) =>
  moves.gives.find((one) => same(one.cards ?? [], cards));

/** Cards that leave the hand together: a play, or the closing. */
const sets = (moves: Moves): (Play | Close)[] => [...moves.plays, ...(moves.close ? [moves.close] : [])];
const isSet = (moves: Moves, cards: readonly string[]) => sets(moves).some((one) => same(one.cards, cards));

export const closeOf = (moves: Moves, cards: readonly string[]) =>
  moves.close && same(moves.close.cards, cards) ? moves.close : undefined;

/** The cards that stay chosen when the offer has changed. */
export function kept(moves: Moves, chosen: readonly string[]): string[] {
  const all = lit(moves);
  const stays = moves.gives.length ? chosen.every((card) => all.has(card)) : isSet(moves, chosen);
  return stays ? [...chosen] : [];
}

/** Touching a card: as many of its rank as can be played come along; touching again puts one back or adds one. The closing
 *  comes with a second card of its rank, or at once if its cards cannot be played. */
export function touch(moves: Moves, chosen: readonly string[], card: string): string[] {
  if (moves.gives.length) return touchGift(moves, chosen, card);
  if (rank(chosen[0]) !== rank(card)) return most(moves, card);
  if (!chosen.includes(card)) {
    const more = [...chosen, card];
    if (isSet(moves, more)) return more;
    return more.every((one) => moves.close?.cards.includes(one)) ? [...moves.close!.cards] : most(moves, card);
  }
  const fewer = chosen.filter((one) => one !== card);
  if (isSet(moves, fewer)) return fewer;
  return closeOf(moves, chosen) && !playOf(moves, chosen, null) ? largest(moves.plays, card) : [];
}

/** The largest play with this card in it, or else the closing. */
function most(moves: Moves, card: string): string[] {
  const play = largest(moves.plays, card);
  return play.length ? play : largest(sets(moves), card);
}

function largest(some: readonly (Play | Close)[], card: string): string[] {
  const best = some
    .filter((one) => one.cards.includes(card))
    .reduce<Play | Close | undefined>(
      (held, one) => (held && held.cards.length >= one.cards.length ? held : one),
      undefined,
    );
  return [...(best?.cards ?? [])];
}

/** Exactly so many cards of the rank of `card`, or the chosen cards if they cannot be laid together. */
export function exactly(moves: Moves, chosen: readonly string[], card: string, count: number): string[] {
  const fit = sets(moves).filter((one) => one.cards.length === count && rank(one.cards[0]) === rank(card));
  const held =
    fit.find((one) => chosen.every((other) => one.cards.includes(other))) ??
    fit.find((one) => one.cards.includes(card));
  return [...(held?.cards ?? chosen)];
}

/** Any cards can be given: a further one replaces the card chosen first. */
function touchGift(moves: Moves, chosen: readonly string[], card: string): string[] {
  if (chosen.includes(card)) return chosen.filter((one) => one !== card);
  return [...chosen, card].slice(-(moves.gives[0]?.cards?.length ?? 0));
}
