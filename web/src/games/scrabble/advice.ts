// What the coach says about a decision, and amounts of its unit.
import type { Reason } from '../../core/advice';
import { figure, type Values } from '../../i18n';
import { t } from './words';

export function advice({ code, values }: Reason): string | null {
  const said: Values = { ...values };
  if (Array.isArray(values.words)) said.words = values.words.join(', ');
  return t.find(`advice.${code}`, said) ?? null;
}

export const amount = (value: number) =>
  t('unit.points', { count: value, amount: figure(Math.round(value * 10) / 10) });
