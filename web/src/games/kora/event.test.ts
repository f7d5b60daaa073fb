import { expect, it } from 'vitest';
import type { Step } from '../../core/types.gen';
import { event } from './describe';
import { play, step, view } from './examples';

const noticed = (step: Step) => {
  const who = (one: number) => (one === 0 ? 'vous' : 'Paul');
  const found = event({ step, view: view(), previous: view(), who, seat: 0 });
  return found && [found.text.replace(/[\u202f\u00a0]/g, ' '), found.tone];
};

it('notices a card that the clock played, and warns the player it played for', () => {
  expect(noticed({ ...play(0, 'AS'), cause: 'clock' })).toEqual(['Temps écoulé. Vous jouez l’as de pique.', 'warn']);
  expect(noticed({ ...play(1, 'AS'), cause: 'clock' })?.[1]).toBe('plain');
  expect(noticed(play(1, 'AS'))).toBeNull();
});

it('notices a stake that is proposed or refused', () => {
  expect(noticed(step(1, { type: 'propose', stake: 20 }))).toEqual(['Paul propose 20 koras.', 'plain']);
  expect(noticed(step(1, { type: 'refuse' }))?.[0]).toContain('Paul refuse');
});
