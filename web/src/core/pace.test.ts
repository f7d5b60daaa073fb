import { afterEach, expect, it } from 'vitest';
import { lang } from '../i18n';
import type { Clocks } from './game';
import {
  clockText,
  keepPace,
  lastPace,
  paceChoices,
  paceLabel,
  seatClock,
  shownTime,
  usualPace,
  wholeTime,
} from './pace';
import { PRESETS } from './paces.gen';
import type { SeatTime } from './types.gen';

const time = (change: Partial<SeatTime>): SeatTime => ({
  main: 0,
  delay: 0,
  periods: 0,
  period: 0,
  whole: 0,
  ...change,
});

const plain = (text: string) => text.replace(/\s/g, ' ');

afterEach(() => {
  lang.current = 'fr';
  localStorage.clear();
});

it('names every usual pace once', () => {
  const names = paceChoices(null).map((choice) => plain(choice.label));
  expect(new Set(names).size).toBe(Object.keys(PRESETS).length + 1);
  expect(names).toContain('3 min + 2 s');
  expect(names).toContain('10 min, 5 s offertes');
  expect(names).toContain('10 min, puis 3 × 30 s');
  expect(names).toContain('1 jour par coup');
  lang.current = 'en';
  expect(paceLabel({ kind: 'days', days: 14 })).toBe('14 days per move');
});

it('offers the own pace of a table beside the usual ones', () => {
  const own = { kind: 'fischer', main: 77, increment: 1 } as const;
  expect(paceChoices(own).at(-1)!.pace).toEqual(own);
});

it('keeps the last choice, and nothing that is not a pace', () => {
  keepPace(PRESETS['1d']!);
  expect(lastPace()).toEqual({ kind: 'days', days: 1 });
  localStorage.setItem('tablee.pace', '{"kind":"days","days":99}');
  expect(lastPace()).toBeNull();
  localStorage.setItem('tablee.pace', '{{');
  expect(lastPace()).toBeNull();
  expect(usualPace(3)).toBeNull();
});

it('writes minutes, hours and days', () => {
  expect([5, 65, 3661].map(clockText)).toEqual(['0:05', '1:05', '1:01:01']);
  expect(plain(clockText(86400 + 3 * 3600 + 5))).toBe('1 j 3 h');
});

it('counts the delay down before the main time', () => {
  const paced = time({ main: 60, delay: 5 });
  expect(shownTime(60, paced, 2)).toEqual({ seconds: 60, more: '+3' });
  expect(shownTime(60, paced, 15)).toEqual({ seconds: 50, more: '' });
  expect(wholeTime(60, paced)).toBe(65);
});

it('goes through the periods after the main time', () => {
  const paced = time({ main: 10, periods: 3, period: 30, whole: 30 });
  expect(shownTime(10, paced, 4)).toEqual({ seconds: 6, more: '3×30' });
  expect(shownTime(10, paced, 15)).toEqual({ seconds: 25, more: '×3' });
  expect(shownTime(10, paced, 45)).toEqual({ seconds: 25, more: '×2' });
  expect(shownTime(10, paced, 999)).toEqual({ seconds: 0, more: '×1' });
  expect(wholeTime(10, paced)).toBe(100);
});

it('shows the limit of a decision before the own time', () => {
  const clocks: Clocks = { move: 20, players: [300, 300], match: null, running: [0], paced: [], at: 0 };
  expect(seatClock(clocks, 0)).toEqual({ left: 20 });
  expect(seatClock(clocks, 1)!.left).toBe(300);
  expect(seatClock({ ...clocks, move: null, players: [null, null] }, 0)).toBeNull();
});
