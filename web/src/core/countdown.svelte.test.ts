import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Countdown, timeLeft } from './countdown.svelte';
import type { Clocks } from './game';
import * as sound from './sound';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const clocks = (change: Partial<Clocks>): Clocks => ({
  move: null,
  players: [null, null],
  match: null,
  running: [0],
  paced: [],
  at: performance.now(),
  ...change,
});

it('counts the shorter of one’s own limits, and only if it runs', () => {
  expect(timeLeft(clocks({ move: 20, players: [15, 90] }), 0)).toBe(15);
  expect(timeLeft(clocks({ move: 20 }), 0)).toBe(20);
  expect(timeLeft(clocks({ move: 20 }), 1)).toBeNull();
  expect(timeLeft(clocks({ match: 5 }), 0)).toBeNull();
  expect(timeLeft(null, 0)).toBeNull();
});

it('ticks once in each of the last ten seconds, and no longer after a move', () => {
  const play = vi.spyOn(sound, 'play').mockImplementation(() => {});
  let reading = $state.raw<Clocks | null>(clocks({ move: 13.5 }));
  let countdown!: Countdown;
  const stop = $effect.root(() => {
    countdown = new Countdown(
      () => reading,
      () => 0,
    );
  });
  flushSync();
  vi.advanceTimersByTime(3_400);
  expect([countdown.alarm, play.mock.calls.length]).toEqual([false, 0]);
  vi.advanceTimersByTime(100);
  expect([countdown.alarm, play.mock.calls.length]).toEqual([true, 1]);
  vi.advanceTimersByTime(4_000);
  expect(play.mock.calls).toEqual(Array.from({ length: 5 }, () => ['tick']));
  reading = clocks({ move: 20 });
  flushSync();
  vi.advanceTimersByTime(9_000);
  expect([countdown.alarm, play.mock.calls.length]).toEqual([false, 5]);
  stop();
});
