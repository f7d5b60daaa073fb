// The installed app: the service worker and its updates. A new version waits until no table is open in any tab.

const LOOK_EVERY = 60 * 60 * 1000;
/** Milliseconds between two requests for a new version. */
const LOOK_AGAIN = 60 * 1000;
/** Each open table holds a lock of this name, so that other tabs know of it. */
const TABLE = 'tablee.table.';
/** When this tab last loaded itself again because a file was missing. */
const RELOADED = 'tablee.reloaded';
const RELOAD_AGAIN = 60 * 1000;
/** Milliseconds before each request for the version that has a missing file: one may fail, and so may its installation. */
const TRIES = [0, 1_000, 3_000, 9_000];

class App {
  /** A new version is ready and nothing stands in its way. */
  update = $state(false);
  #waiting: ServiceWorker | null = null;
  /** A new version answers for this page, which still runs the old one. */
  #outdated = false;
  /** This page lacks a file, so nothing of it is worth keeping. */
  #lacking = false;
  #replacing = false;
  #looked = 0;
  #registered: Promise<ServiceWorkerRegistration | null> | null = null;

  /** Starts the service worker. Browsers allow it on https and on this machine. */
  start(): void {
    // A file of this page could not be loaded, for instance because the server has other files by now.
    addEventListener('vite:preloadError', () => void this.replace());
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const workers = navigator.serviceWorker;
    let controlled = workers.controller !== null;
    workers.addEventListener('controllerchange', () => {
      // The first worker changes nothing; a later one brings another version.
      if (!controlled) keepSeen(workers);
      else this.#changed();
      controlled = true;
    });
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      void this.look(); // a table in another tab may be closed by now
      void this.ask();
    });
    this.#registered = workers.register('/service-worker.js').then(
      // A browser that blocks workers may answer with nothing.
      (registration?: ServiceWorkerRegistration) => (registration ? this.#follow(registration) : null),
      () => null,
    );
  }

  get registration(): Promise<ServiceWorkerRegistration | null> {
    return this.#registered ?? Promise.resolve(null);
  }

  /** Loads all files of this version in the background: a running match misses nothing after an update. */
  fill(): void {
    const saver = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
    if (!saver) void navigator.serviceWorker?.controller?.postMessage('fill');
  }

  /** Asks the server for a new version, but not again and again. */
  async ask(): Promise<void> {
    if (Date.now() - this.#looked < LOOK_AGAIN) return;
    this.#looked = Date.now();
    await (await this.registration)?.update().catch(() => {});
  }

  /** Looks whether the new version may be offered. A table that was left was the last page of an old one. */
  async look(): Promise<void> {
    if (this.#outdated && !atTable()) return location.reload();
    this.update = this.#waiting !== null && (await openTables()).length === 0;
  }

  /** Changes to the new version; every tab loads again. */
  async apply(): Promise<void> {
    await this.look();
    if (this.update) this.#waiting?.postMessage('activate');
  }

  /** Loads the page again if a file of it is missing because the server has another version by now; otherwise does nothing. */
  async replace(): Promise<void> {
    this.#lacking = true;
    const registration = await this.registration;
    if (!registration?.active) return reloadOnce();
    if (this.#replacing) return;
    this.#replacing = true;
    // A version that is not installed yet takes over once it is, and this page is loaded again.
    for (const wait of TRIES) {
      await new Promise((done) => setTimeout(done, wait));
      await registration.update().catch(() => {});
      registration.waiting?.postMessage('activate');
    }
    this.#replacing = false;
  }

  /** The tables that are open keep their page: the worker still has the files of the old version. */
  #changed(): void {
    this.#outdated = !this.#lacking && atTable();
    if (!this.#outdated) location.reload();
  }

  #follow(registration: ServiceWorkerRegistration): ServiceWorkerRegistration {
    const note = () => {
      // Without an active worker this is the first one, and not an update.
      this.#waiting = registration.active ? registration.waiting : null;
      if (this.#lacking) this.#waiting?.postMessage('activate');
      else void this.look();
    };
    const watch = () => registration.installing?.addEventListener('statechange', note);
    registration.addEventListener('updatefound', watch);
    watch();
    note();
    setInterval(() => void registration.update().catch(() => {}), LOOK_EVERY);
    return registration;
  }
}

export const app = new App();

/** The codes of the tables that are open in any tab of this browser. */
export async function openTables(): Promise<string[]> {
  const held = (await navigator.locks?.query())?.held ?? [];
  return held.flatMap(({ name }) => (name?.startsWith(TABLE) ? [name.slice(TABLE.length)] : []));
}

/** Tells the other tabs that a table is open here; returns a function that ends that and looks for an update. */
export function holdTable(code: string): () => void {
  let release = () => {};
  const until = new Promise<void>((done) => (release = done));
  // The browser lets go of a lock a little later.
  const held = navigator.locks?.request(TABLE + code, { mode: 'shared' }, () => until);
  return () => {
    release();
    void Promise.resolve(held).then(() => app.look());
  };
}

const atTable = () => location.pathname.startsWith('/table/');

/** Without a worker the server's page is always the newest. One that cannot be loaded either is not asked for again. */
function reloadOnce(): void {
  if (!navigator.onLine) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  } catch {
    // A browser that keeps nothing might load the page for ever.
  }
}

/** Tells the first worker what this page loaded without it, so that it is there without a network too. */
function keepSeen(workers: ServiceWorkerContainer): void {
  new PerformanceObserver((entries) => {
    const missed = entries.getEntries().filter((one) => (one as PerformanceResourceTiming).workerStart === 0);
    const paths = missed.map(({ name }) => new URL(name)).filter(({ origin }) => origin === location.origin);
    if (paths.length) workers.controller?.postMessage({ seen: paths.map((one) => one.pathname + one.search) });
  }).observe({ type: 'resource', buffered: true });
}
