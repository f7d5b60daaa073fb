import en from './en.json';
import fr from './fr.json';

export const LANGUAGES = ['fr', 'en'] as const;
export type Lang = (typeof LANGUAGES)[number];
export type Values = Record<string, unknown>;
export type Messages = Record<Lang, Record<string, string>>;

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type Whole<Key> = Key extends `${infer Base}.${PluralForm}` ? Base : never;
type Section<Key> = Key extends `${infer First}.${string}` ? First : never;

/** The keys of some words; plural forms share the key without their suffix. */
export type KeyOf<Words> = (keyof Words & string) | Whole<keyof Words>;

/** Finds the words for a key. A key that the words do not have does not compile. */
export interface Translate<Key extends string = string> {
  (key: Key, values?: Values): string;
  /** The words for a key made at run time, in a section that exists; undefined if there are none. */
  find(key: `${Section<Key>}.${string}`, values?: Values): string | undefined;
  /** The same, or the key itself if there are none. */
  any(key: `${Section<Key>}.${string}`, values?: Values): string;
}

/** The language of the page; components that call `t` follow it. */
export const lang = $state<{ current: Lang }>({ current: 'fr' });

/** French, unless the browser prefers English. */
export function preferredLang(wanted: readonly string[]): Lang {
  for (const tag of wanted) {
    const known = LANGUAGES.find((one) => tag.toLowerCase().split('-')[0] === one);
    if (known) return known;
  }
  return 'fr';
}

const plurals = { fr: new Intl.PluralRules('fr'), en: new Intl.PluralRules('en') };

function find(words: Record<string, string>, key: string, values: Values, language: Lang): string | undefined {
  if (typeof values.count === 'number') {
    const form = words[`${key}.${plurals[language].select(values.count)}`] ?? words[`${key}.other`];
    if (form !== undefined) return form;
  }
  return words[key];
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => (name in values ? String(values[name]) : hole));
}

/** The words of `messages` for `key`, or undefined if there are none. */
export function lookup(messages: Messages, key: string, values: Values = {}): string | undefined {
  const text = find(messages[lang.current], key, values, lang.current);
  return text === undefined ? undefined : fill(text, values);
}

/** Makes a `t` for some words, such as a game's own. Both languages must have the same keys. */
export function translator<Words extends Record<string, string>>(messages: {
  fr: Words;
  en: Record<keyof Words, string>;
}): Translate<KeyOf<Words>> {
  const find = (key: string, values?: Values) => lookup(messages, key, values);
  const any = (key: string, values?: Values) => find(key, values) ?? key;
  return Object.assign((key: string, values?: Values) => any(key, values), { find, any });
}

/** A number as one reads it: « 1 204 », « −1 » with a minus as wide as the digits. */
export const figure = (value: number) => value.toLocaleString(lang.current).replace('-', '−');

/** Formats dates and times for the browser's own region, or for Britain if that region does not speak English. */
export function dates(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const home = navigator.languages.find((tag) => tag.startsWith(`${lang.current}-`));
  return new Intl.DateTimeFormat(home ?? { fr: 'fr', en: 'en-GB' }[lang.current], style);
}

/** A gain or a loss with its sign: « +2 », « 0 », « −1 ». */
export const gained = (value: number) => (value > 0 ? '+' : '') + figure(value);

/** The words of the site itself, without the games. `values.count` chooses between `key.one` and `key.other`. */
export const t = translator({ fr, en });
