import { ApiProblem, createTable } from '../../core/api';
import { meetMe } from '../../core/me.svelte';
import { router } from '../../core/router.svelte';
import type { NewTable } from '../../core/types.gen';
import { refusalWords } from '../../core/words';
import { toast } from '../../ui/toasts.svelte';

/** Lays a table and goes to it; says why where it cannot. */
export async function layTable(table: NewTable): Promise<boolean> {
  try {
    await meetMe();
    const { code } = await createTable(table);
    router.go(`/table/${code}`);
    return true;
  } catch (error) {
    toast(refusalWords(error as ApiProblem, table.game), 'warn');
    return false;
  }
}
