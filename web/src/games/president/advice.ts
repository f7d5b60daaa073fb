// What the coach says about a decision, and amounts of its unit.
import type { Reason } from '../../core/advice';
import { figure, type Values } from '../../i18n';
import { cardList, setWords, t } from './words';

const SETS = ['set', 'kept', 'other'];

export function advice({ code, values }: Reason): string | null {
  const said: Values = { ...values };
  for (const name of SETS) if (name in values) said[name] = setWords(values[name] as string[]);
  if ('cards' in values) said.cards = cardList(values.cards as string[]);
  return t.find(`advice.${code}`, said) ?? null;
}

export const amount = (value: number) =>
  t('unit.points', { count: value, amount: figure(Math.round(value * 100) / 100) });
