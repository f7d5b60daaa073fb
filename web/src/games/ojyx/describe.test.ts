import { afterEach, describe as group, expect, it } from 'vitest';
import { lang } from '../../i18n';
import { describe, moment } from './describe';
import { event, seatView, step, view } from './examples';
import type { Action, Event, View } from './types.gen';

const NAMES = ['vous', 'Paul', 'Zoé'];
const who = (seat: number) => NAMES[seat]!;
const plain = (text: string | null) => text?.replace(/[\u202f\u00a0]/g, ' ') ?? null;

const said = (
  seat: number,
  action: Action | null,
  events: Event[],
  change: Partial<View> = {},
  before: Partial<View> = {},
) =>
  plain(
    describe({ step: step(seat, action), view: view({ events, ...change }), previous: view(before), who, seat: 0 }),
  );

afterEach(() => (lang.current = 'fr'));

group('the start', () => {
  it('is a choice that nobody sees, until all have chosen', () => {
    const choosing = { stage: 'choose' as const };
    expect(said(1, null, [], choosing, choosing)).toBe('Paul a choisi ses deux premières cartes.');
    const turned = [event('turned', { seat: 1, cell: 0, card: 4 }), event('turned', { seat: 1, cell: 1, card: 5 })];
    expect(said(0, { type: 'choose', cells: [0, 1] }, turned, { to_act: 1 }, choosing)).toBe(
      'Vous choisissez vos deux premières cartes. Les premières cartes sont retournées. Paul commence.',
    );
  });
});

group('a turn', () => {
  it('tells one’s own card, and of others only what is public', () => {
    const held = (card: number | null) => ({
      held: { seat: 0, source: 'deck' as const, card, action: null, known: 0 },
    });
    expect(said(0, { type: 'draw', source: 'deck' }, [event('drew', { seat: 0, source: 'deck' })], held(-2))).toBe(
      'Vous piochez −2.',
    );
    expect(said(1, { type: 'draw', source: 'deck' }, [event('drew', { seat: 1, source: 'deck' })], held(null))).toBe(
      'Paul pioche une carte.',
    );
    expect(said(1, { type: 'draw', source: 'discard' }, [event('drew', { seat: 1, source: 'discard', card: 0 })])).toBe(
      'Paul prend 0 à la défausse.',
    );
  });

  it('places a card and lets a column fall', () => {
    const events = [
      event('placed', { seat: 1, cell: 5, card: 7, old: 12 }),
      event('cleared', { seat: 1, column: 1, card: 7 }),
    ];
    expect(said(1, { type: 'place', cell: 5 }, events)).toBe(
      '7 arrive chez Paul, colonne 2, rangée 2 ; 12 est défaussé. La colonne de 7 disparaît chez Paul.',
    );
  });

  it('begins the last lap', () => {
    const events = [event('turned', { seat: 0, cell: 11, card: 3 }), event('ending', { seat: 0 })];
    expect(said(0, { type: 'turn', cell: 11 }, events)).toBe(
      'Votre carte colonne 4, rangée 3 est retournée : 3. Vous lancez le dernier tour.',
    );
  });
});

group('an attack', () => {
  it('is described with its aim and its answer', () => {
    const swap = event('played', { seat: 1, action: 'swap', target: 0, cell: 0, target_cell: 5 });
    expect(said(1, { type: 'action', card: 'swap', seat: 0, cell: 0, target_cell: 5 }, [swap])).toBe(
      'Paul joue Échange : la carte colonne 1, rangée 1 chez Paul contre votre carte colonne 2, rangée 2.',
    );
    const shield = [
      event('answered', { seat: 0, answer: 'shield' }),
      event('void', { seat: 1, target: 0, action: 'swap' }),
    ];
    expect(said(0, { type: 'react', answer: 'shield' }, shield)).toBe(
      'Vous levez votre Bouclier. L’attaque est annulée.',
    );
  });

  it('turned by a mirror says where it hits', () => {
    const events = [
      event('answered', { seat: 2, answer: 'mirror' }),
      event('hit', { seat: 2, target: 1, action: 'curse', column: 3 }),
    ];
    expect(said(2, { type: 'react', answer: 'mirror', column: 3 }, events)).toBe(
      'Zoé tend son Miroir. L’attaque se retourne : la colonne 4 chez Paul.',
    );
  });

  it('with a gift shows the card to all', () => {
    const events = [event('played', { seat: 1, action: 'gift' }), event('drew', { seat: 1, source: 'deck' })];
    const held = { seat: 1, source: 'gift' as const, card: 12, action: null, known: 0 };
    expect(said(1, { type: 'action', card: 'gift' }, events, { stage: 'gift', held })).toBe(
      'Paul joue Cadeau. La carte à offrir est 12.',
    );
  });

  it('shows a peeked card to who looked alone', () => {
    const hit = [event('hit', { seat: 0, target: 1, action: 'peek', target_cell: 4 })];
    const seats = (card: number | null) => ({
      seats: view().seats.with(1, seatView({ peeked: [{ cell: 4, by: [0], card }] })),
    });
    expect(said(0, { type: 'react', answer: 'accept' }, hit, seats(9))).toBe('Vous y voyez 9.');
    expect(said(0, { type: 'react', answer: 'accept' }, hit, seats(null))).toBeNull();
  });
});

group('a manche', () => {
  const results = [{ scores: [62, 30, 31], initiator: 0, doubled: true }];

  it('ends with its scores and the penalty', () => {
    expect(
      said(1, { type: 'end_turn' }, [event('turned', { seat: 2, cell: 0, card: 5 }), event('manche')], { results }),
    ).toBe('Paul finit son tour. La manche 1 est finie : vous 62, Paul 30 et Zoé 31. Votre score est doublé.');
  });

  it('is followed by a vote, described when all have voted', () => {
    const voting = { stage: 'vote' as const };
    expect(said(1, null, [], voting, voting)).toBe('Paul a voté.');
    const votes = [
      event('voted', { seat: 0, go_on: true }),
      event('voted', { seat: 1, go_on: false }),
      event('voted', { seat: 2, go_on: null }),
    ];
    expect(said(0, { type: 'vote', go_on: true }, votes, {}, voting)).toBe(
      'Vous voulez continuer. Paul veut arrêter. Zoé suit les autres.',
    );
  });
});

it('has few words for the moments that people look for', () => {
  const said = (...events: Event[]) =>
    plain(moment({ step: step(1, null), view: view({ events }), previous: view(), who, seat: 0 })?.text ?? null);
  expect(said(event('cleared', { seat: 1, column: 0, card: 7 }))).toBe('Colonne de 7, Paul');
  expect(said(event('answered', { seat: 2, answer: 'shield' }))).toBe('Bouclier, Zoé');
  expect(said(event('answered', { seat: 2, answer: 'accept' }))).toBeNull();
  expect(said(event('drew', { seat: 1, source: 'deck' }))).toBeNull();
});

it('speaks English as well', () => {
  lang.current = 'en';
  expect(said(1, { type: 'discard' }, [event('discarded', { seat: 1, card: 12 })])).toBe('12 goes to the discard.');
});

it('has words for a step whose moment is not known', () => {
  const said = describe({
    step: step(1, { type: 'action', card: 'skip' }),
    view: view(),
    previous: null,
    who,
    seat: 0,
  });
  expect(said).toBe('Paul joue Saut.');
});
