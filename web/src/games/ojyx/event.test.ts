import { expect, it } from 'vitest';
import { event as noticedIn } from './describe';
import { event, step, view } from './examples';
import type { Action, Event } from './types.gen';

const noticed = (seat: number, events: Event[], cause: string | null = null, action: Action | null = null) => {
  const who = (one: number) => ['vous', 'Paul', 'Zoé'][one]!;
  const played = { step: { ...step(seat, action), cause }, view: view({ events }), previous: view(), who, seat: 0 };
  const found = noticedIn(played);
  return found && [found.text.replace(/[\u202f\u00a0]/g, ' '), found.tone];
};

it('warns the target of an attack, and nobody else', () => {
  const attack = (target: number) => [event('played', { seat: 1, action: 'freeze', target })];
  expect(noticed(1, attack(0))?.[0]).toContain('Paul joue');
  expect(noticed(1, attack(0))?.[1]).toBe('warn');
  expect(noticed(1, attack(2))).toBeNull();
});

it('notices a lost turn and the last lap', () => {
  expect(noticed(1, [event('skipped', { seat: 0 })])).toEqual(['Vous passez votre tour.', 'warn']);
  expect(noticed(1, [event('skipped', { seat: 2 })])).toBeNull();
  expect(noticed(1, [event('ending', { seat: 1 })])).toEqual(['Paul lance le dernier tour.', 'plain']);
});

it('warns a player for whom the clock played', () => {
  const drew = [event('discarded', { seat: 0, card: 7 })];
  expect(noticed(0, drew, 'clock', { type: 'discard' })).toEqual(['Temps écoulé. 7 va à la défausse.', 'warn']);
});
