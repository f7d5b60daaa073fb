// Words for the server's codes.
import { lang, t, type Values } from '../i18n';
import { gameText } from './games';
import type { FileScore } from './types.gen';

interface Refusal {
  code: string;
  values?: Values;
}

/** A sentence for a refusal: the game's own, else the frame's, else one that fits all; and the reason that a game gives for
 *  it, if it gives one. */
export function refusalText({ code, values = {} }: Refusal, game?: string): string {
  const { reason, game: named, ...rest } = values as Values & { reason?: string; game?: string };
  const why = reason && named && gameText(named, `refusals.${reason}`, rest);
  return why ? `${wordsFor(code, rest, game)} ${why}` : wordsFor(code, values, game);
}

function wordsFor(code: string, values: Values, game?: string): string {
  const key = `refusals.${code}` as const;
  // An error before the first step has no step number.
  if (values.step === 0) return t.find(`${key}.start`) ?? t.any(key, values);
  return (game ? gameText(game, key, values) : undefined) ?? t.find(key, withSeconds(values)) ?? t('refusals.unknown');
}

function withSeconds(values: Values): Values {
  const retry = values.retry;
  return typeof retry === 'number' ? { ...values, count: Math.max(1, Math.ceil(retry)) } : { ...values, count: 1 };
}

export function levelName(level: string | null): string {
  return level ? (t.find(`levels.${level}`) ?? level) : '';
}

/** The name of a game; a variant may have a name of its own. */
export function gameName(game: string, options: Record<string, unknown> = {}): string {
  return gameText(game, `name.${String(options.variant)}`) ?? gameText(game, 'name') ?? game;
}

/** The final score in the file of another program, and the rule behind it. */
export function fileScoreText({ scores, rule }: FileScore, game: string, who: (seat: number) => string): string {
  const each = scores.map((score, seat) =>
    t('replay.file_score.of', { name: who(seat), score: score.toLocaleString(lang.current) }),
  );
  const words = t('replay.file_score', { scores: each.join(', ') });
  const why = gameText(game, `file_rules.${rule}`);
  return why ? `${words} ${why}` : words;
}

/** The name of a seat in a game whose seats differ, such as a colour. */
export function seatLabel(game: string, seat: number): string {
  return gameText(game, `seats.${seat}`) ?? t('seat.number', { number: seat + 1 });
}

export function optionLabel(game: string, field: string): string {
  return gameText(game, `options.${field}`) ?? readable(field);
}

export function optionValue(game: string, field: string, value: unknown): string {
  // A hash after a name is for records, not for readers.
  const name = String(value).replace(/:[0-9a-f]{16}$/, '');
  const own = gameText(game, `options.${field}.${name}`);
  if (own !== undefined) return own;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number' && isTime(field)) return duration(value);
  return readable(name);
}

/** `target_cell` → « target cell »: for names without a translation. */
export function readable(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Options with this suffix are numbers of seconds. */
export const isTime = (field: string) => field.endsWith('_time');

/** « 20 s », « 5 min », « 1 min 30 s ». */
export function duration(seconds: number): string {
  const unit = (value: number, name: string) =>
    value ? [value.toLocaleString(lang.current, { style: 'unit', unit: name, unitDisplay: 'short' })] : [];
  if (!seconds) return t('move_time.none');
  return [...unit(Math.floor(seconds / 60), 'minute'), ...unit(seconds % 60, 'second')].join(' ');
}

/** Seconds for each decision that a host may choose from; 0: as long as one likes. */
export const MOVE_TIMES = [0, 15, 30, 60, 120, 300];

export function moveTimeLabel(seconds: number): string {
  if (seconds === 0) return t('move_time.none');
  return seconds < 60 ? t('move_time.seconds', { count: seconds }) : t('move_time.minutes', { count: seconds / 60 });
}
