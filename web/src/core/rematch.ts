// The rematch: the players who asked for one, and those who have not yet.
import type { SeatInfo, TableFrame } from './types.gen';
import { isFree } from './seats';

export interface Sitting {
  info: SeatInfo;
  seat: number;
}

export interface Rematch {
  /** One's own seat; undefined for a spectator. */
  mine: SeatInfo | undefined;
  /** The others who want another match. */
  asked: Sitting[];
  /** The others who have not said so. */
  awaited: Sitting[];
  /** A seat has to be filled first. */
  free: boolean;
}

export function rematchOf(table: TableFrame): Rematch {
  const others = table.seats
    .map((info, seat): Sitting => ({ info, seat }))
    .filter(({ info, seat }) => info.kind === 'person' && !info.guest && !info.left && seat !== table.you);
  return {
    mine: table.you === null ? undefined : table.seats[table.you],
    asked: others.filter(({ info }) => info.rematch),
    awaited: table.status === 'over' ? others.filter(({ info }) => !info.rematch) : [],
    free: table.seats.some(isFree),
  };
}
