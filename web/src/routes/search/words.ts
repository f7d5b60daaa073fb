import { paceLabel } from '../../core/pace';
import { PRESETS } from '../../core/paces.gen';
import en from '../../i18n/search.en.json';
import fr from '../../i18n/search.fr.json';
import { translator } from '../../i18n';

/** The words of « Jouer maintenant ». */
export const t = translator({ fr, en });

/** A usual pace in a few words: « 10 min + 5 s ». */
export const paceName = (name: string) => paceLabel(PRESETS[name] ?? null);

/** « 0:07 », « 1:42 ». */
export function minutes(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
