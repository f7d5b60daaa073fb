import { afterEach, describe as group, expect, it } from 'vitest';
import { lang } from '../../i18n';
import type { Step } from '../../core/types.gen';
import { describe } from './describe';
import { demand, finished, laid, play, seatView, step, view } from './examples';
import type { View } from './types.gen';

const NAMES = ['vous', 'Paul', 'Zoé', 'Luc', 'Noor'];

const said = (step: Step, after: View, before: View | null = view()) => {
  const who = (seat: number) => NAMES[seat]!;
  return describe({ step, view: after, previous: before, who, seat: 0 })?.replace(/[\u202f\u00a0]/g, ' ');
};

afterEach(() => (lang.current = 'fr'));

group('a play', () => {
  it('is named by its number', () => {
    expect(said(play(0, ['7H']), view({ trick: [laid(0, '7H')] }))).toBe('Vous jouez le sept de cœur.');
    expect(said(play(1, ['AS', 'AH']), view({ trick: [laid(1, 'AS', 'AH')] }))).toBe('Paul joue une paire d’as.');
    expect(said(play(1, ['TS', 'TH', 'TD']), view())).toBe('Paul joue un brelan de 10.');
  });

  it('is described with its declaration', () => {
    expect(said(play(1, ['8H'], 'suite'), view())).toBe('Paul joue le huit de cœur et annonce la suite.');
    expect(said(play(0, ['6H'], 'reverse'), view())).toBe('Vous jouez le six de cœur et annoncez le reverse.');
  });

  it('made for a player whose time ran out says so', () => {
    expect(said({ ...step(1, { type: 'pass' }), cause: 'clock' }, view())).toBe('Temps écoulé. Paul passe.');
  });

  it('begins Ou-Rien, which a pass lifts', () => {
    const ouRien = view({ trick: [laid(1, '7H'), laid(2, '7S')], demand: demand({ ranks: ['7'], ou_rien: true }) });
    expect(said(play(2, ['7S']), ouRien)).toBe('Zoé joue le sept de pique. Ou-Rien : un 7 ou rien.');
    expect(said(step(3, { type: 'pass' }), { ...ouRien, demand: demand() }, ouRien)).toBe(
      'Luc passe. L’Ou-Rien est levé.',
    );
  });

  it('of a carré turns the order, and another one turns it back', () => {
    const carre = ['9S', '9H', '9D', '9C'];
    const after = view({ revolution: true, last_trick: finished('carre', laid(1, ...carre)) });
    expect(said(play(1, carre), after)).toBe('Paul joue un carré de 9. Révolution : l’ordre des cartes est renversé.');
    expect(said(play(1, carre), { ...after, revolution: false }, view({ revolution: true }))).toContain(
      'Contre-révolution',
    );
  });
});

group('a trick', () => {
  const trick = [laid(1, '6S')];

  it('ends by passes, by the closing rank, by four in a row', () => {
    const before = view({ trick });
    expect(said(step(4, { type: 'pass' }), view({ last_trick: finished('passes', ...trick) }), before)).toBe(
      'Noor passe. Personne ne suit : le pli est fini.',
    );
    expect(said(play(2, ['2S']), view({ last_trick: finished('closing_rank', ...trick, laid(2, '2S')) }), before)).toBe(
      'Zoé joue le deux de pique. Le pli est fermé.',
    );
    expect(said(play(2, ['6C']), view({ last_trick: finished('four', ...trick, laid(2, '6C')) }), before)).toContain(
      'Les quatre cartes du rang',
    );
    expect(said(step(1, { type: 'stop' }), view({ last_trick: finished('stop', ...trick) }), before)).toBe(
      'Paul arrête le reverse.',
    );
  });

  it('is closed in turn or out of turn', () => {
    const cards = ['6H', '6D', '6C'];
    const close = step(3, { type: 'close', cards });
    const out = finished('four', ...trick, { ...laid(3, ...cards), out_of_turn: true });
    expect(said(close, view({ last_trick: out }), view({ trick }))).toBe(
      'Hors de son tour, Luc ferme le pli avec un brelan de 6.',
    );
    expect(
      said(
        step(0, { type: 'close', cards }),
        view({ last_trick: finished('four', ...trick, laid(0, ...cards)) }),
        view({ trick }),
      ),
    ).toBe('Vous fermez le pli avec un brelan de 6.');
  });
});

group('a manche', () => {
  it('is left with a title, or at the bottom', () => {
    const out = (place: number | null, sunk: boolean) =>
      view({ seats: view().seats.with(1, seatView({ cards: 0, place, sunk })) });
    expect(said(play(1, ['AS']), out(1, false))).toBe('Paul joue l’as de pique. Paul sort Président.');
    expect(said(play(1, ['2S']), out(null, true))).toBe(
      'Paul joue le deux de pique. Paul sort avec un 2 et coule au fond du classement.',
    );
  });

  it('ends with its titles and goes on with the exchange', () => {
    const result = { ranking: [1, 2, 3, 4, 0], sunk: [], points: [-2, 2, 1, 0, -1] };
    const gifts = [
      { giver: 1, receiver: 0, count: 2, cards: ['3S', '4H'] },
      { giver: 0, receiver: 1, count: 2, cards: ['AS', '2H'] },
      { giver: 2, receiver: 4, count: 1, cards: [] },
      { giver: 4, receiver: 2, count: 1, cards: [] },
    ];
    expect(said(play(4, ['5S']), view({ manche: 2, results: [result], gifts }))).toBe(
      'Noor joue le cinq de pique. Fin de la manche 1 : Paul est Président, Zoé est Vice-Président, Noor est Avant-dernier et vous êtes Trouduc. ' +
        'Vous donnez l’as de pique et le deux de cœur à Paul et recevez le trois de pique et le quatre de cœur. Zoé et Noor échangent 1 carte.',
    );
  });

  it('waits for gifts, which only their giver sees', () => {
    const choosing = view({ manche: 2, stage: 'exchange', demand: null });
    expect(said(step(1, { type: 'give', cards: [] }), choosing, choosing)).toBe('Paul a choisi ses cartes.');
    expect(said(step(0, { type: 'give', cards: ['3S'] }), choosing, choosing)).toBe('Vous donnez le trois de pique.');
  });
});

it('a player who leaves is replaced', () => {
  expect(said(step(1, { type: 'leave' }), view())).toBe('Paul quitte la table : l’ordinateur joue à sa place.');
});

it('speaks English as well', () => {
  lang.current = 'en';
  expect(said(play(1, ['8S', '8H'], 'suite'), view())).toBe('Paul plays a pair of 8s and declares a suite.');
});
