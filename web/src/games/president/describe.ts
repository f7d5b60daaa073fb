// Each step in a sentence or two, for the live region and the list of moves.
import type { Describe } from '../../core/game';
import { actionOf, endedManche, endedTrick, madeExchange, titleOf, titlesOf, wentOut } from './story';
import type { Action, Gift, View } from './types.gen';
import { aRank, cardList, list, setWords, t } from './words';

type Told = Parameters<Describe<View>>[0];

export const describe: Describe<View> = (told) => {
  const action = actionOf(told.step);
  if (!action) return null;
  const clock = told.step.cause === 'clock' ? [t('say.clock')] : [];
  return [
    ...clock,
    ...acted(told, action),
    ...turned(told, action),
    ...ended(told, action),
    ...left(told),
    ...manche(told),
    ...exchanged(told),
  ].join(' ');
};

/** Révolutions, closings, who goes out and how a manche ends are what one looks for. */
export const moment: Describe<View> = (told) => {
  const { step, view, previous } = told;
  const action = actionOf(step);
  const marks =
    action?.type === 'close' ||
    view.revolution !== (previous?.revolution ?? view.revolution) ||
    wentOut(previous, view).length > 0 ||
    endedManche(previous, view) !== null;
  return marks ? describe(told) : null;
};

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Told, actor: number, key: string, values = {}): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}`, { name: who(actor), ...values });
}

function acted(told: Told, action: Action): string[] {
  const { step, view, previous } = told;
  switch (action.type) {
    case 'play':
      return [say(told, step.seat, action.declare ?? 'play', { set: setWords(action.cards) })];
    case 'close': {
      const outOfTurn = endedTrick(previous, view)?.plays.at(-1)?.out_of_turn;
      return [say(told, step.seat, outOfTurn ? 'close_out' : 'close', { set: setWords(action.cards) })];
    }
    case 'give':
      return [say(told, step.seat, 'give', { cards: cardList(action.cards ?? []) })];
    case 'pass':
    case 'stop':
    case 'leave':
      return [say(told, step.seat, action.type)];
  }
}

/** A carré turns the order; a pair of equal ranks asks for a third, a pass sets free. */
function turned({ view, previous }: Told, action: Action): string[] {
  if (!previous) return [];
  if (action.type === 'play' && action.cards.length === 4)
    return [t(previous.revolution ? 'say.counter' : 'say.revolution')];
  const [before, now] = [previous.demand?.ou_rien ?? false, view.demand?.ou_rien ?? false];
  if (now && !before) return [t('say.ou_rien', { a: aRank(view.demand!.ranks[0]!) })];
  return before && !now && view.trick.length ? [t('say.ou_rien.over')] : [];
}

const TOLD_BY_THE_PLAY = new Set(['carre', 'stop', 'manche']);

function ended({ view, previous }: Told, action: Action): string[] {
  const trick = endedTrick(previous, view);
  if (!trick || action.type === 'close' || TOLD_BY_THE_PLAY.has(trick.ending)) return [];
  return [t.any(`say.end.${trick.ending}`)];
}

/** Who laid their last card, while the others play on. */
function left(told: Told): string[] {
  const { view, previous } = told;
  return wentOut(previous, view).map((seat) => {
    const { place } = view.seats[seat]!;
    if (place) return say(told, seat, 'out', { title: t(`title.${titleOf(place, view.seats.length)}`) });
    return say(told, seat, 'sunk', { a: aRank(previous!.closing_rank) });
  });
}

function manche(told: Told): string[] {
  const { view, previous } = told;
  const result = endedManche(previous, view);
  if (!result) return [];
  const titles = titlesOf(result);
  const named = result.ranking
    .filter((seat) => titles[seat] !== 'neutre')
    .map((seat) => say(told, seat, 'titled', { title: t.any(`title.${titles[seat]}`) }));
  return [t('say.manche', { manche: view.results.length, titles: list(named) })];
}

function exchanged(told: Told): string[] {
  const gifts = madeExchange(told.previous, told.view);
  return gifts
    .filter((_, at) => at % 2 === 0)
    .map((gift) =>
      swapped(
        told,
        gift,
        gifts.find((other) => other.giver === gift.receiver)!,
      ),
    );
}

function swapped(told: Told, down: Gift, up: Gift): string {
  const { who, seat } = told;
  const mine = [down, up].find((gift) => gift.giver === seat);
  if (!mine) return `${t('exchange.others', { upper: who(down.giver), lower: who(up.giver), count: down.count })}.`;
  const taken = mine === down ? up : down;
  return t('say.exchange.you', { given: cardList(mine.cards), name: who(mine.receiver), taken: cardList(taken.cards) });
}
