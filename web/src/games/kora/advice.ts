// What the coach says about a decision, and amounts of its unit.
import type { Reason } from '../../core/advice';
import { figure, lang, type Values } from '../../i18n';
import { theCard } from '../../ui/cards/card';
import { koras, t } from './words';

const CARDS = ['card', 'kept', 'three'];

export function advice({ code, values }: Reason): string | null {
  const said: Values = { ...values };
  for (const name of CARDS) if (name in values) said[name] = theCard(String(values[name]), lang.current);
  if (typeof values.stake === 'number') said.koras = koras(values.stake);
  return t.find(`advice.${code}`, said) ?? null;
}

export const amount = (value: number) => t('unit.koras', { count: value, amount: figure(Math.round(value * 10) / 10) });
