// For the tests: finds sentences whose subject is the reader but whose verb belongs to somebody else.
import { lang } from '../i18n';

/** Narrow no-break spaces are right on the page and hard to read in a test. */
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ');

const START = String.raw`(?:^|[.:;,!?·] |\b(?:et|and) )`;
const SUBJECTS = {
  fr: new RegExp(String.raw`${START}vous(?:(?:, \p{L}+)* et \p{L}+)? (?:(?:y|en|ne|n’) ?)?(\p{L}+)`, 'giu'),
  en: new RegExp(String.raw`${START}you(?:(?:, \p{L}+)*,? and \p{L}+)? (\p{L}+)`, 'giu'),
};
const RIGHT = {
  fr: (verb: string) => /ez$/.test(verb) || ['êtes', 'faites', 'dites', 'voilà'].includes(verb),
  en: (verb: string) => !/^(is|was|has|does|goes|.*[^s]s)$/.test(verb),
};

/** « Vous attaque », « You attacks »: each wrong pair in a text, in the language of the page. */
export function wrongVerbs(text: string): string[] {
  return [...plain(text).matchAll(SUBJECTS[lang.current])].flatMap(([pair, verb]) =>
    RIGHT[lang.current](verb!) ? [] : [pair],
  );
}
