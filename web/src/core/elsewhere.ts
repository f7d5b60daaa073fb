// Calls a person to a table that waits for them while they are on another page of the site.
import { getMyTables } from './api';
import { openTables } from './app.svelte';
import type { MyTable } from './types.gen';

const LOOK_EVERY = 20_000;
const LOOK_RARELY = 120_000;

/** The tables that wait for a person now and did not before; a table that is open in a tab calls by itself. */
export function newlyWaiting(
  tables: readonly MyTable[],
  before: ReadonlySet<string>,
  open: readonly string[],
): MyTable[] {
  return tables.filter(({ code, your_turn }) => your_turn && !before.has(code) && !open.includes(code));
}

/** Looks at one's tables now and then; `call` hears of each one that begins to wait. Returns a function that ends it. */
export function watchTables(call: (table: MyTable) => void): () => void {
  let before: ReadonlySet<string> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  async function look() {
    let wait = LOOK_RARELY;
    try {
      const tables = await getMyTables();
      if (tables.some(({ status }) => status === 'playing')) wait = LOOK_EVERY;
      const open = await openTables();
      // What waits already when the page opens is on the list of the home page.
      if (before && !ended) for (const table of newlyWaiting(tables, before, open)) call(table);
      before = new Set(tables.filter(({ your_turn }) => your_turn).map(({ code }) => code));
    } catch {
      // Nobody answers: look again later.
    }
    if (!ended) timer = setTimeout(() => void look(), wait);
  }
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
