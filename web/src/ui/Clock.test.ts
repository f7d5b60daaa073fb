import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Clock from './Clock.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shown = () => screen.getByRole('timer').textContent?.trim();

it('counts whole seconds down from the frame, however late the browser wakes it', async () => {
  render(Clock, { left: 65.4, at: performance.now(), running: true });
  expect(shown()).toBe('1:06');
  vi.advanceTimersByTime(400);
  await tick();
  expect(shown()).toBe('1:05');
  vi.advanceTimersByTime(41_000);
  await tick();
  expect(shown()).toBe('0:24');
  vi.advanceTimersByTime(60_000);
  await tick();
  expect(shown()).toBe('0:00');
});

it('starts from the time that has passed since the frame', () => {
  render(Clock, { left: 20, at: performance.now() - 5_000, running: true });
  expect(shown()).toBe('0:15');
});

it('stands still if it is not running', () => {
  render(Clock, { left: 90, at: performance.now(), running: false });
  vi.advanceTimersByTime(5_000);
  expect(shown()).toBe('1:30');
});

it('raises the alarm for its last ten seconds, not before, and only while it runs', async () => {
  render(Clock, { left: 12, at: performance.now(), running: true });
  const alarmed = () => screen.getByRole('timer').dataset.alarm === 'true';
  expect(alarmed()).toBe(false);
  vi.advanceTimersByTime(2_000);
  await tick();
  expect([shown(), alarmed()]).toEqual(['0:10', true]);
});

it('raises no alarm while it stands still', () => {
  render(Clock, { left: 5, at: performance.now(), running: false });
  expect(screen.getByRole('timer').dataset.alarm).toBeUndefined();
});
