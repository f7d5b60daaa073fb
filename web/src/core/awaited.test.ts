import { expect, test } from 'vitest';
import { awaitedText } from './awaited';
import type { MatchState } from './match';
import { present } from './seats';
import type { TableFrame } from './types.gen';

const absent = { ...present('Paul', 1), presence: 'later' as const };
const table = { pace: { kind: 'days', days: 3 }, players: [present('Zoé', 0), absent], paused: false } as TableFrame;
const match = { turn: { must: [1], may: [], stage: '' }, outcome: null, offer: null } as unknown as MatchState;

test('a game over days says whom it waits for', () => {
  const text = (change: object) => awaitedText({ ...table, ...change }, match);
  expect(text({})).toBe('C’est à Paul de jouer.');
  expect(text({ players: [table.players[0], { ...absent, vacation: true }] })).toContain('vacances');
  // Paul looks at the table, or everybody sits there: he thinks.
  expect(text({ players: [table.players[0], present('Paul', 1)] })).toBeUndefined();
  expect(text({ pace: null })).toBeUndefined();
});
