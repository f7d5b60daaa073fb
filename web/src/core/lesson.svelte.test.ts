import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LessonRun, sameAction, sceneBefore } from './lesson.svelte';
import { readKept } from './lessons.svelte';
import type { LessonFrame, LessonMoment, LessonPage } from './types.gen';

const words = (text: string) => ({ fr: text, en: `${text} (en)` });

const frame = (view: string, seat: number | null = null): LessonFrame => ({
  view,
  turn: { must: [0], stage: 'play' },
  outcome: null,
  step: seat === null ? null : { ply: 1, seat, action: { type: 'go' }, cause: null },
});

const moment = (change: Partial<LessonMoment>): LessonMoment => ({
  say: words('lisez'),
  jumps: false,
  frames: [],
  offer: null,
  answers: [],
  hint: null,
  done: null,
  previews: [],
  teaches: [],
  ...change,
});

const asks = (wanted: number, view: string, change: Partial<LessonMoment> = {}) =>
  moment({
    say: words(`jouez ${wanted}`),
    hint: words(`essayez plutôt ${wanted}`),
    answers: [{ action: { type: 'take', count: wanted, note: null }, frame: frame(view, 0) }],
    ...change,
  });

/** Two scenes: read, play 1 and see the reply, play 2; then a new position, and the end. */
const lesson: LessonPage = {
  game: 'sixth',
  name: 'premiere',
  title: words('Leçon'),
  seats: 2,
  seat: 0,
  names: ['', 'Awa'],
  options: {},
  rules: {},
  moments: [
    moment({ jumps: true, frames: [frame('a')] }),
    asks(1, 'b'),
    asks(2, 'd', { frames: [frame('c', 1)], done: words('bravo') }),
    moment({ jumps: true, frames: [frame('e'), frame('f', 1), frame('g', 1)], say: words('fin') }),
  ],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('compares actions by their values', () => {
  expect(sameAction({ type: 'a', n: 1 }, { n: 1, type: 'a' })).toBe(true);
  expect(sameAction({ type: 'a', note: null }, { type: 'a' })).toBe(true);
  expect(sameAction({ path: [1, 2] }, { path: [2, 1] })).toBe(false);
  expect(sameAction({ path: [1, 2] }, { path: [1, 2, 3] })).toBe(false);
  expect(sameAction({ count: 1 }, { count: '1' })).toBe(false);
});

it('knows every position of a scene before a moment', () => {
  expect(sceneBefore(lesson.moments, 2).map((one) => one.view)).toEqual(['a', 'b']);
  expect(sceneBefore(lesson.moments, 3)).toEqual([]);
});

describe('a run', () => {
  it('is read, played and finished', () => {
    const run = new LessonRun(lesson);
    expect([run.asked, run.frame.view, run.previous]).toEqual(['continue', 'a', null]);
    run.next();
    expect([run.asked, run.words.fr]).toEqual(['act', 'jouez 1']);
    expect(run.play({ type: 'take', count: 1 })).toBe(true);
    // The reply of the other player comes after a pause; nothing can be played before it.
    expect([run.at, run.frame.view, run.ready]).toEqual([2, 'b', false]);
    expect(run.play({ type: 'take', count: 2 })).toBe(false);
    expect(run.wrong).toBe(false);
    vi.runAllTimers();
    expect([run.frame.view, run.previous?.view, run.ready]).toEqual(['c', 'b', true]);
    expect(run.history.map((one) => [one.previous, one.view])).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    run.play({ type: 'take', count: 2 });
    expect([run.asked, run.words.fr, run.frame.view]).toEqual(['continue', 'bravo', 'd']);
    const scene = run.scene;
    run.next();
    expect([run.at, run.frame.view, run.scene]).toEqual([3, 'e', scene + 1]);
    run.next(); // an impatient reader sees what is still to come at once
    expect([run.frame.view, run.finished]).toEqual(['g', false]);
    run.next();
    expect(run.finished).toBe(true);
  });

  it('answers another action with a hint, and is never a dead end', () => {
    const run = new LessonRun(lesson, 1);
    expect(run.play({ type: 'take', count: 7 })).toBe(false);
    expect([run.wrong, run.tries, run.words.en, run.frame.view]).toEqual([true, 1, 'essayez plutôt 1 (en)', 'a']);
    run.next(); // only the action goes on
    expect(run.at).toBe(1);
    run.showMe();
    expect([run.at, run.wrong, run.tries]).toEqual([2, false, 0]);
  });

  it('goes back to the position before, and starts again', () => {
    const run = new LessonRun(lesson, 2);
    vi.runAllTimers();
    run.showMe();
    run.back();
    expect([run.at, run.asked, run.frame.view]).toEqual([2, 'act', 'b']);
    run.back();
    expect([run.at, run.frame.view]).toEqual([1, 'a']);
    run.go(0);
    run.back();
    expect([run.at, run.finished]).toEqual([0, false]);
  });

  it('continues where a shorter lesson ends', () => {
    expect(new LessonRun(lesson, 99).at).toBe(3);
  });

  it('previews only what it knows', () => {
    const known = {
      ...lesson,
      moments: [moment({ ...lesson.moments[0], previews: [{ action: { n: 1 }, preview: 8 }] })],
    };
    const run = new LessonRun(known);
    expect(run.preview({ n: 1 })).toMatchObject({ preview: 8, refusal: null });
    expect(run.preview({ n: 2 })).toBeNull();
  });
});

it('keeps only what is valid of the stored progress', () => {
  expect(readKept('{"at":{"a/b":3,"c/d":"x","e/f":-1},"done":["a/b",4],"settled":null}')).toEqual({
    at: { 'a/b': 3 },
    done: ['a/b'],
    settled: [],
  });
  expect(readKept('[')).toEqual({ at: {}, done: [], settled: [] });
  expect(readKept('null')).toEqual({ at: {}, done: [], settled: [] });
});
