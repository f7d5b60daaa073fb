import { afterEach, describe, expect, it } from 'vitest';
import { lang } from '../../i18n';
import { declarations, demandWords, whyNot } from './demand';
import { demand, from, laid, view } from './examples';
import type { Demand, View } from './types.gen';

// Narrow no-break spaces are right on the page and hard to read in a test.
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ');
const asked = (change: Partial<Demand>) => plain(demandWords(view({ demand: demand(change) })));
const names = ['Vous', 'Paul', 'Zoé', 'Luc', 'Noor'];
const nameOf = (seat: number) => names[seat]!;

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

describe('a card that has to wait', () => {
  const why = (now: View, card: string) => plain(whyNot(now, 0, card, nameOf));

  it('says which rule holds it back', () => {
    const pairs = view({ trick: [laid(4, 'JS', 'JH')], demand: demand({ size: 2, ranks: from('J') }) });
    expect(why(pairs, '5S')).toBe('Pas cette carte maintenant. Paires, valet ou plus fort.');
    expect(why(pairs, 'KS')).toBe('Il en faut 2 de ce rang : vous n’en avez pas assez.');
    expect(why({ ...pairs, waiting: [3] }, 'KS')).toBe('Un instant : c’est à Luc.');
  });
});
