import { expect, it } from 'vitest';
import type { Step } from '../../core/types.gen';
import { event } from './describe';
import { finished, laid, play, step, view } from './examples';
import type { View } from './types.gen';

const noticed = (step: Step, after: View = view(), before: View = view()) => {
  const who = (seat: number) => ['vous', 'Paul', 'Zoé', 'Luc', 'Noor'][seat]!;
  const found = event({ step, view: after, previous: before, who, seat: 0 });
  return found && [found.text.replace(/[\u202f\u00a0]/g, ' '), found.tone];
};
const pass = (seat: number) => step(seat, { type: 'pass' });

it('leaves a pass to the board', () => {
  for (const seat of [0, 1]) expect(noticed(pass(seat))).toBeNull();
});

it('warns a player for whom the clock played', () => {
  expect(noticed({ ...pass(0), cause: 'clock' })).toEqual(['Temps écoulé. Vous passez.', 'warn']);
});

it('notices a révolution', () => {
  const carre = ['9S', '9H', '9D', '9C'];
  const after = view({ revolution: true, last_trick: finished('carre', laid(1, ...carre)) });
  expect(noticed(play(1, carre), after)?.[0]).toContain('Révolution');
  expect(noticed(play(1, ['7H']))).toBeNull();
});
