// What the coach of a game says, in words. A game brings its own; the others use those of the site.
import { figure, t } from '../i18n';
import type { GameClient } from './game';

/** Why an action is best, as `Reason` of core/coach.py. */
export interface Reason {
  code: string;
  values: Record<string, unknown>;
}

type Words = Pick<GameClient, 'advice' | 'amount'>;

/** The sentence for a reason; empty if nobody has words for it. */
export const adviceText = (game: Words | null, reason: Reason): string =>
  game?.advice?.(reason) ?? t.find(`advice.${reason.code}`, reason.values) ?? '';

/** An amount of the coach's unit without its sign, such as « 12 koras ». Without words of the game it is a chance to win: results go from −1 to 1. */
export const amountText = (game: Words | null, value: number): string =>
  game?.amount?.(Math.abs(value)) ?? t('unit.win', { amount: figure(Math.round(Math.abs(value) * 50)) });

/** What an action is called before it is played, in words of the game; empty if it has none. */
export function actionText(
  client: Pick<GameClient, 'describe' | 'option'> | null,
  action: unknown,
  view: unknown,
  { who, seat, actor }: { who: (seat: number) => string; seat: number | null; actor: number },
): string {
  try {
    const step = { ply: 0, seat: actor, action, cause: null };
    return (
      client?.option?.(action, { view, actor, seat, who }) ??
      client?.describe({ step, view, previous: null, who, seat }) ??
      ''
    );
  } catch {
    return ''; // what follows from the action is not known yet
  }
}
