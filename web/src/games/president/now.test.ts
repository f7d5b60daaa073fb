// Prompt, lit cards and buttons for every combination of may and must, on offers that the Python rules made.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { lang } from '../../i18n';
import { offer, seatView, view } from './examples';
import { movesOf, touch } from './moves';
import { nowFor, type Now } from './now';
import type { Action, View } from './types.gen';

interface Example {
  name: string;
  view: View;
  must: boolean;
  legal: Action[];
}

const examples = JSON.parse(readFileSync('../tests/games/president/offers.json', 'utf-8')) as Example[];

// Narrow no-break spaces are right on the page and hard to read in a test.
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ');
const nameOf = (seat: number) => ['Anne', 'Paul', 'Zoé', 'Luc'][seat]!;

const movesIn = ({ legal }: Example) => movesOf(legal.length ? offer(...legal) : null);
const now = (example: Example, chosen: readonly string[] = []): Now =>
  nowFor(example.view, example.view.seat, movesIn(example), chosen, nameOf);

/** What is shown: `Fermer! Jouer… Passer`, with ! for a button that can be pressed now and is the main one. */
const shown = ({ buttons }: Now) =>
  buttons.map(({ key, action, primary }) => key + (action ? (primary ? '!' : '') : '…')).join(' ');

const EXPECTED: Record<string, [prompt: string, buttons: string, lit: string]> = {
  lead: ['Vous entamez : choisissez un rang.', 'play…', '4S 4H 9C'],
  'first lead': ['Vous entamez : choisissez un rang.', 'play…', '4S 4H QH'],
  follow: ['À vous : choisissez un rang allumé.', 'play…', 'TH JC'],
  'follow a pair': ['À vous : choisissez un rang allumé.', 'play…', '9H 9C'],
  'follow or declare a suite': ['À vous : choisissez un rang allumé.', 'play…', '8H 9C'],
  'follow a suite or turn it': ['À vous : choisissez un rang allumé.', 'play…', '9H 9C'],
  'follow or declare a reverse': ['À vous : choisissez un rang allumé ou annoncez un reverse.', 'play…', '6C TH JC'],
  'follow or declare both': ['À vous : choisissez un rang allumé ou annoncez un reverse.', 'play…', '6C 8H JC'],
  'follow or close': [
    'À vous : choisissez un rang allumé ou fermez le pli avec un brelan de 7.',
    'close! play…',
    '7S 7D 7C',
  ],
  'follow or close, another rank lit': [
    'À vous : choisissez un rang allumé ou fermez le pli avec un brelan de 7.',
    'close! play…',
    '7S 7D 7C KS',
  ],
  'follow or close with a pair': [
    'À vous : choisissez un rang allumé ou fermez le pli avec une paire de 7.',
    'close! play…',
    '7D 7C KS KC',
  ],
  'follow, close or declare a suite': [
    'À vous : choisissez un rang allumé ou fermez le pli avec un brelan de 7.',
    'close! play…',
    '7S 7D 7C 8S',
  ],
  'follow, close or declare a reverse': [
    'À vous : choisissez un rang allumé, annoncez un reverse ou fermez le pli avec un brelan de 7.',
    'close! play…',
    '6C 7S 7D 7C',
  ],
  'follow, close or declare both': [
    'À vous : choisissez un rang allumé, annoncez un reverse ou fermez le pli avec un brelan de 7.',
    'close! play…',
    '6C 7S 7D 7C 8S',
  ],
  pass: ['Rien à jouer : passez.', 'pass!', ''],
  'pass or declare': ['Rien à suivre : annoncez un reverse ou passez.', 'reverse… pass', '6C'],
  'pass or close in a suite': [
    'Rien à suivre : fermez le pli avec un brelan de 8 ou passez.',
    'close! pass',
    '8S 8D 8C',
  ],
  'pass or close in a reverse': [
    'Rien à suivre : fermez le pli avec un brelan de 7 ou passez.',
    'close! pass',
    '7S 7D 7C',
  ],
  'pass under ou-rien': ['Rien à jouer : passez.', 'pass!', ''],
  'follow under ou-rien': ['À vous : choisissez un rang allumé.', 'play…', '7C'],
  'follow or close under ou-rien': [
    'À vous : choisissez un rang allumé ou fermez le pli avec une paire de 7.',
    'close! play…',
    '7D 7C',
  ],
  'close out of turn': ['Vous tenez un brelan de 7 : fermez le pli avant le prochain coup.', 'close!', '7S 7D 7C'],
  'nothing out of turn': ['Zoé joue.', '', ''],
  'alone, go on or stop': ['Il ne reste que vous dans le reverse : continuez ou arrêtez.', 'play… stop', '6D'],
  'alone, stop': ['Il ne reste que vous dans le reverse, sans carte pour continuer : arrêtez.', 'stop!', ''],
  'another is alone': ['Paul continue ou arrête le reverse.', '', ''],
  'give two': ['Choisissez 2 cartes pour Luc, Trouduc.', 'give…', '3S KS 2S'],
  'give one': ['Choisissez 1 carte pour Zoé, Avant-dernier.', 'give…', '4S 4H'],
  'wait for gifts': ['L’échange attend Anne et Paul.', '', ''],
  'out of cards': ['Plus de cartes : vous voilà Président.', '', ''],
  sunk: ['Sortie sur le rang qui ferme : vous coulez au fond du classement.', '', ''],
};

/** The words by which a prompt offers a button. */
const NAMED = {
  fr: { close: /fermez/, pass: /passez/, stop: /arrêtez/ },
  en: { close: /close the trick/, pass: /\bpass\b/, stop: /\bstop\b/ },
};

afterEach(() => (lang.current = 'fr'));

it('every example of the rules is in the table', () => {
  expect(Object.keys(EXPECTED)).toEqual(examples.map((one) => one.name));
});

describe.each(examples)('$name', (example) => {
  const { view: seen, legal } = example;
  const moves = movesIn(example);
  const cardsOf = (action: Action) => ('cards' in action ? (action.cards ?? []) : []);

  it('says what the buttons and the lit cards offer', () => {
    const [prompt, buttons, lit] = EXPECTED[example.name]!;
    const at = now(example);
    expect(plain(at.prompt)).toBe(prompt);
    expect(shown(at)).toBe(buttons);
    expect(seen.hand.filter((card) => at.lit.has(card)).join(' ')).toBe(lit);
  });

  it('names each button in the prompt, in both languages', () => {
    for (const language of ['fr', 'en'] as const) {
      lang.current = language;
      const { buttons, prompt } = now(example);
      const named = Object.entries(NAMED[language]).flatMap(([key, words]) => (words.test(prompt) ? [key] : []));
      const offered = buttons.map((one) => one.key).filter((key) => key in NAMED[language]);
      expect(named.sort()).toEqual(offered.sort());
    }
  });

  it('lets a touch on any lit card choose it for something that a button then does', () => {
    for (const card of now(example).lit) {
      let chosen = touch(moves, [], card);
      expect(chosen).toContain(card);
      if (moves.gives.length)
        for (const other of now(example).lit) if (chosen.length < 2) chosen = touch(moves, chosen, other);
      const sent = now(example, chosen).buttons.flatMap(({ action }) => (action ? [cardsOf(action)] : []));
      const whole = moves.gives.length ? cardsOf(moves.gives[0]!).length : chosen.length;
      expect(sent.map((cards) => [...cards].sort())).toContainEqual([...chosen.slice(0, whole)].sort());
    }
  });

  it('reaches every legal action with touches and one button', () => {
    const reached = new Set<string>();
    const tried = new Set<string>();
    const paths: string[][] = [[]];
    for (let chosen = paths.pop(); chosen; chosen = paths.pop()) {
      const key = [...chosen].sort().join();
      if (tried.has(key)) continue;
      tried.add(key);
      const at = now(example, chosen);
      for (const { action } of at.buttons) if (action) reached.add(JSON.stringify(action));
      for (const card of at.lit) paths.push(touch(moves, chosen, card));
    }
    expect([...reached].sort()).toEqual(legal.map((one) => JSON.stringify(one)).sort());
  });
});

it('offers a declaration with its button once its card is chosen', () => {
  const both = examples.find((one) => one.name === 'follow or declare both')!;
  expect(shown(now(both, ['8H']))).toBe('play! suite');
  expect(shown(now(both, ['6C']))).toBe('play… reverse!');
  expect(shown(now(both, ['JC']))).toBe('play!');
});

it('names everything that can be done even in a combination that the rules never make', () => {
  const example: Example = {
    ...examples.find((one) => one.name === 'pass or declare')!,
    legal: [
      { type: 'play', cards: ['6C'], declare: 'reverse' },
      { type: 'close', cards: ['7C', '7D', '7S'] },
      { type: 'pass' },
    ],
  };
  expect(plain(now(example).prompt)).toBe(
    'Rien à suivre : annoncez un reverse, fermez le pli avec un brelan de 7 ou passez.',
  );
});

it('says « à vous » and nothing more while the offer has not come', () => {
  const waiting = view({ trick: [{ seat: 1, cards: ['7S'], declare: null, out_of_turn: false }] });
  expect(nowFor(waiting, 0, movesOf(null), [], nameOf)).toEqual({ lit: new Set(), buttons: [], prompt: 'À vous.' });
});

it('says to a player who has chosen a gift whom the exchange waits for', () => {
  const titles = ['president', 'vice_president', 'avant_dernier', 'trouduc'] as const;
  const chosen = view({
    stage: 'exchange',
    demand: null,
    waiting: [1],
    seats: titles.map((title) => seatView({ title })),
    gifts: [{ giver: 0, receiver: 3, count: 2, cards: ['3S', '3H'] }],
  });
  expect(nowFor(chosen, 0, movesOf(null), [], nameOf).prompt).toBe('Choix fait. L’échange attend Paul.');
});
