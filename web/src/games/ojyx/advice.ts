// What the coach says about a decision, and amounts of its unit.
import type { Reason } from '../../core/advice';
import { figure, type Values } from '../../i18n';
import { t } from './words';

const NUMBERS = ['card', 'old', 'mean'];

export function advice({ code, values }: Reason): string | null {
  const said: Values = { ...values };
  for (const name of NUMBERS) if (name in values) said[name] = figure(values[name] as number);
  if ('action' in values) said.action = t.any(`card.${String(values.action)}`);
  return t.find(`advice.${code}`, said) ?? null;
}

export const amount = (value: number) =>
  t('unit.points', { count: value, amount: figure(Math.round(value * 10) / 10) });
