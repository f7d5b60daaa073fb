import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv('PROD', true);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

it('asks again for the version that has a missing file if the first request fails', async () => {
  const waiting = { postMessage: vi.fn() };
  const registration = {
    active: {},
    waiting: null as typeof waiting | null,
    installing: null,
    addEventListener: () => {},
    update: vi.fn(async () => {
      if (registration.update.mock.calls.length === 1) throw new TypeError('no answer');
      registration.waiting = waiting;
    }),
  };
  const workers = { controller: {}, addEventListener: () => {}, register: async () => registration };
  Object.defineProperty(navigator, 'serviceWorker', { value: workers, configurable: true });
  const { app } = await import('./app.svelte');
  app.start();
  dispatchEvent(new Event('vite:preloadError'));
  await vi.advanceTimersByTimeAsync(500);
  expect(registration.update).toHaveBeenCalledOnce();
  expect(waiting.postMessage).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(waiting.postMessage).toHaveBeenCalledWith('activate');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(registration.update.mock.calls.length).toBe(4);
});
