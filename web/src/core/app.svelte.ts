// The installed app: the service worker and its updates. A new version waits until no table is open in any tab.

const LOOK_EVERY = 60 * 60 * 1000;
/** Each open table holds a lock of this name, so that other tabs know of it. */
const TABLE = 'tablee.table.';

class App {
  /** A new version is ready and nothing stands in its way. */
  update = $state(false);
  #waiting: ServiceWorker | null = null;
  #registered: Promise<ServiceWorkerRegistration | null> | null = null;

  /** Starts the service worker. Browsers allow it on https and on this machine. */
  start(): void {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const workers = navigator.serviceWorker;
    const controlled = workers.controller !== null;
    workers.addEventListener('controllerchange', () => {
      // The first worker changes nothing; a later one brings another version.
      if (controlled && !location.pathname.startsWith('/table/')) location.reload();
    });
    // A table in another tab may be closed by now.
    document.addEventListener('visibilitychange', () => void this.look());
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

  /** Looks whether the new version may be offered. */
  async look(): Promise<void> {
    this.update = this.#waiting !== null && (await openTables()).length === 0;
  }

  /** Changes to the new version; every tab loads again. */
  async apply(): Promise<void> {
    await this.look();
    if (this.update) this.#waiting?.postMessage('activate');
  }

  #follow(registration: ServiceWorkerRegistration): ServiceWorkerRegistration {
    const note = () => {
      // Without an active worker this is the first one, and not an update.
      this.#waiting = registration.active ? registration.waiting : null;
      void this.look();
    };
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', note));
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

/** Tells the other tabs that a table is open here; returns a function that ends that. */
export function holdTable(code: string): () => void {
  let release = () => {};
  const until = new Promise<void>((done) => (release = done));
  void navigator.locks?.request(TABLE + code, { mode: 'shared' }, () => until);
  return release;
}
