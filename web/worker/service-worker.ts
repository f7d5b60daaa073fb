// The service worker: opens the site without a network, keeps what was seen last, and shows push messages.
//
// It sends nothing later that the page could not send now: a move from yesterday would be wrong today.

declare const self: ServiceWorkerGlobalScope;
/** The build fills these in: the version, what the first page needs, and all files. */
declare const VERSION: string;
declare const SHELL: string[];
declare const FILES: string[];

const APP = `tablee-app-${VERSION}`;
/** What the server last said. It belongs to one person and goes with them. */
const DATA = 'tablee-data';
/** When an answer from the cache was saved, in milliseconds. */
const SAVED = 'x-tablee-saved';
const MOST_ANSWERS = 300;
/** After so many milliseconds without an answer the last known one is shown. */
const PATIENCE = 4_000;

/** Answers that pages show. Everything else (exports, recovery codes, the admin page) is never kept. */
const KEPT = [
  /^\/api\/me$/,
  /^\/api\/me\/(tables|turns|stats)$/,
  /^\/api\/games$/,
  /^\/api\/games\/[^/]+\/lessons(\/[^/]+)?$/,
  /^\/api\/(tables|puzzles|history|leaders)$/,
  /^\/api\/matches\/[^/]+(\/(replay|review|draws))?$/,
  /^\/api\/people\/[^/]+\/stats$/,
];
/** Pages that are not the app. */
const OF_THE_SERVER = /^\/(docs|healthz|readyz)(\/|$)/;
/** Requests after which this browser may belong to somebody else. */
const NEW_PERSON = ['DELETE /api/me', 'POST /api/recover', 'POST /api/passkeys/sign-in'];

/** The names of assets contain a hash of their content, so the browser's own copy will do. */
const fresh = (path: string) => new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'no-cache' });

const stem = (path: string) => path.replace(/-[\w-]{8}(?=\.\w+$)/, '');

/** Loads the shell, and those files of the new version whose predecessors were seen. */
async function install(): Promise<void> {
  const seen = new Set<string>();
  for (const name of await caches.keys()) {
    if (!name.startsWith('tablee-app-')) continue;
    for (const request of await (await caches.open(name)).keys()) seen.add(stem(new URL(request.url).pathname));
  }
  const wanted = FILES.filter((path) => SHELL.includes(path) || seen.has(stem(path)));
  await (await caches.open(APP)).addAll(wanted.map(fresh));
}

/** Loads the other files too, so that a page that is open never misses one after an update. */
async function fill(): Promise<void> {
  const cache = await caches.open(APP);
  for (const path of FILES) if (!(await cache.match(path))) await cache.add(fresh(path)).catch(() => {});
}

/** Keeps the files of the version before: a table that is open still runs it. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('tablee-app-') && name !== APP);
  for (const name of others.slice(0, -1)) await caches.delete(name);
  await self.clients.claim();
}

/** Keeps what a page loaded before this worker answered for it. */
async function keepSeen(event: ExtendableMessageEvent, paths: string[]): Promise<void> {
  const [app, data] = [await caches.open(APP), await caches.open(DATA)];
  for (const path of paths) {
    const request = new Request(path);
    if (FILES.includes(path)) {
      if (!(await app.match(path))) await app.add(fresh(path)).catch(() => {});
    } else if (isKept(request) && !(await data.match(request))) {
      const answer = await fetch(request).catch(() => null);
      if (answer?.ok) event.waitUntil(keep(data, request, answer));
    }
  }
}

const isKept = (request: Request) => KEPT.some((kept) => kept.test(new URL(request.url).pathname));

async function fromApp(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(APP);
  // A name with a hash is the same file in every version.
  const found = (await cache.match(path)) ?? (path.startsWith('/assets/') ? await caches.match(path) : undefined);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && FILES.includes(path)) await cache.put(path, answer.clone());
  return answer;
}

/** Asks the server, and falls back to what it last said. */
async function fromServer(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const cache = await caches.open(DATA);
  const asking = fetch(request).then((answer) => {
    if (answer.ok) event.waitUntil(keep(cache, request, answer.clone()));
    return answer;
  });
  asking.catch(() => {}); // a late failure after the fallback is nobody's concern
  const known = await cache.match(request);
  if (!known) return asking.catch(absent);
  const late = new Promise<null>((done) => setTimeout(() => done(null), PATIENCE));
  const answer = await Promise.race([asking, late]).catch(() => null);
  return answer && answer.status < 500 ? answer : known;
}

/** Tells the page that nobody answers and that nothing was kept. */
const absent = () => Response.json({ code: 'absent', values: {} }, { status: 504 });

async function keep(cache: Cache, request: Request, answer: Response): Promise<void> {
  const body = await answer.arrayBuffer();
  if (new URL(request.url).pathname === '/api/me') await forgetOthers(cache, request, body);
  const headers = { 'content-type': answer.headers.get('content-type') ?? '', [SAVED]: String(Date.now()) };
  await cache.delete(request); // the newest comes last
  await cache.put(request, new Response(body, { headers }));
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST_ANSWERS))) await cache.delete(old);
}

/** Drops everything if this browser belongs to another person now. */
async function forgetOthers(cache: Cache, request: Request, body: ArrayBuffer): Promise<void> {
  const before = (await (await cache.match(request))?.json()) as { id: string } | undefined;
  const now = JSON.parse(new TextDecoder().decode(body)) as { id: string };
  if (before && before.id !== now.id) await forget();
}

async function forget(): Promise<void> {
  const cache = await caches.open(DATA);
  for (const request of await cache.keys()) await cache.delete(request);
}

async function andForget(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (answer.ok) await forget();
  return answer;
}

interface Message {
  title: string;
  body: string;
  url: string;
  tag: string;
}

/** Shows a message, unless the person looks at that very page. */
async function show({ title, body, url, tag }: Message): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  if (windows.some((one) => one.visibilityState === 'visible' && new URL(one.url).pathname === url)) return;
  await self.registration.showNotification(title, {
    body,
    tag,
    data: url,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge.png',
  });
}

/** Shows the page of a message: in a window that has it already, or in a new one. */
async function open(url: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  const there = windows.find((one) => new URL(one.url).pathname === url);
  await (there ? there.focus() : self.clients.openWindow(url));
}

/** Asks for messages again after the browser ended a subscription. If that fails, the settings show that they are off. */
async function renew({ oldSubscription: old, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const now = newSubscription ?? (old && (await self.registration.pushManager.subscribe(old.options)));
  if (!now) return;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ old: old?.endpoint ?? '', endpoint: now.endpoint, ...now.toJSON().keys });
  const answer = await fetch('/api/me/push/renew', { method: 'POST', headers, body }).catch(() => null);
  if (!answer?.ok) await now.unsubscribe();
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(self.skipWaiting());
  if (event.data === 'fill') event.waitUntil(fill());
  const { seen } = event.data as { seen?: string[] };
  if (seen) event.waitUntil(keepSeen(event, seen));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method !== 'GET') {
    if (NEW_PERSON.includes(`${request.method} ${pathname}`)) event.respondWith(andForget(request));
  } else if (pathname.startsWith('/api/')) {
    if (isKept(request)) event.respondWith(fromServer(event));
  } else if (request.mode === 'navigate' && !OF_THE_SERVER.test(pathname)) {
    event.respondWith(fromApp(request, '/'));
  } else if (FILES.includes(pathname) || pathname.startsWith('/assets/')) {
    event.respondWith(fromApp(request, pathname));
  }
});

self.addEventListener('push', (event) => {
  const message = event.data?.json() as Message | undefined;
  if (message) event.waitUntil(show(message));
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data ?? '/')));
});

export {};
