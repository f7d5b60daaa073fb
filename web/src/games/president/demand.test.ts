import { afterEach, describe, expect, it } from 'vitest';
import { lang } from '../../i18n';
import { declarations, demandWords, promptFor, whyNot } from './demand';
import { demand, from, laid, offer, plays, seatView, view } from './examples';
import { movesOf } from './moves';
import type { Demand, View } from './types.gen';

// Narrow no-break spaces are right on the page and hard to read in a test.
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ');
const asked = (change: Partial<Demand>) => plain(demandWords(view({ demand: demand(change) })));
const names = ['Vous', 'Paul', 'Zoé', 'Luc', 'Noor'];
const nameOf = (seat: number) => names[seat]!;
const prompt = (now: View, ...legal: Parameters<typeof offer>) =>
  plain(promptFor(now, 0, movesOf(legal.length ? offer(...legal) : null), nameOf));

afterEach(() => (lang.current = 'fr'));

describe('what the table asks for', () => {
  it('is said for every kind of trick', () => {
    expect(asked({ size: null })).toBe('Entame libre, d’un même rang');
    expect(asked({ ranks: from('J') })).toBe('Valet ou plus fort');
    expect(asked({ size: 2, ranks: from('J') })).toBe('Paires, valet ou plus fort');
    expect(asked({ size: 3, ranks: from('9') })).toBe('Brelans, 9 ou plus fort');
    expect(asked({ size: 2, ranks: ['2'] })).toBe('Paires, 2 seulement');
  });

  it('is said for every special rule', () => {
    expect(asked({ ranks: ['J'], ou_rien: true })).toBe('Ou-Rien : un valet ou rien');
    expect(asked({ ranks: ['Q'], direction: 'suite' })).toBe('Suite : dame');
    expect(asked({ size: 2, ranks: ['A'], direction: 'reverse' })).toBe('Reverse : paire d’as');
    expect(asked({ ranks: [], direction: 'reverse' })).toBe('Reverse : plus rien en dessous');
  });

  it('is said outside tricks too', () => {
    expect(demandWords(view({ demand: null, stage: 'exchange' }))).toBe('Échange avant la manche');
    expect(demandWords(view({ demand: null, stage: 'over' }))).toBe('Partie terminée');
  });

  it('comes with what may be declared', () => {
    expect(declarations(view({ demand: demand({ suite: 'Q', reverse: 'T' }) }))).toEqual([
      'suite à la dame',
      'reverse au 10',
    ]);
    expect(declarations(view())).toEqual([]);
  });

  it('is said in English as well', () => {
    lang.current = 'en';
    expect(asked({ ranks: ['A'], ou_rien: true })).toBe('Ou-Rien: an ace or nothing');
    expect(asked({ size: 2, ranks: from('J') })).toBe('Pairs, jack or stronger');
  });
});

describe('the prompt', () => {
  const trick = [laid(4, '7S')];

  it('says what one may do in one’s turn', () => {
    expect(prompt(view(), ...plays('7S'))).toBe('Vous entamez : choisissez un rang.');
    expect(prompt(view({ trick }), ...plays('8S'))).toBe('À vous : choisissez un rang allumé.');
    expect(prompt(view({ trick }), { type: 'pass' })).toBe('Rien à jouer : passez.');
    expect(prompt(view({ trick }), { type: 'play', cards: ['6S'], declare: 'reverse' }, { type: 'pass' })).toBe(
      'Rien à suivre : annoncez, ou passez.',
    );
    expect(prompt(view({ trick, stage: 'alone' }), { type: 'stop' })).toContain('arrêtez');
  });

  it('says whose turn it is, unless one may close', () => {
    const others = view({ trick, waiting: [1] });
    expect(prompt(others)).toBe('Paul joue.');
    expect(prompt(others, { type: 'close', cards: ['7H', '7D', '7C'] })).toBe(
      'Vous tenez un brelan de 7 : fermez le pli avant le prochain coup.',
    );
  });

  it('says to a player who is out which title they have', () => {
    const seats = view().seats.with(0, seatView({ cards: 0, place: 1 }));
    expect(prompt(view({ trick, waiting: [1], seats }))).toBe('Plus de cartes : vous voilà Président.');
  });

  it('names the receiver of the gift', () => {
    const titles = ['president', 'vice_president', 'neutre', 'avant_dernier', 'trouduc'] as const;
    const seats = titles.map((title) => seatView({ title }));
    const choosing = view({ stage: 'exchange', demand: null, waiting: [0, 1], seats });
    expect(prompt(choosing)).toBe('Choisissez 2 cartes pour Noor, Trouduc.');
    expect(
      prompt({ ...choosing, waiting: [1], gifts: [{ giver: 0, receiver: 4, count: 2, cards: ['3S', '3H'] }] }),
    ).toBe('Choix fait. L’échange attend Paul.');
  });
});

describe('a card that has to wait', () => {
  const why = (now: View, card: string) => plain(whyNot(now, 0, card, nameOf));

  it('says which rule holds it back', () => {
    const pairs = view({ trick: [laid(4, 'JS', 'JH')], demand: demand({ size: 2, ranks: from('J') }) });
    expect(why(pairs, '5S')).toBe('Pas cette carte maintenant. Paires, valet ou plus fort.');
    expect(why(pairs, 'KS')).toBe('Il en faut 2 de ce rang : vous n’en avez pas assez.');
    expect(why({ ...pairs, waiting: [3] }, 'KS')).toBe('Un instant : c’est à Luc.');
  });
});
