// Each step in a sentence or two, for the live region and the list of moves; and the few words of a key moment.
import type { Describe, GameEvent } from '../../core/game';
import type { Moment } from '../../core/moments';
import { figure } from '../../i18n';
import { placeWords } from './grids';
import { eventsOf } from './story';
import { targetWords } from './target';
import type { Action, Event, View } from './types.gen';
import { list, t } from './words';

type Context = Parameters<Describe<View>>[0];

export const describe: Describe<View> = (context) => {
  const { step, previous, view } = context;
  const events = eventsOf(previous, view);
  const clock = step.cause === 'clock' ? [t('say.clock')] : [];
  const sentences = [
    ...acted(context, events),
    ...opened(context, events),
    ...events.flatMap((event) => happened(context, event, events)),
  ];
  return sentences.length ? [...clock, ...sentences].join(' ') : null;
};

/** What the clock played, an attack on the reader and how it ends, a turn lost, the last lap. */
export const event = (context: Context): GameEvent | null => {
  const { step, seat, previous, view } = context;
  const events = eventsOf(previous, view);
  const own = seat !== null && step.seat === seat;
  if (own && step.cause === 'clock') {
    const text = describe(context);
    return text ? { text, tone: 'warn' } : null;
  }
  const noticed = events.filter((one) => isNoticed(one, seat));
  const text = noticed.flatMap((one) => happened(context, one, events)).join(' ');
  const harmed = noticed.some(
    (one) => (one.kind === 'played' ? one.target : one.seat) === seat && one.kind !== 'ending',
  );
  return text ? { text, tone: harmed && seat !== null ? 'warn' : 'plain' } : null;
};

function isNoticed(event: Event, seat: number | null): boolean {
  switch (event.kind) {
    case 'played':
      return seat !== null && event.target === seat && event.seat !== seat;
    case 'answered':
      return event.seat !== seat && event.answer !== 'accept';
    case 'void':
    case 'ending':
      return true;
    case 'skipped':
    case 'lost':
    case 'shuffled':
      return event.seat === seat;
    default:
      return false;
  }
}

/** « Vous jouez … » or « Paul joue … »: the sentence for a seat. */
function say({ who, seat }: Context, actor: number, key: string, values = {}): string {
  return t.any(`say.${key}.${actor === seat ? 'you' : 'other'}`, { name: who(actor), ...values });
}

/** Steps without an event: a hidden choice, the end of a turn, the deck put back; and every step if the previous view is not known. */
function acted(context: Context, events: readonly Event[]): string[] {
  const action = context.step.action as Action | null;
  const actor = context.step.seat;
  if (!action)
    return context.previous?.stage === 'choose'
      ? [say(context, actor, 'choose')]
      : context.previous?.stage === 'vote'
        ? [say(context, actor, 'voted')]
        : [];
  if (action.type === 'choose' || action.type === 'end_turn') return [say(context, actor, action.type)];
  if (action.type === 'vote' && !events.some((event) => event.kind === 'voted')) return [say(context, actor, 'voted')];
  if (action.type === 'action' && action.order) return [say(context, actor, 'scouted')];
  if (context.previous || action.type === 'vote') return [];
  return action.type === 'action'
    ? [say(context, actor, 'played', { card: t(`card.${action.card}`) })]
    : action.type === 'leave'
      ? [say(context, actor, 'left')]
      : [];
}

/** The first two cards of everybody at once would be a long list. */
function opened(context: Context, events: readonly Event[]): string[] {
  const { previous, view } = context;
  if (previous?.stage !== 'choose' || view.stage === 'choose' || !events.some((event) => event.kind === 'turned'))
    return [];
  return [t('say.opened'), ...(view.to_act === null ? [] : [say(context, view.to_act, 'starts')])];
}

function happened(context: Context, event: Event, events: readonly Event[]): string[] {
  const { view, previous, who, seat: viewer } = context;
  const seat = event.seat ?? context.step.seat;
  const value = event.card === null ? '' : figure(event.card);
  const card = event.action ? t(`card.${event.action}`) : '';
  const place = event.cell === null ? '' : placeWords(event.cell);
  const aim = targetWords({ ...event, seat }, viewer, who);
  switch (event.kind) {
    case 'drew': {
      const held = view.held;
      if (held?.source === 'gift' && held.card !== null) return [t('say.given', { value: figure(held.card) })];
      const mine = held && held.card !== null ? figure(held.card) : '';
      const action = held?.action ? t(`card.${held.action}`) : '';
      const forced = event.source === 'action' && !held && seat === viewer;
      return forced ? [] : [say(context, seat, `drew.${event.source}`, { value: value || mine, card: action })];
    }
    case 'placed':
      return [say(context, seat, 'placed', { value, place, old: event.old === null ? '' : figure(event.old) })];
    case 'discarded':
      return [t('say.discarded', { value })];
    case 'turned':
      return previous?.stage === 'choose' || events.some((one) => one.kind === 'manche')
        ? []
        : [say(context, seat, 'turned', { place, value })];
    case 'played': {
      const named = event.repeats ? t('say.repeats', { card, repeats: t(`card.${event.repeats}`) }) : card;
      return [say(context, seat, aim ? 'played.aim' : 'played', { card: named, aim })];
    }
    case 'answered':
      return [say(context, seat, event.answer!)];
    case 'void':
      return [t('say.void')];
    case 'hit':
      return [...(mirrored(events) ? [t('say.mirrored', { aim })] : []), ...peeked(context, event)];
    case 'drawn':
      return [t(`say.drawn.${seat === viewer ? 'you' : 'other'}`, { name: who(seat), count: event.count ?? 0 })];
    case 'stolen':
      return [
        t(seat === viewer ? 'say.stolen.you' : event.target === viewer ? 'say.stolen.from' : 'say.stolen', {
          name: who(seat),
          target: event.target === null ? '' : who(event.target),
        }),
      ];
    case 'reversed':
      return [t.any(`say.reversed.${event.direction}`)];
    case 'refilled':
      return event.source === 'action' ? [] : [t('say.refilled')];
    case 'voted':
      return [say(context, seat, event.go_on === null ? 'voted.follow' : event.go_on ? 'voted.on' : 'voted.stop')];
    case 'manche':
      return manche(context);
    case 'moved':
      return [];
    case 'cleared':
    case 'stored':
    case 'thrown':
    case 'shuffled':
    case 'lost':
    case 'skipped':
    case 'ending':
      return [say(context, seat, event.kind, { value, card })];
    case 'left':
      return [say(context, seat, context.step.cause === 'resign' ? 'resigned' : 'left')];
  }
}

const mirrored = (events: readonly Event[]) =>
  events.some((event) => event.kind === 'answered' && event.answer === 'mirror');

/** The card that a peek showed, for the player who looked. */
function peeked({ view, seat }: Context, event: Event): string[] {
  if (event.action !== 'peek' || event.seat !== seat || event.target === null) return [];
  const seen = view.seats[event.target]?.peeked.find((one) => one.cell === event.target_cell)?.card;
  return seen === null || seen === undefined ? [] : [t('say.peeked', { value: figure(seen) })];
}

function manche(context: Context): string[] {
  const { view, who } = context;
  const result = view.results.at(-1);
  if (!result) return [];
  const scores = result.scores.flatMap((points, seat) =>
    points === null ? [] : [t('say.score', { name: who(seat), points: figure(points) })],
  );
  const doubled = result.doubled && result.initiator !== null ? [say(context, result.initiator, 'doubled')] : [];
  return [t('say.manche', { manche: view.results.length, scores: list(scores) }), ...doubled];
}

/** Marks the end of a manche, the last lap, an answer to an attack, a column. */
export const moment = ({ previous, view, who }: Context): Moment | null => {
  const events = eventsOf(previous, view);
  const find = (kind: Event['kind']) => events.find((event) => event.kind === kind);
  if (find('manche'))
    return { text: t('moment.manche', { manche: view.results.length }), weight: view.stage === 'over' ? 10 : 7 };
  const ending = find('ending');
  if (ending?.seat != null) return { text: t('moment.ending', { name: who(ending.seat) }), weight: 5 };
  const answer = find('answered');
  if (answer?.seat != null && answer.answer !== 'accept')
    return { text: t.any(`moment.${answer.answer}`, { name: who(answer.seat) }), weight: 4 };
  const cleared = find('cleared');
  return cleared?.seat != null && cleared.card !== null
    ? { text: t('moment.cleared', { name: who(cleared.seat), value: figure(cleared.card) }), weight: 3 }
    : null;
};
