import { PRESETS } from '../../core/paces.gen';
import en from '../../i18n/search.en.json';
import fr from '../../i18n/search.fr.json';
import { translator } from '../../i18n';

/** The words of « Jouer maintenant ». */
export const t = translator({ fr, en });

/** A usual pace in a few words: « 10 min + 5 s ». */
export function paceName(name: string): string {
  const pace = PRESETS[name];
  if (!pace) return t('pace.rules');
  if (pace.kind === 'days') return t('pace.days', { count: pace.days });
  const main = pace.main / 60;
  if (pace.kind === 'byo_yomi') return t('pace.byo_yomi', { main, periods: pace.periods, seconds: pace.seconds });
  if (pace.kind === 'bronstein') return t('pace.bronstein', { main, delay: pace.delay });
  return t('pace.fischer', { main, increment: pace.increment });
}

/** « 0:07 », « 1:42 ». */
export function minutes(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
