// Each step in a sentence or two, for the live region and the list of moves.
import type { Describe } from '../../core/game';
import { lang } from '../../i18n';
import { theCard } from '../../ui/cards/card';
import { actionOf, finishedDeals, finishedTrick, takenWith } from './story';
import type { Action, View } from './types.gen';
import { koras, t } from './words';

type Told = Parameters<Describe<View>>[0];

export const describe: Describe<View> = (told) => {
  const action = actionOf(told.step);
  if (!action) return null;
  const clock = told.step.cause === 'clock' ? [t('say.clock')] : [];
  return [...clock, ...acted(told, action), ...ended(told)].join(' ');
};

/** The end of each deal is what one looks for. */
export const moment: Describe<View> = (told) => {
  const done = told.previous !== null && told.view.won.length > told.previous.won.length;
  return done || told.step.action === null ? describe(told) : null;
};

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Told, actor: number, key: string, values = {}, form = ''): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}${form}`, { name: who(actor), ...values });
}

function acted(told: Told, action: Action): string[] {
  const { step, view, previous } = told;
  switch (action.type) {
    case 'play':
      return played(told, action.card);
    case 'propose':
      return [say(told, step.seat, 'propose', { koras: koras(action.stake) })];
    case 'accept':
    case 'refuse': {
      if (!previous) return [say(told, step.seat, action.type, {}, '.short')];
      const stake = action.type === 'accept' ? previous.stake : previous.table_stake;
      return [say(told, step.seat, action.type, { koras: koras(stake) })];
    }
    case 'leave':
      return [say(told, view.left ?? step.seat, 'leave')];
  }
}

function played(told: Told, card: string): string[] {
  const { step, view, previous } = told;
  const trick = finishedTrick(previous, view, step);
  const values = { card: theCard(card, lang.current) };
  if (!trick) return [say(told, step.seat, 'play', values)];
  if (takenWith(trick) === card) return [say(told, step.seat, 'take', values)];
  return [say(told, step.seat, 'play', values), say(told, trick.winner, 'keep')];
}

function ended(told: Told): string[] {
  const { view, previous } = told;
  if (!previous) return [];
  return finishedDeals(previous.won.length, view).flatMap(({ deal, winner, paid, result }) => {
    const won = say(told, winner, 'deal', { deal, koras: koras(paid) });
    return result && result.reason !== 'trick' ? [won, t(`say.${result.reason}`)] : [won];
  });
}
