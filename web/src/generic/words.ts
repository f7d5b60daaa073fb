import { t } from '../i18n';
import { readable } from '../core/labels';

/** A value in a few words: « 3 », « yes », « 7S 8S ». */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return t('generic.none');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.length ? value.map(valueWords).join(' ') : t('generic.none');
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, one]) => `${readable(key)} ${valueWords(one)}`)
      .join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `{type: "play", card: "7S"}` → « play · card 7S ». */
export function actionWords(action: unknown): string {
  if (typeof action !== 'object' || action === null) return valueWords(action);
  const { type, ...fields } = action as Record<string, unknown>;
  const rest = Object.entries(fields).map(([key, value]) => `${readable(key)} ${valueWords(value)}`);
  return [readable(typeof type === 'string' ? type : ''), ...rest].filter(Boolean).join(' · ');
}

/** Whether a value fits on one line. */
export function isShort(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null);
}
