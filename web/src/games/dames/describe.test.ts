import { afterEach, expect, it } from 'vitest';
import { lang } from '../../i18n';
import type { Step } from '../../core/types.gen';
import { coords } from './coords.svelte';
import { describe, moment } from './describe';
import { move, played, step, view } from './examples';
import type { Result, State } from './types.gen';

const said = (step: Step, after: State, before: State | null = view()) => {
  const who = (seat: number) => (seat === 0 ? 'vous' : 'Paul');
  // Narrow no-break spaces are right on the page and hard to read in a test.
  return describe({ step, view: after, previous: before, who, seat: 0 })?.replace(/[\u202f\u00a0]/g, ' ');
};

afterEach(() => {
  lang.current = 'fr';
  coords.current = 'numbers';
});

it('says a move, a capture and its points', () => {
  expect(said(move(0, 32, 28), view({ last_move: played(0, [32, 28]) }))).toBe('Vous jouez 32-28.');
  const took = view({ last_move: played(1, [19, 28, 30], { captured: [23, 24], points: 3 }) });
  expect(said(move(1, 19, 28, 30), took)).toBe('Paul prend 2 pièces : 19x30, trois points.');
});

it('names squares as the reader prefers', () => {
  coords.current = 'letters';
  expect(said(move(0, 32, 28), view({ last_move: played(0, [32, 28]) }))).toBe('Vous jouez d4-e5.');
});

it('says a promotion, with its points if nothing else said them', () => {
  expect(said(move(0, 6, 1), view({ last_move: played(0, [6, 1], { promoted: true, points: 2 }) }))).toBe(
    'Vous jouez 6-1. Le pion devient dame, deux points.',
  );
  const took = played(1, [39, 48], { captured: [43], promoted: true, points: 3 });
  expect(said(move(1, 39, 48), view({ last_move: took }))).toBe(
    'Paul prend 1 pièce : 39x48, trois points. Le pion devient dame.',
  );
  const plain = view({ options: { variant: 'classic8' }, last_move: { ...took, points: 0 } });
  expect(said(move(1, 39, 48), plain)).toBe('Paul prend 1 pièce : 39x48. Le pion devient dame.');
});

it('says only where a missed move went', () => {
  expect(said(move(1, 19, 28), view(), null)).toBe('Paul va de 19 à 28.');
});

it('says lost turns and draws', () => {
  expect(said(step(1, { type: 'lose_turn' }, 'clock'), view())).toBe('Temps écoulé : Paul perd son tour.');
  expect(said(step(1, { type: 'offer_draw' }), view({ offered_by: 1 }))).toBe('Paul propose la nulle.');
  expect(said(step(0, { type: 'decline_draw' }), view(), view({ offered_by: 1 }))).toBe('Vous déclinez la nulle.');
  const declined = view({ last_move: played(0, [32, 28]) });
  expect(said(move(0, 32, 28), declined, view({ offered_by: 1 }))).toBe('Vous jouez 32-28. La nulle est déclinée.');
  const agreed = view({ result: { reason: 'agreement', winner: null } });
  expect(said(step(1, { type: 'accept_draw' }), agreed)).toBe('Paul accepte la nulle. Partie nulle.');
});

it('says who won and why', () => {
  const over = (result: Result) => view({ result, last_move: played(0, [32, 28]) });
  expect(said(move(0, 32, 28), over({ reason: 'blocked', winner: 0 }))).toBe(
    'Vous jouez 32-28. Plus aucun coup possible pour le camp qui devait jouer. Vous gagnez.',
  );
  expect(said(step(1, { type: 'resign' }), over({ reason: 'resign', winner: 0 }))).toBe('Paul abandonne. Vous gagnez.');
  const resigned = { ...over({ reason: 'resign', winner: 0 }), left: 1 };
  expect(said(step(1, { type: 'leave' }, 'resign'), resigned)).toBe('Paul abandonne. Vous gagnez.');
  expect(said(step(1, { type: 'leave' }, 'leave'), { ...over({ reason: 'resign', winner: 0 }), left: 1 })).toBe(
    'Paul quitte la partie. Vous gagnez.',
  );
  expect(
    said(step(0, { type: 'flag', clock: 'match' }, 'match_clock'), over({ reason: 'global_timeout', winner: 1 })),
  ).toBe('Le temps de la partie est écoulé : les points décident. Paul gagne.');
  const flag = step(0, { type: 'flag', clock: 'player' }, 'player_clock');
  expect(said(flag, over({ reason: 'player_timeout', winner: 1 }))).toBe(
    'Votre temps de réflexion est épuisé. Paul gagne.',
  );
  expect(said(step(1, { type: 'lose_turn' }, 'clock'), over({ reason: 'lost_turns', winner: null }))).toBe(
    'Temps écoulé : Paul perd son tour. Six tours perdus de suite : les points décident. Partie nulle.',
  );
});

it('speaks English as well', () => {
  lang.current = 'en';
  const took = view({ last_move: played(1, [19, 28, 30], { captured: [23, 24], points: 3 }) });
  expect(said(move(1, 19, 28, 30), took)).toBe('Paul takes 2 pieces: 19x30, three points.');
});

it('weighs what people look for in a replay', () => {
  const weight = (change: Parameters<typeof played>[2], more: Partial<State> = {}) => {
    const after = view({ last_move: played(0, [32, 28], change), ...more });
    return moment({ step: move(0, 32, 28), view: after, previous: view(), who: String, seat: 0 })?.weight ?? null;
  };
  expect(weight({})).toBeNull();
  expect(weight({ captured: [30] })).toBe(1);
  expect(weight({ captured: [30, 20, 10] })).toBe(4);
  expect(weight({ promoted: true })).toBe(4);
  expect(weight({}, { result: { winner: 0, reason: 'elimination' } })).toBe(10);
});
