// The 52 cards. On the wire a card is two characters: rank `A23456789TJQK`, suit `SHDC`.
import type { Lang } from '../../i18n';

export type Suit = 'S' | 'H' | 'D' | 'C';
export type Rank = 'A' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'T' | 'J' | 'Q' | 'K';

const RANKS = 'A23456789TJQK';
/** Left to right in a hand: black and red alternate, so that neighbours look different. */
const HAND_ORDER = 'SHCD';

/** The 52 cards in the order in which docs/fairness.md publishes them. */
export const PACK = [...'SHDC'].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** Whether a text is a card. */
export const isCard = (text: string) => PACK.includes(text);

export const rankOf = (card: string) => card[0] as Rank;
export const suitOf = (card: string) => card[1] as Suit;

/** By suit, then from the lowest to the highest. */
export function sortHand<T>(cards: readonly T[], code: (card: T) => string): T[] {
  const key = (card: T) => HAND_ORDER.indexOf(code(card)[1]!) * RANKS.length + RANKS.indexOf(code(card)[0]!);
  return [...cards].sort((a, b) => key(a) - key(b));
}

const INDICES: Record<Lang, Partial<Record<Rank, string>>> = {
  fr: { T: '10', J: 'V', Q: 'D', K: 'R' },
  en: { T: '10' },
};

/** The letter in the corner: « V » for a valet, “J” for a jack. */
export const indexOf = (card: string, lang: Lang) => INDICES[lang][rankOf(card)] ?? rankOf(card);

const RANK_NAMES: Record<Lang, string[]> = {
  fr: ['as', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix', 'valet', 'dame', 'roi'],
  en: ['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'],
};
const SUIT_NAMES: Record<Lang, Record<Suit, string>> = {
  fr: { S: 'pique', H: 'cœur', D: 'carreau', C: 'trèfle' },
  en: { S: 'spades', H: 'hearts', D: 'diamonds', C: 'clubs' },
};

const rankName = (card: string, lang: Lang) => RANK_NAMES[lang][RANKS.indexOf(card[0]!)]!;
export const suitName = (suit: Suit, lang: Lang) => SUIT_NAMES[lang][suit];

/** « sept de cœur », “seven of hearts” */
export const cardName = (card: string, lang: Lang) =>
  `${rankName(card, lang)} ${lang === 'fr' ? 'de' : 'of'} ${suitName(suitOf(card), lang)}`;

/** « le sept de cœur », « l’as de pique », « la dame de trèfle », “the seven of hearts” */
export function theCard(card: string, lang: Lang): string {
  const name = cardName(card, lang);
  if (lang === 'en') return `the ${name}`;
  if (rankOf(card) === 'A') return `l’${name}`;
  return `${rankOf(card) === 'Q' ? 'la' : 'le'} ${name}`;
}
