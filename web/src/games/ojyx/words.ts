// The board's own words, loaded with it; those the frame needs are in `meta.ts`.
import { lang, translator } from '../../i18n';
import en from './board.en.json';
import fr from './board.fr.json';

export const t = translator({ fr, en });

export function list(words: readonly string[]): string {
  return new Intl.ListFormat(lang.current, { type: 'conjunction' }).format(words);
}

export const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** The name of an action card with the places where a narrow card may break it. */
export function shortName(card: string): string {
  return t.find(`card.${card}.short`) ?? t.any(`card.${card}`);
}
