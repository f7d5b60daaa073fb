// What comes after a match: whether anyone has won it, and who wants another.
import type { Outcome, SeatInfo, TableFrame } from './types.gen';
import { isFree } from './seats';

/** Why a match was stopped before its end, where it was: its places and scores mean nothing then. */
export function stopped(outcome: Outcome): 'ended' | 'closed' | null {
  return outcome.reason === 'ended' || outcome.reason === 'closed' ? outcome.reason : null;
}

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
    .filter(({ info, seat }) => info.kind === 'person' && !info.left && seat !== table.you);
  return {
    mine: table.you === null ? undefined : table.seats[table.you],
    asked: others.filter(({ info }) => info.rematch),
    awaited: table.status === 'over' ? others.filter(({ info }) => !info.rematch) : [],
    free: table.seats.some(isFree),
  };
}
