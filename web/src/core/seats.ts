// Where people sit around the cloth, and what they are called.
import { t } from '../i18n';
import type { SeatInfo } from './types.gen';
import { levelName } from './labels';

export type Side = 'left' | 'top' | 'right';

/** The other seats in the order of play, beginning after the one at the bottom of the screen. */
export function others(count: number, bottom: number): number[] {
  return Array.from({ length: count - 1 }, (_, i) => (bottom + 1 + i) % count);
}

/** The side of the cloth for each of the others: clockwise, the left first. */
export function sides(count: number): Side[] {
  if (count < 3) return Array.from({ length: count }, () => 'top');
  const flank = count < 6 ? 1 : 2;
  return Array.from({ length: count }, (_, i) => (i < flank ? 'left' : i >= count - flank ? 'right' : 'top'));
}

/** Bots have names, so that seven of them can be distinguished. */
const BOT_NAMES = ['Alizé', 'Biscotte', 'Cachou', 'Domino', 'Éclair', 'Figaro', 'Grisette', 'Hublot'];

const LEVELS = ['facile', 'moyen', 'difficile', 'expert', 'maitre'];

/** The level to begin with: moyen, or the middle one if the game has none; nothing without levels. */
export const usualLevel = (levels: readonly string[]): string | undefined =>
  levels.includes('moyen') ? 'moyen' : levels[Math.floor((levels.length - 1) / 2)];

/** 1 to 5: how many pips a bot shows. */
export function strength(level: string | null): number {
  return Math.max(0, LEVELS.indexOf(level ?? '')) + 1;
}

/** A person at the table, as in a lesson or a puzzle. */
export const present = (name: string, avatar: number): SeatInfo => ({
  kind: 'person',
  person: null,
  name,
  avatar,
  level: null,
  presence: 'online',
  away: null,
  rematch: false,
  left: false,
  guest: false,
  vacation: false,
});

/** Whether a program plays for this person: the id of a bot account says so. */
export const isRobot = (person: string | null | undefined): boolean => person?.startsWith('bot~') ?? false;

/** Whether nobody sits here, or only someone who abandoned the match that is shown. */
export function isFree(info: SeatInfo): boolean {
  return info.kind === 'empty' || info.left;
}

export function seatName(
  info: (Pick<SeatInfo, 'kind' | 'name'> & { guest?: boolean }) | undefined,
  seat: number,
): string {
  if (info?.name) return info.name;
  if (info?.guest) return t('seat.guest');
  if (info?.kind === 'bot') return BOT_NAMES[seat % BOT_NAMES.length]!;
  return t('seat.number', { number: seat + 1 });
}

/** Names seats for one reader: their own is « Vous », or `you`. */
export const namer =
  (seats: readonly SeatInfo[], seat: number | null, you = t('room.you')) =>
  (one: number) =>
    one === seat ? you : seatName(seats[one], one);

/** The line under a name. */
export function seatNote(info: SeatInfo): string {
  if (info.left) return t(info.level ? 'seat.held' : 'seat.left');
  if (info.vacation) return t('seat.vacation');
  if (info.kind === 'bot') return t('bot.note', { level: levelName(info.level).toLocaleLowerCase() });
  if (info.kind === 'empty') return t('seat.empty');
  if (isRobot(info.person) && info.presence === 'online') return t('seat.robot');
  if (info.guest && info.presence === 'online') return t('seat.guest.note');
  return t(`seat.${info.presence}`);
}

/** Whether a player is absent or idle. */
export function isAway(info: SeatInfo): boolean {
  const absent = info.presence === 'idle' || info.presence === 'reconnecting' || info.presence === 'offline';
  return info.left || info.vacation || (info.kind === 'person' && absent);
}
