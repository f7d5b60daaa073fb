// The board's own words, loaded with it; those the frame needs are in `meta.ts`.
import { lang, translator } from '../../i18n';
import { theCard } from '../../ui/cards/card';
import en from './board.en.json';
import fr from './board.fr.json';

export const t = translator({ fr, en });

/** « valet », « 7 » */
export const rankWord = (rank: string) => t.any(`rank.${rank}`);
/** « un valet », « une dame », « un 7 » */
export const aRank = (rank: string) => t.any(`rank.${rank}.a`);
/** « de valets », « d’as », « de 7 » */
export const ofRank = (rank: string) => t.any(`rank.${rank}.of`);

/** « le sept de cœur », « une paire de 7 », « un brelan d’as » */
export function setWords(cards: readonly string[]): string {
  return cards.length === 1
    ? theCard(cards[0]!, lang.current)
    : t.any(`set.${cards.length}`, { of: ofRank(cards[0]![0]!) });
}

/** « le trois de pique et l’as de cœur » */
export const cardList = (cards: readonly string[]) => list(cards.map((card) => theCard(card, lang.current)));

export function list(words: readonly string[]): string {
  return new Intl.ListFormat(lang.current, { type: 'conjunction' }).format(words);
}

/** « passez ou fermez le pli » */
export function either(words: readonly string[]): string {
  return new Intl.ListFormat(lang.current, { type: 'disjunction' }).format(words);
}

export const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
