import { ApiProblem, createTable } from '../../core/api';
import { meetMe } from '../../core/me.svelte';
import { router } from '../../core/router.svelte';
import type { NewTable } from '../../core/types.gen';
import { refusalText } from '../../core/labels';
import { toast } from '../../ui/toasts.svelte';

/** The code of the table that was just opened to start at once. */
let fresh: string | null = null;

/** Whether a table starts as soon as its page opens; true only once. */
export function isFresh(code: string): boolean {
  const begins = fresh === code;
  fresh = null;
  return begins;
}

/** Opens a table and goes to it, or shows why it cannot. The page starts the match after it has salted the deal. */
export async function layTable({ start = false, ...table }: NewTable): Promise<boolean> {
  try {
    await meetMe();
    const { code } = await createTable(table);
    if (start) fresh = code;
    router.go(`/table/${code}`);
    return true;
  } catch (error) {
    toast(refusalText(error as ApiProblem, table.game), 'warn');
    return false;
  }
}
