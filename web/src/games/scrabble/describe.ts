// Each step in a sentence or two, for the live region and the list of moves; and what people look for in a replay.
import type { Describe, GameEvent } from '../../core/game';
import type { Moment } from '../../core/moments';
import { lang, t as site } from '../../i18n';
import { PENALTY, settled, turnsOf } from './story';
import type { Action, LastPlay, Play, View } from './types.gen';
import { t } from './words';

type Context = Parameters<Describe<View>>[0];

export const describe: Describe<View> = (context) =>
  [...acted(context), ...judged(context), ...ended(context)].join(' ') || null;

/** A turn without a play, and a contest: that it was made, and its verdict. */
export const event = (context: Context): GameEvent | null => {
  const { step, view, previous, seat } = context;
  const last = previous?.pending ? settled(previous, view) : null;
  if (last?.contesters.length) {
    const losers = last.withdrawn ? [last.seat] : last.contesters;
    const involved = seat !== null && (last.seat === seat || last.contesters.includes(seat));
    const tone = !involved ? 'plain' : losers.includes(seat) ? 'warn' : 'good';
    return { text: judged(context).join(' '), tone };
  }
  const type = (step.action as Action | null)?.type;
  if (type !== 'pass' && type !== 'exchange' && type !== 'challenge') return null;
  const text = acted(context).join(' ');
  const late = step.cause === 'clock' && step.seat === seat;
  return text ? { text, tone: late ? 'warn' : 'plain' } : null;
};

/** Marks the play that ended the match, a bingo, a contest that cost something; lightly every other play by its score. */
export const moment = ({ view, previous, who, seat }: Context): Moment | null => {
  const last = settled(previous, view);
  if (!last) return null;
  const { score: count, bingo } = last.play;
  const word = last.play.word.toUpperCase();
  if (last.withdrawn) return { text: t('moment.withdrawn', { word }), weight: 5 };
  if (last.contesters.length) return { text: t('moment.contested', { word }), weight: 5 };
  if (bingo) return { text: t('moment.bingo', { word, count }), weight: 7 };
  if (view.final)
    return {
      text: t(last.seat === seat ? 'moment.last.you' : 'moment.last', { name: who(last.seat), word }),
      weight: 10,
    };
  return { text: t('moment.play', { name: who(last.seat), word, count }), weight: Math.min(count / 20, 4) };
};

/** « Vous … » or « Paul … »: the sentence for a seat. */
function say({ who, seat }: Context, actor: number, key: string, values = {}): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'they'}`, { name: who(actor), ...values });
}

const points = (count: number) => t('points', { count });
const listed = (some: readonly string[]) => new Intl.ListFormat(lang.current).format(some);

function acted(context: Context): string[] {
  const { step, view, previous } = context;
  // The answers of others are hidden until all have answered; `judged` describes them then.
  const action = step.action as Action | null;
  const late = step.cause === 'clock' && action?.type === 'pass' ? [t('say.late')] : [];
  switch (action?.type) {
    case 'place': {
      const { at, word } = action;
      // The log still has what happened before this person arrived.
      const play = previous
        ? (view.pending?.play ?? view.last?.play)
        : turnsOf(view).findLast(({ move }) => move.at === at && move.word === word)?.play;
      return play ? laid(context, play) : [say(context, step.seat, 'names', { word: word.toUpperCase(), at })];
    }
    case 'exchange':
      return [say(context, step.seat, 'exchange', { count: action.tiles.length })];
    case 'pass':
      return [...late, say(context, step.seat, 'pass')];
    case 'challenge':
    case 'accept':
      return step.seat === context.seat && view.pending ? [t(`say.${action.type}`)] : [];
    case 'leave':
      return [say(context, step.seat, step.cause === 'resign' ? 'resign' : 'leave')];
    default:
      return [];
  }
}

function laid(context: Context, play: Play): string[] {
  const values = { word: play.word.toUpperCase(), at: play.at, points: points(play.score) };
  const more = play.words.slice(1).map(({ word }) => word.toUpperCase());
  return [
    say(context, context.step.seat, 'place', values),
    ...(more.length ? [t('say.also', { words: listed(more), count: more.length })] : []),
    ...(play.bingo ? [t('say.bingo')] : []),
    ...(context.view.pending ? [t('say.window', { count: context.view.options.challenge_time ?? 30 })] : []),
  ];
}

/** A window that closed: whether the play stands, and who pays for it. */
function judged(context: Context): string[] {
  const last = settled(context.previous, context.view);
  if (!last || !context.previous?.pending) return [];
  const word = last.play.word.toUpperCase();
  if (!last.contesters.length) return [t('say.stands', { word, points: points(last.play.score) })];
  const by = contested(context, last);
  if (last.withdrawn) {
    const bad = listed(last.invalid);
    return [by, t('say.invalid', { words: bad, count: last.invalid.length }), say(context, last.seat, 'withdrawn')];
  }
  const paid = last.contesters.map((one) => say(context, one, 'penalty', { points: points(PENALTY) }));
  return [by, t('say.valid', { count: last.play.words.length }), ...paid];
}

function contested({ who, seat }: Context, last: LastPlay): string {
  const others = last.contesters.filter((one) => one !== seat);
  const names = listed(others.map(who));
  if (others.length === last.contesters.length) return t('say.contested', { names, count: others.length });
  const all = listed([site('room.you'), ...others.map(who)]);
  return others.length ? t('say.contested.with', { names: all }) : t('say.contested.you');
}

function ended(context: Context): string[] {
  const { final } = context.view;
  if (!final || !context.previous || context.previous.final) return [];
  const changes = final.adjustments.flatMap((change, seat) =>
    change === 0 ? [] : [say(context, seat, change < 0 ? 'loses' : 'gains', { points: points(Math.abs(change)) })],
  );
  return [t(`reasons.${final.ending}`), ...changes];
}
