import { afterEach, beforeEach, expect, it, vi } from 'vitest';

interface Changed {
  oldSubscription: object | null;
  newSubscription: object | null;
  waitUntil: (work: Promise<void>) => void;
}

const handlers = new Map<string, (event: Changed) => void>();
const subscribe = vi.fn();
const ask = vi.fn();

const subscription = (endpoint: string) => ({
  endpoint,
  options: { userVisibleOnly: true },
  toJSON: () => ({ endpoint, keys: { p256dh: 'key', auth: 'secret' } }),
  unsubscribe: vi.fn().mockResolvedValue(true),
});

/** Tells the worker that the browser ended a subscription. */
async function change(oldSubscription: object | null, newSubscription: object | null = null): Promise<void> {
  let work = Promise.resolve();
  const waitUntil = (more: Promise<void>) => {
    work = more;
  };
  handlers.get('pushsubscriptionchange')!({ oldSubscription, newSubscription, waitUntil });
  await work;
}

beforeEach(async () => {
  const addEventListener = (type: string, handler: (event: Changed) => void) => handlers.set(type, handler);
  vi.stubGlobal('self', { addEventListener, registration: { pushManager: { subscribe } } });
  vi.stubGlobal('VERSION', 'test');
  vi.stubGlobal('fetch', ask);
  const worker = '../worker/service-worker.ts'; // it has types of its own
  await import(/* @vite-ignore */ worker);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
  vi.resetModules();
});

it('subscribes again with the same options and tells the server', async () => {
  const [old, fresh] = [subscription('https://push/old'), subscription('https://push/new')];
  subscribe.mockResolvedValue(fresh);
  ask.mockResolvedValue(new Response(null, { status: 204 }));
  await change(old);
  expect(subscribe).toHaveBeenCalledWith(old.options);
  const [path, { body }] = ask.mock.calls[0] as [string, { body: string }];
  expect(path).toBe('/api/me/push/renew');
  expect(JSON.parse(body)).toEqual({
    old: 'https://push/old',
    endpoint: 'https://push/new',
    p256dh: 'key',
    auth: 'secret',
  });
  expect(fresh.unsubscribe).not.toHaveBeenCalled();
});

it('ends a new subscription that the server did not take', async () => {
  for (const answer of [Promise.resolve(new Response(null, { status: 404 })), Promise.reject(new Error('offline'))]) {
    const fresh = subscription('https://push/new');
    ask.mockReturnValue(answer);
    await change(subscription('https://push/old'), fresh);
    expect(subscribe).not.toHaveBeenCalled();
    expect(fresh.unsubscribe).toHaveBeenCalledOnce();
  }
});

it('does nothing if the browser names no subscription', async () => {
  await change(null);
  expect(subscribe).not.toHaveBeenCalled();
  expect(ask).not.toHaveBeenCalled();
});
