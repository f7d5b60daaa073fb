// What changed between two frames of a table, in sentences for the other players.
import type { GameEvent } from '../../core/game';
import { isFree, seatName } from '../../core/seats';
import type { SeatInfo, TableFrame } from '../../core/types.gen';
import { t } from '../../i18n';

export interface Change extends GameEvent {
  seat: number | null;
  /** Somebody who looks at another page should hear of it. */
  calls?: boolean;
  /** The bar over the cloth shows it and reads it out. */
  barred?: boolean;
}

/** The changes of the others, oldest frame first; none if the two frames are not of the same table and match. */
export function changesIn(before: TableFrame, after: TableFrame): Change[] {
  if (before.match === after.match && before.status === 'playing' && after.status === 'playing')
    return [
      ...eachOther(before.players, after.players, after.view_seat, whilePlaying),
      ...(before.paused && !after.paused ? [{ seat: null, text: t('event.resumed'), tone: 'plain' as const }] : []),
    ];
  if (before.status === 'playing' || after.status === 'playing') return [];
  return eachOther(before.seats, after.seats, after.you, aroundTheTable);
}

type Compare = (was: SeatInfo, is: SeatInfo, name: (info: SeatInfo) => string) => Omit<Change, 'seat'> | null;

function eachOther(before: SeatInfo[], after: SeatInfo[], own: number | null, compare: Compare): Change[] {
  return after.flatMap((is, seat) => {
    const was = before[seat];
    if (!was || seat === own) return [];
    const change = compare(was, is, (info) => seatName(info, seat));
    return change ? [{ seat, ...change }] : [];
  });
}

const isHere = ({ presence }: SeatInfo) => presence === 'online' || presence === 'slow';

const whilePlaying: Compare = (was, is, name) => {
  if (!was.left && is.left)
    return { text: t(is.level ? 'event.left.held' : 'event.left', { name: name(was) }), tone: 'warn' };
  if (was.left && !is.left && is.kind === 'person')
    return { text: t('event.returned', { name: name(is) }), tone: 'good' };
  if (is.kind !== 'person' || is.left || was.presence === is.presence) return null;
  if (is.presence === 'offline') return { text: t('event.offline', { name: name(is) }), tone: 'warn', barred: true };
  if (is.presence === 'idle') return { text: t('event.idle', { name: name(is) }), tone: 'warn' };
  return was.presence === 'offline' && isHere(is) ? { text: t('event.back', { name: name(is) }), tone: 'good' } : null;
};

const aroundTheTable: Compare = (was, is, name) => {
  if (is.kind === 'person' && !isFree(is) && was.person !== is.person)
    return { text: t('event.sat', { name: name(is) }), tone: 'good', calls: true };
  if (was.kind === 'person' && !isFree(was) && isFree(is))
    return { text: t('event.stood', { name: name(was) }), tone: 'plain' };
  return !was.rematch && is.rematch && is.kind === 'person'
    ? { text: t('event.rematch', { name: name(is) }), tone: 'good', calls: true }
    : null;
};
