// Each step in a sentence or two, for the live region and the list of moves.
import type { Describe, GameEvent } from '../../core/game';
import type { Moment } from '../../core/moments';
import { lang } from '../../i18n';
import { theCard } from '../../ui/cards/card';
import { actionOf, finishedDeals, finishedTrick, takenWith } from './story';
import type { Action, View } from './types.gen';
import { koras, t } from './words';

type Context = Parameters<Describe<View>>[0];

export const describe: Describe<View> = (context) => {
  const action = actionOf(context.step);
  if (!action) return null;
  const clock = context.step.cause === 'clock' ? [t('say.clock')] : [];
  return [...clock, ...acted(context, action), ...ended(context)].join(' ');
};

/** A card that the clock played, and a stake that is proposed, accepted or refused. */
export const event = (context: Context): GameEvent | null => {
  const { step, seat } = context;
  const action = actionOf(step);
  if (!action || action.type === 'leave') return null;
  const late = step.cause === 'clock';
  if (!late && action.type === 'play') return null;
  const clock = late ? [t('say.clock')] : [];
  return { text: [...clock, ...acted(context, action)].join(' '), tone: late && step.seat === seat ? 'warn' : 'plain' };
};

/** Marks the end of each deal: an exploit weighs more, and the last deal most. */
export const moment = (context: Context): Moment | null => {
  const { view, previous } = context;
  const [deal] = previous ? finishedDeals(previous.won.length, view) : [];
  const text = deal ? describe(context) : null;
  if (!deal || !text) return null;
  const exploit = deal.result !== null && deal.result.reason !== 'trick';
  return { text, weight: view.stage === 'over' ? 10 : exploit ? 6 : 3 };
};

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Context, actor: number, key: string, values = {}, form = ''): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}${form}`, { name: who(actor), ...values });
}

function acted(context: Context, action: Action): string[] {
  const { step, view, previous } = context;
  switch (action.type) {
    case 'play':
      return played(context, action.card);
    case 'propose':
      return [say(context, step.seat, 'propose', { koras: koras(action.stake) })];
    case 'accept':
    case 'refuse': {
      if (!previous) return [say(context, step.seat, action.type, {}, '.short')];
      const stake = action.type === 'accept' ? previous.stake : previous.table_stake;
      return [say(context, step.seat, action.type, { koras: koras(stake) })];
    }
    case 'leave':
      return [say(context, view.left ?? step.seat, step.cause === 'resign' ? 'resign' : 'leave')];
  }
}

function played(context: Context, card: string): string[] {
  const { step, view, previous } = context;
  const trick = finishedTrick(previous, view, step);
  const values = { card: theCard(card, lang.current) };
  if (!trick) return [say(context, step.seat, 'play', values)];
  if (takenWith(trick) === card) return [say(context, step.seat, 'take', values)];
  return [say(context, step.seat, 'play', values), say(context, trick.winner, 'keep')];
}

function ended(context: Context): string[] {
  const { view, previous } = context;
  if (!previous) return [];
  return finishedDeals(previous.won.length, view).flatMap(({ deal, winner, paid, result }) => {
    const won = say(context, winner, 'deal', { deal, koras: koras(paid) });
    return result && result.reason !== 'trick' ? [won, t(`say.${result.reason}`)] : [won];
  });
}
