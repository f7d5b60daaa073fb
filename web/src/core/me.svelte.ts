import { changeMe, getMe } from './api';
import type { ChangeMe, Me } from './types.gen';

export const me = $state<{ current: Me | null }>({ current: null });

let asked: Promise<Me> | null = null;

/** Who I am; the first question also sets the guest's cookie, so it is asked before anything that needs one. */
export function meetMe(): Promise<Me> {
  asked ??= getMe()
    .then((found) => (me.current = found))
    .catch((problem: unknown) => {
      asked = null;
      throw problem;
    });
  return asked;
}

export async function renameMe(change: ChangeMe): Promise<void> {
  me.current = await changeMe(change);
}
