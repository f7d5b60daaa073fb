// Whom a game over days waits for, in a sentence. Nobody thinks about a move for days: « C’est à Paul de jouer ».
import { lang } from '../i18n';
import type { MatchState } from './match';
import { pt } from './pace';
import { seatName } from './seats';
import type { TableFrame } from './types.gen';

/** Undefined if the reader may act, or if somebody who must act looks at the table. */
export function awaitedText(table: TableFrame, match: MatchState): string | undefined {
  const { must } = match.turn;
  if (table.pace?.kind !== 'days' || match.outcome || match.offer || !must.length || table.paused) return undefined;
  const players = must.map((seat) => table.players[seat]!);
  if (players.some((info) => info.kind !== 'person' || info.left || (info.presence !== 'later' && !info.vacation)))
    return undefined;
  const names = new Intl.ListFormat(lang.current).format(must.map((seat) => seatName(table.players[seat], seat)));
  return pt(players.every((info) => info.vacation) ? 'awaited.vacation' : 'awaited', { names });
}
