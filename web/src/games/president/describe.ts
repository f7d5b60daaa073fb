// Each step in a sentence or two, for the live region and the list of moves.
import type { Describe, GameEvent } from '../../core/game';
import type { Moment } from '../../core/moments';
import { actionOf, endedManche, endedTrick, madeExchange, titleOf, titlesOf, wentOut } from './story';
import type { Action, Gift, View } from './types.gen';
import { aRank, cardList, list, setWords, t } from './words';

type Context = Parameters<Describe<View>>[0];

export const describe: Describe<View> = (context) => {
  const action = actionOf(context.step);
  if (!action) return null;
  const clock = context.step.cause === 'clock' ? [t('say.clock')] : [];
  return [
    ...clock,
    ...acted(context, action),
    ...turned(context, action),
    ...ended(context, action),
    ...left(context),
    ...manche(context),
    ...exchanged(context),
  ].join(' ');
};

/** What the clock played for the reader, a révolution, and a closing out of turn. */
export const event = (context: Context): GameEvent | null => {
  const { step, seat, view, previous } = context;
  const action = actionOf(step);
  if (!action || action.type === 'leave') return null;
  const [own, late] = [step.seat === seat, step.cause === 'clock'];
  const turns = view.revolution !== (previous?.revolution ?? view.revolution) && action.type === 'play';
  const cuts = action.type === 'close' && endedTrick(previous, view)?.plays.at(-1)?.out_of_turn === true;
  if (!turns && !cuts && !(own && late)) return null;
  const clock = late ? [t('say.clock')] : [];
  const text = [...clock, ...acted(context, action), ...turned(context, action)].join(' ');
  return { text, tone: own && late ? 'warn' : 'plain' };
};

/** Marks the end of a manche, révolutions, closings and players who go out. */
export const moment = (context: Context): Moment | null => {
  const { step, view, previous } = context;
  const closes = actionOf(step)?.type === 'close';
  const cuts = closes && endedTrick(previous, view)?.plays.at(-1)?.out_of_turn === true;
  const out = wentOut(previous, view);
  const weight = Math.max(
    endedManche(previous, view) ? (view.stage === 'over' ? 10 : 6) : 0,
    view.revolution !== (previous?.revolution ?? view.revolution) ? 7 : 0,
    cuts ? 4 : closes ? 2 : 0,
    out.some((seat) => view.seats[seat]!.place === 1) ? 3 : out.length ? 2 : 0,
  );
  const text = weight ? describe(context) : null;
  return text ? { text, weight } : null;
};

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Context, actor: number, key: string, values = {}): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}`, { name: who(actor), ...values });
}

function acted(context: Context, action: Action): string[] {
  const { step, view, previous } = context;
  switch (action.type) {
    case 'play':
      return [say(context, step.seat, action.declare ?? 'play', { set: setWords(action.cards) })];
    case 'close': {
      const outOfTurn = endedTrick(previous, view)?.plays.at(-1)?.out_of_turn;
      return [say(context, step.seat, outOfTurn ? 'close_out' : 'close', { set: setWords(action.cards) })];
    }
    case 'give':
      return [say(context, step.seat, 'give', { cards: cardList(action.cards ?? []) })];
    case 'pass':
    case 'stop':
    case 'leave':
      return [say(context, step.seat, action.type)];
  }
}

/** A carré turns the order; a pair of equal ranks asks for a third, a pass sets free. */
function turned({ view, previous }: Context, action: Action): string[] {
  if (!previous) return [];
  if (action.type === 'play' && action.cards.length === 4)
    return [t(previous.revolution ? 'say.counter' : 'say.revolution')];
  const [before, now] = [previous.demand?.ou_rien ?? false, view.demand?.ou_rien ?? false];
  if (now && !before) return [t('say.ou_rien', { a: aRank(view.demand!.ranks[0]!) })];
  return before && !now && view.trick.length ? [t('say.ou_rien.over')] : [];
}

const SAID_BY_THE_PLAY = new Set(['carre', 'stop', 'manche']);

function ended({ view, previous }: Context, action: Action): string[] {
  const trick = endedTrick(previous, view);
  if (!trick || action.type === 'close' || SAID_BY_THE_PLAY.has(trick.ending)) return [];
  return [t.any(`say.end.${trick.ending}`)];
}

/** Who laid their last card, while the others play on. */
function left(context: Context): string[] {
  const { view, previous } = context;
  return wentOut(previous, view).map((seat) => {
    const { place } = view.seats[seat]!;
    if (place) return say(context, seat, 'out', { title: t(`title.${titleOf(place, view.seats.length)}`) });
    return say(context, seat, 'sunk', { a: aRank(previous!.closing_rank) });
  });
}

function manche(context: Context): string[] {
  const { view, previous } = context;
  const result = endedManche(previous, view);
  if (!result) return [];
  const titles = titlesOf(result);
  const named = result.ranking
    .filter((seat) => titles[seat] !== 'neutre')
    .map((seat) => say(context, seat, 'titled', { title: t.any(`title.${titles[seat]}`) }));
  return [t('say.manche', { manche: view.results.length, titles: list(named) })];
}

function exchanged(context: Context): string[] {
  const gifts = madeExchange(context.previous, context.view);
  return gifts
    .filter((_, at) => at % 2 === 0)
    .map((gift) =>
      swapped(
        context,
        gift,
        gifts.find((other) => other.giver === gift.receiver)!,
      ),
    );
}

function swapped(context: Context, down: Gift, up: Gift): string {
  const { who, seat } = context;
  const mine = [down, up].find((gift) => gift.giver === seat);
  if (!mine) return `${t('exchange.others', { upper: who(down.giver), lower: who(up.giver), count: down.count })}.`;
  const taken = mine === down ? up : down;
  return t('say.exchange.you', { given: cardList(mine.cards), name: who(mine.receiver), taken: cardList(taken.cards) });
}
