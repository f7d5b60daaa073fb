// Paces: their names, what a clock of each kind shows, and the last choice of this browser.
import { lang, translator } from '../i18n';
import en from '../i18n/paces.en.json';
import fr from '../i18n/paces.fr.json';
import type { Clocks } from './game';
import { duration } from './labels';
import { PRESETS } from './paces.gen';
import type { Pace, SeatTime } from './types.gen';

export const pt = translator({ fr, en });

export const DAY = 86400;
const HOUR = 3600;

/** « 3 min + 2 s », « 10 min, 5 s offertes », « 10 min, puis 3 × 30 s », « 2 jours par coup ». */
export function paceLabel(pace: Pace | null): string {
  switch (pace?.kind) {
    case undefined:
      return pt('pace.none');
    case 'fischer':
      return pace.increment
        ? pt('pace.fischer', { main: duration(pace.main), increment: duration(pace.increment) })
        : duration(pace.main);
    case 'bronstein':
      return pt('pace.bronstein', { main: duration(pace.main), delay: duration(pace.delay) });
    case 'byo_yomi':
      return pt(pace.main ? 'pace.byo_yomi' : 'pace.byo_yomi.bare', {
        main: duration(pace.main),
        periods: pace.periods,
        seconds: duration(pace.seconds),
      });
    case 'days':
      return pt('pace.days', { count: pace.days });
  }
}

/** One word for a pace, whatever the order of its fields. */
export const paceKey = (pace: Pace | null) => (pace ? JSON.stringify(Object.entries(pace).sort()) : '');

/** The usual paces, and another one if a table has it. */
export function paceChoices(other: Pace | null): { value: string; label: string; pace: Pace | null }[] {
  const known = [null, ...Object.values(PRESETS)];
  if (!known.some((pace) => paceKey(pace) === paceKey(other))) known.push(other);
  return known.map((pace) => ({ value: paceKey(pace), label: paceLabel(pace), pace }));
}

/** A stored pace, if it is still one of the usual ones. */
export function usualPace(stored: unknown): Pace | null {
  return Object.values(PRESETS).find((pace) => paceKey(pace) === paceKey(stored as Pace | null)) ?? null;
}

/** Options of a game that a pace replaces. */
export const replacedByPace = (field: string) => ['move_time', 'match_time', 'player_time'].includes(field);

const KEY = 'tablee.pace';

/** The pace that was last chosen for a table. */
export function lastPace(): Pace | null {
  try {
    return usualPace(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return null;
  }
}

export function keepPace(pace: Pace | null): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(pace));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The clock of a seat: the limit of its decision if that runs, else its own time. */
export function seatClock(clocks: Clocks | null, seat: number): { left: number; paced?: SeatTime } | null {
  if (!clocks) return null;
  if (clocks.move !== null && clocks.running.includes(seat)) return { left: clocks.move };
  const main = clocks.players[seat] ?? null;
  return main === null ? null : { left: main, paced: clocks.paced[seat] };
}

/** Seconds until a clock runs out. */
export function wholeTime(left: number, paced?: SeatTime): number {
  if (!paced) return left;
  return left + paced.delay + (paced.periods ? paced.period + (paced.periods - 1) * paced.whole : 0);
}

/** What a clock shows after it ran for some seconds: its figures, and a word about the delay or the periods. */
export function shownTime(left: number, paced: SeatTime | undefined, ran: number): { seconds: number; more: string } {
  if (!paced || (!paced.delay && !paced.periods)) return { seconds: Math.max(0, left - ran), more: '' };
  if (!paced.periods) {
    const delay = Math.max(0, paced.delay - ran);
    return { seconds: Math.max(0, left - Math.max(0, ran - paced.delay)), more: delay ? `+${Math.ceil(delay)}` : '' };
  }
  if (ran < left) return { seconds: left - ran, more: `${paced.periods}×${paced.whole}` };
  let { period, periods } = paced;
  period -= ran - left;
  while (period <= 0 && periods > 1) {
    period += paced.whole;
    periods -= 1;
  }
  return { seconds: Math.max(0, period), more: `×${periods}` };
}

/** « 4:05 », « 1:04:05 », « 2 j 3 h ». */
export function clockText(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  if (seconds >= DAY) return daysText(seconds);
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** A long time in two units: « 2 j 3 h », « 5 h 12 min », « 12 min ». */
export function daysText(seconds: number): string {
  const unit = (value: number, name: string) =>
    value.toLocaleString(lang.current, { style: 'unit', unit: name, unitDisplay: 'short' });
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [days, hours] = [Math.floor(seconds / DAY), Math.floor((seconds % DAY) / HOUR)];
  if (days) return hours ? `${unit(days, 'day')} ${unit(hours, 'hour')}` : unit(days, 'day');
  if (seconds >= HOUR) return `${unit(hours, 'hour')} ${unit(Math.floor((seconds % HOUR) / 60), 'minute')}`;
  return unit(minutes, 'minute');
}
