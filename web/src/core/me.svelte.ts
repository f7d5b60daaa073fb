import { changeMe, getMe } from './api';
import type { ChangeMe, Me } from './types.gen';

export const me = $state<{ current: Me | null }>({ current: null });

let asked: Promise<Me> | null = null;

/** Loads one's own person. The first answer also sets the cookie, so ask this before anything that needs it. */
export function meetMe(): Promise<Me> {
  asked ??= getMe()
    .then((found) => {
      me.current = found;
      return found;
    })
    .catch((problem: unknown) => {
      asked = null;
      throw problem;
    });
  return asked;
}

export async function renameMe(change: ChangeMe): Promise<void> {
  me.current = await changeMe(change);
}
