import { afterEach, expect, it } from 'vitest';
import { lang } from '../../i18n';
import type { Step } from '../../core/types.gen';
import { describe, moment } from './describe';
import { last, move, moveOf, played, step, view } from './examples';
import type { Play, View } from './types.gen';

const who = (seat: number) => ['vous', 'Paul', 'Zoé'][seat]!;
const plain = (text: string | null) => text?.replace(/[\u202f\u00a0]/g, ' ');
const said = (step: Step, after: View, before: View | null = view()) =>
  plain(describe({ step, view: after, previous: before, who, seat: 0 }));

const MA = played('H8', 'MA');
const place = (play: Play) => ({ type: 'place' as const, at: play.at, word: play.word });
const after = (seat: number, play: Play, change = {}) =>
  view({ log: [moveOf(seat, play)], last: last(seat, play), ...change });

/** A window on Paul's play in which everybody was asked, and how it closed. */
const open = view({
  stage: 'challenge',
  to_act: 1,
  pending: { seat: 1, play: MA, answered: [], waiting: [0], mine: null },
});
const closed = (contesters: number[], invalid: string[] = []) => {
  const kind = invalid.length ? 'withdrawn' : 'place';
  return view({
    log: [moveOf(1, MA, { kind, contesters, invalid })],
    last: last(1, MA, { contesters, invalid, withdrawn: invalid.length > 0 }),
  });
};

afterEach(() => (lang.current = 'fr'));

it('says a play with its place, its points and its other words', () => {
  expect(said(step(0, place(MA)), after(0, MA))).toBe('Vous jouez MA en H8 : 6 points.');
  const two = { ...MA, words: [...MA.words, played('8H', 'ME').words[0]!, played('9H', 'AS').words[0]!] };
  expect(said(step(1, place(two)), after(1, two))).toBe(
    'Paul joue MA en H8 : 6 points. Autres mots formés : ME et AS.',
  );
});

it('says a bingo, and a play that may be contested', () => {
  const seven = played('H8', 'MAISONS');
  expect(said(step(1, place(seven)), after(1, seven))).toContain('Scrabble : sept jetons, 50 points de plus.');
  expect(said(step(1, place(MA)), open)).toBe('Paul joue MA en H8 : 6 points. 30 secondes pour contester.');
});

it('says a play it did not see as the log tells it, and what it can of one that is in no log yet', () => {
  expect(said(step(1, place(MA)), after(1, MA), null)).toBe('Paul joue MA en H8 : 6 points.');
  expect(said(step(1, place(MA)), view(), null)).toBe('Paul joue MA en H8.');
});

it('says exchanges and passes', () => {
  const moved = (kind: 'exchange' | 'pass') => view({ log: [move(1, { kind })] });
  expect(said(step(1, { type: 'exchange', tiles: '___' }), moved('exchange'))).toBe('Paul échange 3 jetons.');
  expect(said(step(0, { type: 'exchange', tiles: 'A' }), moved('exchange'))).toBe('Vous échangez 1 jeton.');
  expect(said(step(1, { type: 'pass' }, 'clock'), moved('pass'))).toBe('Temps écoulé. Paul passe.');
});

it('says nothing of an answer that is hidden, and all of it at the end', () => {
  expect(said(step(2, null), open, open)).toBeUndefined();
  expect(said(step(0, { type: 'accept' }), closed([]), open)).toBe('Personne ne conteste : MA reste, 6 points.');
  expect(said(step(0, { type: 'challenge' }), closed([0], ['MA']), open)).toBe(
    'Vous avez contesté. MA n’est pas dans le lexique. Paul reprend ses jetons.',
  );
  expect(said(step(2, null), closed([0, 2]), open)).toBe(
    'Vous et Zoé contestez. Le mot est valable. Vous perdez 10 points. Zoé perd 10 points.',
  );
});

it('says one’s own answer while others still think', () => {
  expect(said(step(0, { type: 'challenge' }), open, open)).toBe('Vous contestez.');
});

it('says the last counting', () => {
  const final = { ending: 'out' as const, racks: ['', 'EZ'], adjustments: [11, -11] };
  expect(said(step(0, place(MA)), after(0, MA, { final, stage: 'over' }))).toBe(
    'Vous jouez MA en H8 : 6 points. Tous les jetons sont posés et le sac est vide. Vous gagnez 11 points pour les jetons des autres. Paul perd 11 points pour ses jetons restants.',
  );
});

it('marks what people look for in a replay', () => {
  const marked = (now: View, before: View | null = view()) =>
    moment({ step: step(1, null), view: now, previous: before, who, seat: null });
  const key = (now: View, before?: View) => plain(marked(now, before)?.text ?? null);
  expect(marked(view())).toBeNull();
  // An ordinary play weighs less than everything else.
  expect([key(after(1, MA)), marked(after(1, MA))!.weight]).toEqual(['Paul : MA, 6 points', 0.3]);
  expect(key(after(1, played('H8', 'MAISONS')))).toBe('Scrabble : MAISONS, 68 points');
  expect(key(closed([0], ['MA']), open)).toBe('MA, contesté et repris');
  expect(key(closed([0]), open)).toBe('MA, contesté à tort');
  const final = { ending: 'out' as const, racks: ['E', ''], adjustments: [-1, 1] };
  expect(key(after(1, MA, { final }))).toBe('Paul finit avec MA');
});

it('speaks English as well', () => {
  lang.current = 'en';
  expect(said(step(1, { type: 'exchange', tiles: '_' }), view({ log: [move(1, { kind: 'exchange' })] }))).toBe(
    'Paul exchanges 1 tile.',
  );
});
