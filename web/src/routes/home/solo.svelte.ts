// What was last chosen against the computer, for each game, kept in this browser. One click plays it again.
import { optionCounts } from '../../core/games';
import { levelName, optionLabel, optionValue, seatLabel } from '../../core/labels';
import { defaults, fits, optionFields } from '../../core/options';
import { usualLevel } from '../../core/seats';
import { paceLabel, replacedByPace, usualPace } from '../../core/pace';
import type { GameCard, NewTable, Pace } from '../../core/types.gen';

import { t } from '../../i18n';

export interface Solo {
  level: string;
  /** Players at the table, oneself included. */
  seats: number;
  /** Where one sits; null: anywhere, by chance. */
  seat: number | null;
  options: Record<string, unknown>;
  /** Seconds for each decision; 0: no limit. */
  moveTime: number;
  /** Null: the clocks of the game. */
  pace: Pace | null;
  rated: boolean;
}

const KEY = 'tablee.solo';

function stored(): Record<string, Partial<Solo>> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Partial<Solo>> | null) ?? {};
  } catch {
    return {};
  }
}

const chosen = $state<Record<string, Partial<Solo>>>(stored());

/** The choice before anybody has made one: the middle level, the fewest players, the options that the game proposes. */
export function firstChoice(game: GameCard): Solo {
  return {
    level: usualLevel(game.levels) ?? '',
    seats: game.seats[0],
    seat: 0,
    options: defaults(optionFields(game.options)),
    moveTime: 0,
    pace: null,
    rated: false,
  };
}

/** The last choice, as far as the game still allows it. */
export function lastChoice(game: GameCard): Solo {
  const first = firstChoice(game);
  const last = chosen[game.key] ?? {};
  const seats = Number(last.seats);
  const fields = optionFields(game.options);
  const kept = fields.filter((field) => fits(field, last.options?.[field.name]));
  return {
    level: game.levels.find((level) => level === last.level) ?? first.level,
    seats: seats >= game.seats[0] && seats <= game.seats[1] ? seats : first.seats,
    seat: last.seat === null || (Number(last.seat) > 0 && Number(last.seat) < game.seats[0]) ? (last.seat ?? null) : 0,
    options: { ...first.options, ...Object.fromEntries(kept.map(({ name }) => [name, last.options![name]])) },
    moveTime: Number(last.moveTime) || 0,
    pace: usualPace(last.pace),
    rated: last.rated === true,
  };
}

export function keepChoice(game: string, solo: Solo): void {
  chosen[game] = solo;
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // A browser that keeps nothing still plays; the choice lasts as long as the page.
  }
}

/** The table of a choice. It starts as soon as its page opens. */
export function soloTable(game: GameCard, solo: Solo): NewTable {
  return {
    game: game.key,
    options: solo.options,
    seats: solo.seats,
    seat: solo.seat ?? Math.floor(Math.random() * solo.seats),
    move_time: solo.moveTime || null,
    pace: solo.pace,
    rated: solo.rated,
    bots: Array.from({ length: solo.seats - 1 }, () => solo.level),
    start: true,
  };
}

/** A choice in a few words: the level, and whatever is not as the game proposes it. */
export function inWords(game: GameCard, solo: Solo): string[] {
  const first = firstChoice(game);
  const changed = Object.keys(solo.options).filter(
    (name) =>
      solo.options[name] !== first.options[name] &&
      optionCounts(game.key, name, solo.options) &&
      !(solo.pace && replacedByPace(name)),
  );
  return [
    levelName(solo.level),
    ...(game.seats[0] === game.seats[1] ? [] : [t('solo.opponents', { count: solo.seats - 1 })]),
    ...(game.seats_differ ? [solo.seat === null ? t('solo.any_seat') : seatLabel(game.key, solo.seat)] : []),
    ...changed.map((name) => optionInWords(game.key, name, solo.options[name])),
    ...(solo.pace ? [paceLabel(solo.pace)] : []),
    ...(solo.rated ? [t('solo.rated')] : []),
  ];
}

/** A name says enough by itself; a number, or yes and no, need the name of their option. */
function optionInWords(game: string, name: string, value: unknown): string {
  const words = optionValue(game, name, value);
  return typeof value === 'string' ? words : t('solo.option', { label: optionLabel(game, name), value: words });
}
