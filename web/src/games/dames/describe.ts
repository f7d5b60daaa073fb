// Each step in a sentence or two, for the live region and the list of moves.
import type { Describe } from '../../core/game';
import { squareName } from './coords.svelte';
import { actionOf } from './history';
import { written } from './notation';
import { sizeOf } from './squares';
import { playedBy, scored } from './story';
import type { Action, Played, State } from './types.gen';
import { t } from './words';

type Told = Parameters<Describe<State>>[0];

/** Ends that the step itself has already told: it says who gives up, who agrees, whose time is used up. */
const TOLD_BY_THE_STEP = new Set(['resign', 'agreement', 'player_timeout']);

export const describe: Describe<State> = (told) => {
  const action = actionOf(told.step);
  return action && [...acted(told, action), ...answered(told, action), ...ended(told)].join(' ');
};

/** Captures, promotions and the end are what one looks for. */
export const moment: Describe<State> = (told) => {
  const played = playedBy(told.step, told.view);
  const marks = played && (played.captured.length > 0 || played.promoted);
  return marks || told.view.result ? describe(told) : null;
};

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Told, actor: number, key: string, values = {}): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}`, { name: who(actor), ...values });
}

function acted(told: Told, action: Action): string[] {
  const { step, view } = told;
  switch (action.type) {
    case 'move':
      return moved(told, action.path);
    case 'lose_turn':
      return [say(told, step.seat, 'lost')];
    case 'flag':
      return action.clock === 'player' ? [say(told, step.seat, 'flag')] : [];
    case 'leave':
      return [say(told, view.left ?? step.seat, 'leave')];
    default:
      return [say(told, step.seat, action.type)];
  }
}

function moved(told: Told, path: number[]): string[] {
  const { step, view } = told;
  const name = (square: number) => squareName(square, sizeOf(view.options));
  const played = playedBy(step, view);
  // A step that was missed comes without its own view: what it took is not known.
  if (!played) return [say(told, step.seat, 'goes', { from: name(path[0]!), to: name(path.at(-1)!) })];
  const count = played.captured.length;
  const move = written(path, count > 0, name);
  if (count === 0) return [say(told, step.seat, 'move', { move }), ...promoted(view, played)];
  const points = scored(view) ? `, ${pointsInWords(played.points)}` : '';
  return [say(told, step.seat, 'take', { count, move, points }), ...(played.promoted ? [t('say.promoted')] : [])];
}

function promoted(view: State, played: Played): string[] {
  if (!played.promoted) return [];
  return [scored(view) ? t('say.promoted.points', { points: pointsInWords(played.points) }) : t('say.promoted')];
}

/** Spelled out: it stands beside squares, which are figures. */
function pointsInWords(count: number): string {
  return t('say.points', { count, words: t('numbers').split(' ')[count] ?? count });
}

/** Whoever plays on has declined a draw that was offered to them. */
function answered({ step, previous }: Told, action: Action): string[] {
  const plays = action.type === 'move' || action.type === 'lose_turn';
  return plays && previous && previous.offered_by === 1 - step.seat ? [t('say.declined')] : [];
}

function ended(told: Told): string[] {
  const { result } = told.view;
  if (!result || !told.previous || told.previous.result) return [];
  const verdict = result.winner === null ? t('say.draw') : say(told, result.winner, 'win');
  return TOLD_BY_THE_STEP.has(result.reason) ? [verdict] : [t(`reasons.${result.reason}`), verdict];
}
