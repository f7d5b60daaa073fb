import { afterEach, describe as group, expect, it } from 'vitest';
import { lang } from '../../i18n';
import type { Step } from '../../core/types.gen';
import { describe } from './describe';
import { play, result, step, TRICKS, view } from './examples';
import type { View } from './types.gen';

const said = (step: Step, after: View, before: View | null = view()) => {
  const who = (seat: number) => (seat === 0 ? 'vous' : 'Paul');
  // Narrow no-break spaces are right on the page and hard to read in a test.
  return describe({ step, view: after, previous: before, who, seat: 0 })?.replace(/[\u202f\u00a0]/g, ' ');
};

afterEach(() => (lang.current = 'fr'));

group('a card', () => {
  it('is played, takes the lead or leaves it', () => {
    expect(said(play(0, '7H'), view({ led: '7H' }))).toBe('Vous jouez le sept de cœur.');
    const led = view({ led: '7H' });
    expect(said(play(1, '5H'), view({ tricks: TRICKS.slice(0, 1) }), led)).toBe(
      'Paul joue le cinq de cœur. Vous gardez la main.',
    );
    const taken = view({ tricks: TRICKS.slice(0, 3), leader: 1 });
    expect(said(play(1, 'QD'), taken, view({ led: '2D' }))).toBe('Paul prend la main avec la dame de carreau.');
  });

  it('played for a player whose time ran out says so', () => {
    expect(said({ ...play(1, 'AS'), cause: 'clock' }, view({ led: 'AS' }))).toBe(
      'Temps écoulé. Paul joue l’as de pique.',
    );
  });

  it('is all that is told after a gap', () => {
    expect(said(play(1, 'TS'), view({ won: [10], last_deal: result() }), null)).toBe('Paul joue le dix de pique.');
  });
});

group('a deal', () => {
  const fifth = view({ tricks: TRICKS, leader: 1, led: '2S' });

  it('ends with its exploit', () => {
    const after = view({ deal: 2, won: [20], last_deal: result() });
    expect(said(play(0, '3S'), after, fifth)).toBe(
      'Vous prenez la main avec le trois de pique. Donne 1 : vous gagnez 20 koras. Kora, mise doublée.',
    );
  });

  it('tells every deal that ended at once', () => {
    const after = view({
      deal: 3,
      won: [20, -10],
      last_deal: result({ deal: 2, winner: 1, reason: 'low_sum', paid: 10 }),
    });
    expect(said(play(0, '3S'), after, fifth)).toBe(
      'Vous prenez la main avec le trois de pique. Donne 1 : vous gagnez 20 koras. ' +
        'Donne 2 : Paul gagne 10 koras. Moins de 21 points dès la donne.',
    );
  });
});

group('a bet', () => {
  it('is proposed, accepted and refused', () => {
    const open = view({ stage: 'answer', stake: 1, table_stake: 10 });
    expect(said(step(0, { type: 'propose', stake: 1 }), open)).toBe('Vous proposez 1 kora.');
    expect(said(step(1, { type: 'accept' }), view(), open)).toBe('Paul accepte : la donne se joue pour 1 kora.');
    expect(said(step(1, { type: 'refuse' }), view(), open)).toBe('Paul refuse : la donne se joue pour 10 koras.');
    expect(said(step(1, { type: 'refuse' }), view(), null)).toBe('Paul refuse la mise.');
  });
});

it('a player who leaves is named', () => {
  expect(said(step(1, { type: 'leave' }, 'leave'), view({ stage: 'over', left: 1 }))).toBe('Paul quitte la partie.');
});

it('speaks English as well', () => {
  lang.current = 'en';
  expect(said(play(1, 'QD'), view({ tricks: TRICKS.slice(0, 3) }), view({ led: '2D' }))).toBe(
    'Paul takes the lead with the queen of diamonds.',
  );
});
