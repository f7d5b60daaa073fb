// Asking the lexicon outside a match.
import { askGame } from '../../core/api';

/** What a lexicon says of a word; the server's `Lookup`. */
export interface Lookup {
  lexicon: string;
  word: string;
  valid: boolean;
  /** The letters that make a word before it, and after it. */
  front: string;
  back: string;
  /** The nearest words in the list. */
  before: string[];
  after: string[];
}

/** What a word is; the server's `Meaning`. */
export interface Meaning {
  word: string;
  /** The forms under which a dictionary has it. */
  bases: { lemma: string; kind: '' | 'v' | 'n' | 'a' | 'adv' | 'int' }[];
  gloss: string;
}

/** The base forms of a word, and whether the word is another form of them. */
export const basesOf = ({ word, bases }: Meaning) =>
  bases.map((base) => ({ ...base, isForm: cleaned(base.lemma) !== word }));

/** As tiles spell it: capitals without accents, Œ as OE; other characters are left out. */
export function cleaned(typed: string): string {
  return typed
    .toUpperCase()
    .replaceAll('Œ', 'OE')
    .replaceAll('Æ', 'AE')
    .normalize('NFD')
    .replace(/[^A-Z]/g, '');
}

export function lookUp(word: string, lexicon = ''): Promise<Lookup> {
  return askGame('scrabble', 'word', lexicon ? `${lexicon} ${word}` : word);
}

export function meaningOf(word: string): Promise<Meaning> {
  return askGame('scrabble', 'meaning', word);
}
