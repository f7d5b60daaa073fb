// Each step in a sentence or two, for the live region and the list of moves.
import type { Describe, GameEvent } from '../../core/game';
import type { Moment } from '../../core/moments';
import { squareName } from './coords.svelte';
import { actionOf } from './history';
import { written } from './notation';
import { sizeOf } from './squares';
import { playedBy, scored } from './story';
import type { Action, Played, State } from './types.gen';
import { t } from './words';

type Context = Parameters<Describe<State>>[0];

/** Endings that the step itself has already announced: a resignation, an agreement, a clock at zero. */
const SAID_BY_THE_STEP = new Set(['resign', 'agreement', 'player_timeout']);

export const describe: Describe<State> = (context) => {
  const action = actionOf(context.step);
  return action && [...acted(context, action), ...answered(context, action), ...ended(context)].join(' ');
};

/** A lost turn, and a draw that is offered or declined. */
export const event = (context: Context): GameEvent | null => {
  const action = actionOf(context.step);
  if (!action) return null;
  if (action.type === 'lose_turn') {
    const text = [...acted(context, action), ...answered(context, action)].join(' ');
    return { text, tone: context.step.seat === context.seat ? 'warn' : 'plain' };
  }
  if (action.type === 'offer_draw' || action.type === 'decline_draw')
    return { text: acted(context, action).join(' '), tone: 'plain' };
  const declined = answered(context, action);
  return declined.length ? { text: declined.join(' '), tone: 'plain' } : null;
};

/** Marks the end, promotions and captures; several pieces at once weigh more than one. */
export const moment = (context: Context): Moment | null => {
  const played = playedBy(context.step, context.view);
  const captured = played?.captured.length ?? 0;
  const weight = context.view.result ? 10 : (captured > 1 ? captured + 1 : captured) + (played?.promoted ? 4 : 0);
  const text = weight ? describe(context) : null;
  return text ? { text, weight: Math.min(weight, 10) } : null;
};

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Context, actor: number, key: string, values = {}): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}`, { name: who(actor), ...values });
}

function acted(context: Context, action: Action): string[] {
  const { step, view } = context;
  switch (action.type) {
    case 'move':
      return moved(context, action.path);
    case 'lose_turn':
      return [say(context, step.seat, 'lost')];
    case 'flag':
      return action.clock === 'player' ? [say(context, step.seat, 'flag')] : [];
    case 'leave':
      return [say(context, view.left ?? step.seat, step.cause === 'resign' ? 'resign' : 'leave')];
    default:
      return [say(context, step.seat, action.type)];
  }
}

function moved(context: Context, path: number[]): string[] {
  const { step, view } = context;
  const name = (square: number) => squareName(square, sizeOf(view.options));
  const played = playedBy(step, view);
  // A missed step comes without its view, so its captures are not known.
  if (!played) return [say(context, step.seat, 'goes', { from: name(path[0]!), to: name(path.at(-1)!) })];
  const count = played.captured.length;
  const move = written(path, count > 0, name);
  if (count === 0) return [say(context, step.seat, 'move', { move }), ...promoted(view, played)];
  const points = scored(view) ? `, ${pointsInWords(played.points)}` : '';
  return [say(context, step.seat, 'take', { count, move, points }), ...(played.promoted ? [t('say.promoted')] : [])];
}

function promoted(view: State, played: Played): string[] {
  if (!played.promoted) return [];
  return [scored(view) ? t('say.promoted.points', { points: pointsInWords(played.points) }) : t('say.promoted')];
}

/** The number as a word, because it stands beside the numbers of squares. */
function pointsInWords(count: number): string {
  return t('say.points', { count, words: t('numbers').split(' ')[count] ?? count });
}

/** A player who moves instead of answering declines the draw. */
function answered({ step, previous }: Context, action: Action): string[] {
  const plays = action.type === 'move' || action.type === 'lose_turn';
  return plays && previous && previous.offered_by === 1 - step.seat ? [t('say.declined')] : [];
}

function ended(context: Context): string[] {
  const { result } = context.view;
  if (!result || !context.previous || context.previous.result) return [];
  const verdict = result.winner === null ? t('say.draw') : say(context, result.winner, 'win');
  return SAID_BY_THE_STEP.has(result.reason) ? [verdict] : [t(`reasons.${result.reason}`), verdict];
}
