// The French tiles: what each letter is worth and how many there are, jokers as `?`.
const WORTH: Record<number, string> = { 1: 'EAINORSTUL', 2: 'DMG', 3: 'BCP', 4: 'FHV', 8: 'JQ', 10: 'KWXYZ' };
const MANY: Record<number, string> = {
  15: 'E',
  9: 'A',
  8: 'I',
  6: 'NORSTU',
  5: 'L',
  3: 'DM',
  2: 'GBCPFHV?',
  1: 'JQKWXYZ',
};

export const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The letter of the board that a key stands for, without its accent; empty if there is none. */
export function typedLetter({ key }: KeyboardEvent): string {
  const letter = key.length === 1 ? key.normalize('NFD').charAt(0).toUpperCase() : '';
  return ALPHABET.includes(letter) ? letter : '';
}

function byLetter(table: Record<number, string>): Map<string, number> {
  return new Map(
    Object.entries(table).flatMap(([many, letters]) => [...letters].map((one) => [one, Number(many)] as const)),
  );
}

const VALUES = byLetter(WORTH);
const COUNTS = byLetter(MANY);

/** Zero for a joker, also under the letter it was given: that one is lower case. */
export const valueOf = (letter: string) => VALUES.get(letter) ?? 0;

export const countOf = (letter: string) => COUNTS.get(letter) ?? 0;

export const isJoker = (letter: string) => valueOf(letter) === 0;
