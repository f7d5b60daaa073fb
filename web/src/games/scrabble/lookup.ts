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
