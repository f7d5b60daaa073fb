import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Clock from './Clock.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shown = () => screen.getByRole('timer').textContent?.trim();

it('counts whole seconds down to the deadline, however late the browser wakes it', async () => {
  render(Clock, { deadline: Date.now() + 65_400 });
  expect(shown()).toBe('1:06');
  vi.advanceTimersByTime(400);
  await tick();
  expect(shown()).toBe('1:05');
  vi.setSystemTime(Date.now() + 40_000);
  vi.advanceTimersByTime(1_000);
  await tick();
  expect(shown()).toBe('0:24');
  vi.advanceTimersByTime(60_000);
  await tick();
  expect(shown()).toBe('0:00');
});

it('stands still without a deadline', () => {
  render(Clock, { deadline: null, left: 90_000 });
  vi.advanceTimersByTime(5_000);
  expect(shown()).toBe('1:30');
});
