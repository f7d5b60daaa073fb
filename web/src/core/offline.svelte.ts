// Whether the page shows what the server last said, because there is no network, and since when.

/** The header with which the service worker marks an answer that it kept. */
const SAVED = 'x-tablee-saved';
/** Where the service worker keeps what the server last said; it goes with the person. */
const CACHE = 'tablee-data';

class Offline {
  /** When the oldest answer on the page was saved, in milliseconds; null if everything is fresh. */
  since = $state<number | null>(null);

  /** Notes where an answer came from. */
  heard(response: Response): void {
    const saved = Number(response.headers.get(SAVED));
    if (!saved) this.since = null;
    else this.showed(saved);
  }

  showed(saved: number): void {
    this.since = Math.min(saved, this.since ?? saved);
  }
}

export const offline = new Offline();

const place = (code: string) => `/last/table/${code}`;

/** Keeps the last known state of a table, as its page shows it. */
export async function keepTable(code: string, state: unknown): Promise<void> {
  try {
    const headers = { 'content-type': 'application/json', [SAVED]: String(Date.now()) };
    await (await caches.open(CACHE)).put(place(code), new Response(JSON.stringify(state), { headers }));
  } catch {
    // Without https, or without room, a browser keeps nothing.
  }
}

/** The last known state of a table, and when it was saved. */
export async function lastTable<State>(code: string): Promise<{ state: State; saved: number } | null> {
  try {
    const found = await (await caches.open(CACHE)).match(place(code));
    return found ? { state: (await found.json()) as State, saved: Number(found.headers.get(SAVED)) } : null;
  } catch {
    return null;
  }
}
