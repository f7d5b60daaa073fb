import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { person } from '../../core/examples';
import type { PlayedStep } from '../../core/game';
import type { SeatInfo, TableFrame } from '../../core/types.gen';
import { changesIn } from './changes';
import { EventQueue, LASTS, LEAST } from './events.svelte';
import { timeline } from './timeline';

describe('the queue of the cloth', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const plain = (text: string) => ({ text, tone: 'plain' as const });

  it('shows an event for a few seconds', () => {
    const queue = new EventQueue();
    queue.show(plain('un'));
    vi.advanceTimersByTime(LASTS - 1);
    expect(queue.shown?.text).toBe('un');
    vi.advanceTimersByTime(1);
    expect(queue.shown).toBeNull();
  });

  it('lets several wait, and shows each long enough to be read', () => {
    const queue = new EventQueue();
    for (const text of ['un', 'deux', 'deux']) queue.show(plain(text));
    expect(queue.shown?.text).toBe('un');
    vi.advanceTimersByTime(LEAST);
    expect(queue.shown?.text).toBe('deux');
    vi.advanceTimersByTime(LASTS);
    expect(queue.shown).toBeNull();
  });

  it('removes an event after the next move, but not before it could be read', () => {
    const queue = new EventQueue();
    queue.show(plain('un'));
    queue.moved();
    vi.advanceTimersByTime(LEAST - 1);
    expect(queue.shown?.text).toBe('un');
    vi.advanceTimersByTime(1);
    expect(queue.shown).toBeNull();
  });
});

describe('the changes of a table', () => {
  const frame = (status: TableFrame['status'], ...seats: SeatInfo[]) =>
    ({ status, match: 1, seats, players: seats, you: 0, view_seat: 0, paused: false }) as unknown as TableFrame;
  const anne = person('Anne');
  const told = (before: TableFrame, after: TableFrame) =>
    changesIn(before, after).map(({ text, tone, calls }) => [text, tone, calls ?? false]);
  const playing = (change: Partial<SeatInfo>) => frame('playing', anne, person('Zoé', change));

  it.each([
    [{}, { presence: 'offline' }, 'Zoé a perdu la connexion.', 'warn'],
    [{ presence: 'offline' }, {}, 'Zoé est de retour.', 'good'],
    [{}, { left: true }, 'Zoé quitte la partie.', 'warn'],
    [{}, { left: true, level: 'moyen' }, 'Zoé quitte la partie. L’ordinateur joue à sa place.', 'warn'],
    [{ left: true, level: 'moyen' }, {}, 'Zoé reprend sa place.', 'good'],
    [{}, { presence: 'idle' }, 'Zoé n’a pas joué depuis longtemps.', 'warn'],
  ] as const)('during a match: %o, then %o', (before, after, text, tone) => {
    expect(told(playing(before), playing(after))).toEqual([[text, tone, false]]);
  });

  it('says nothing about oneself, a reload or a frame that changes nothing', () => {
    expect(told(playing({}), frame('playing', person('Anne', { presence: 'idle' }), person('Zoé')))).toEqual([]);
    expect(told(playing({}), playing({ presence: 'reconnecting' }))).toEqual([]);
    expect(told(playing({ presence: 'reconnecting' }), playing({}))).toEqual([]);
    expect(told(playing({}), playing({ presence: 'later' }))).toEqual([]);
    expect(told(playing({ presence: 'later' }), playing({}))).toEqual([]);
    expect(told(playing({}), playing({}))).toEqual([]);
  });

  it('calls for a friend who sits down and for a rematch, and says who goes', () => {
    const empty: SeatInfo = { ...person(''), kind: 'empty', person: null };
    const zoe = (change = {}) => person('Zoé', change);
    expect(told(frame('waiting', anne, empty), frame('waiting', anne, zoe()))).toEqual([
      ['Zoé prend place à la table.', 'good', true],
    ]);
    expect(told(frame('waiting', anne, zoe()), frame('waiting', anne, empty))).toEqual([
      ['Zoé quitte la table.', 'plain', false],
    ]);
    expect(told(frame('over', anne, zoe()), frame('over', anne, zoe({ rematch: true })))).toEqual([
      ['Zoé propose une revanche.', 'good', true],
    ]);
  });
});

it('the list has the newest first, and what happened at the table after its move', () => {
  const played = (ply: number) => ({ step: { ply, seat: 0 } }) as PlayedStep;
  const lines = timeline(
    [played(1), played(2)],
    [{ ply: 1, seat: 1, text: 'parti' }],
    ({ step }) => `coup ${step.ply}`,
  );
  expect(lines.map(({ text, move }) => [text, move])).toEqual([
    ['coup 2', true],
    ['parti', false],
    ['coup 1', true],
  ]);
});
