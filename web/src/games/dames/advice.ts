// What the coach says about a decision, and amounts of its unit: chances to win, of results from −1 to 1.
import type { Reason } from '../../core/advice';
import { figure, type Values } from '../../i18n';
import { t } from './words';

export function advice({ code, values }: Reason): string | null {
  const said: Values = { ...values };
  if (typeof values.men === 'number') said.men = figure(values.men);
  return t.find(`advice.${code}`, said) ?? null;
}

export const amount = (value: number) => t('unit.win', { amount: figure(Math.round(value * 50)) });

/** A value in men, as players say it: « 0,8 pion ». */
export const men = (value: number) => t('unit.men', { count: value, amount: figure(Math.round(value * 10) / 10) });
