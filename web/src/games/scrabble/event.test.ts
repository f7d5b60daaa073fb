import { expect, it } from 'vitest';
import type { Step } from '../../core/types.gen';
import { event } from './describe';
import { last, moveOf, played, step, view } from './examples';
import type { View } from './types.gen';

const noticed = (step: Step, after: View = view(), before: View = view(), seat = 0) => {
  const who = (one: number) => (one === seat ? 'vous' : ['Anne', 'Paul', 'Zoé'][one]!);
  const found = event({ step, view: after, previous: before, who, seat });
  return found && [found.text.replace(/[\u202f\u00a0]/g, ' '), found.tone];
};

const MA = played('H8', 'MA');
const open = view({
  stage: 'challenge',
  to_act: 1,
  pending: { seat: 1, play: MA, answered: [], waiting: [0], mine: null },
});
const closed = (invalid: string[]) => {
  const kind = invalid.length ? 'withdrawn' : 'place';
  return view({
    log: [moveOf(1, MA, { kind, contesters: [0], invalid })],
    last: last(1, MA, { contesters: [0], invalid, withdrawn: invalid.length > 0 }),
  });
};

it('notices a pass, and warns the player whose time ran out', () => {
  const pass = (seat: number, cause: string | null = null) => ({ ...step(seat, { type: 'pass' }), cause });
  expect(noticed(pass(0))?.[1]).toBe('plain');
  expect(noticed(pass(1))?.[0]).toContain('Paul');
  expect(noticed(pass(0, 'clock'))?.[1]).toBe('warn');
});

it('notices the verdict of a contest, good or bad for the reader', () => {
  const answer = step(0, { type: 'challenge' });
  expect(noticed(answer, closed(['MA']), open)?.[1]).toBe('good');
  expect(noticed(answer, closed([]), open)?.[1]).toBe('warn');
  expect(noticed(answer, closed([]), open, 1)?.[1]).toBe('good');
  expect(noticed(answer, closed([]), open, 2)?.[1]).toBe('plain');
});

it('leaves an ordinary play to the board', () => {
  expect(noticed(step(1, { type: 'place', at: MA.at, word: MA.word }), view({ last: last(1, MA) }))).toBeNull();
});
