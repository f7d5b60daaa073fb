import { expect, it } from 'vitest';
import type { Step } from '../../core/types.gen';
import { event } from './describe';
import { move, step, view } from './examples';
import type { State } from './types.gen';

const noticed = (step: Step, before: State = view(), seat: number | null = 0) => {
  const who = (one: number) => (one === seat ? 'vous' : `Paul`);
  const found = event({ step, view: view(), previous: before, who, seat });
  return found && [found.text.replace(/[\u202f\u00a0]/g, ' '), found.tone];
};

it('notices a turn that the clock took, and warns the player who lost it', () => {
  const lost = (seat: number) => step(seat, { type: 'lose_turn' });
  expect(noticed(lost(0))).toEqual(['Temps écoulé : vous perdez votre tour.', 'warn']);
  expect(noticed(lost(1))).toEqual(['Temps écoulé : Paul perd son tour.', 'plain']);
});

it('notices a draw that is offered, declined, or declined by playing on', () => {
  expect(noticed(step(1, { type: 'offer_draw' }))).toEqual(['Paul propose la nulle.', 'plain']);
  expect(noticed(step(1, { type: 'decline_draw' }))).toEqual(['Paul décline la nulle.', 'plain']);
  expect(noticed(move(1, 19, 23), view({ offered_by: 0 }))).toEqual(['La nulle est déclinée.', 'plain']);
});

it('leaves ordinary moves to the board', () => {
  expect(noticed(move(1, 19, 23))).toBeNull();
});
