import { describe, expect, it } from 'vitest';
import { EMPTY, MOST_STEPS, reduce, type TableState } from './match';
import type { MovedFrame, ServerFrame, StateFrame, Step } from './types.gen';

const turn = { must: [0], stage: 'play' };
const step = (ply: number): Step => ({ ply, seat: ply % 2, action: { type: 'play', card: `${ply}` }, cause: null });
const state = (match: number, ply: number, missed: Step[] = []): StateFrame => ({
  type: 'state',
  match,
  ply,
  view: `view ${ply}`,
  turn,
  offer: null,
  outcome: null,
  rewinds: 0,
  clocks: null,
  missed,
});
const moved = (match: number, ply: number): MovedFrame => ({
  type: 'moved',
  match,
  step: step(ply),
  view: `view ${ply}`,
  turn,
  offer: null,
  outcome: null,
  clocks: null,
  reply: null,
});

function after(...frames: ServerFrame[]): TableState {
  return frames.reduce((known, frame) => reduce(known, frame).state, EMPTY);
}

describe('a match as its frames tell it', () => {
  it('follows moves one by one, and remembers the view before', () => {
    const { match } = after(state(1, 0), moved(1, 1), moved(1, 2));
    expect(match).toMatchObject({ ply: 2, view: 'view 2', previous: 'view 1', step: step(2) });
    expect(match?.history.map((one) => one.step.ply)).toEqual([1, 2]);
  });

  it('asks again from what it knows when a ply is missing, and changes nothing meanwhile', () => {
    const known = after(state(1, 0), moved(1, 1));
    const { state: next, sync } = reduce(known, moved(1, 4));
    expect(sync).toEqual({ match: 1, ply: 1 });
    expect(next).toBe(known);
  });

  it('does not show a match with the players of the next one', () => {
    const table = (match: number) => ({ type: 'table', match, yours: [] }) as unknown as ServerFrame;
    expect(after(state(1, 3), table(1)).match?.ply).toBe(3);
    expect(after(state(1, 3), table(2)).match).toBeNull();
    expect(after(state(1, 3), table(2), state(2, 0)).match).toMatchObject({ match: 2, ply: 0 });
  });

  it('follows the turn if two people play at this device', () => {
    const table = { type: 'table', match: 1, you: 0, view_seat: 0, yours: [0, 1] } as unknown as ServerFrame;
    const turn = (ply: number, must: number[]) => ({ ...state(1, ply), turn: { must, stage: 'play' } }) as ServerFrame;
    expect(after(table, turn(1, [1])).table).toMatchObject({ you: 1, view_seat: 1 });
    expect(after(table, turn(1, [1]), turn(2, [0])).table).toMatchObject({ you: 0, view_seat: 0 });
    const other = { ...table, yours: [0] } as unknown as ServerFrame;
    expect(after(other, turn(1, [1])).table).toMatchObject({ you: 0, view_seat: 0 });
  });

  it('takes the number of spectators alone, once it knows the table', () => {
    const table = { type: 'table', match: 0, watchers: 1, code: 'ABC', yours: [] } as unknown as ServerFrame;
    const watchers = { type: 'watchers', count: 7 } as const;
    expect(after(table, watchers).table).toMatchObject({ code: 'ABC', watchers: 7 });
    expect(after(watchers).table).toBeNull();
  });

  it('fills the list of moves from what it missed', () => {
    const known = after(state(1, 0), moved(1, 1));
    const { state: next, sync } = reduce(known, state(1, 4, [step(2), step(3), step(4)]));
    expect(sync).toBeNull();
    expect(next.match?.history.map((one) => one.step.ply)).toEqual([1, 2, 3, 4]);
    expect(next.match).toMatchObject({ ply: 4, previous: null, step: null });
  });

  it('asks for a match that it has never heard of', () => {
    expect(reduce(EMPTY, moved(2, 7)).sync).toEqual({ match: 2, ply: 0 });
    expect(reduce(after(state(1, 3, [step(1), step(2), step(3)])), moved(2, 1)).sync).toEqual({ match: 2, ply: 0 });
  });

  it('asks once, not for ever, for the moves before its arrival', () => {
    const arrived = reduce(EMPTY, state(1, 3));
    expect(arrived.sync).toEqual({ match: 1, ply: 0 });
    expect(reduce(arrived.state, state(1, 3)).sync).toBeNull();
  });

  it('asks for the latest moves only', () => {
    expect(reduce(EMPTY, state(1, 1000)).sync).toEqual({ match: 1, ply: 1000 - MOST_STEPS });
  });

  it('ignores a move it already knows and a snapshot from the past', () => {
    const known = after(state(1, 0), moved(1, 1), moved(1, 2));
    expect(reduce(known, moved(1, 2))).toEqual({ state: known, sync: null });
    expect(reduce(known, state(1, 1))).toEqual({ state: known, sync: null });
  });

  it('begins afresh with a rematch', () => {
    const { match } = after(state(1, 0), moved(1, 1), state(2, 0));
    expect(match).toMatchObject({ match: 2, ply: 0, history: [] });
  });

  it('asks for the state when an offer was stale', () => {
    const known = after(state(1, 0), moved(1, 1));
    const refused = { type: 'refused', values: {}, reply: 3 } as const;
    expect(reduce(known, { ...refused, code: 'stale_offer' }).sync).toEqual({ match: 1, ply: 1 });
    expect(reduce(known, { ...refused, code: 'must_follow' }).sync).toBeNull();
  });
});

it('keeps one’s own planned lines until the server lists others', () => {
  const lines = [[{ seat: 0, action: {} }]];
  const shown = after(state(1, 0));
  const planned = reduce(shown, { type: 'plans', match: 1, lines }).state;
  expect(planned.match?.plans).toEqual(lines);
  expect(reduce(planned, { type: 'plans', match: 1, lines: [] }).state.match?.plans).toEqual([]);
  expect(reduce(shown, { type: 'plans', match: 2, lines }).state).toBe(shown);
});

it('does not call anybody to a turn that a planned reply answers', () => {
  const offer = { number: 1, must: true, legal: [], ranges: [] };
  const line = [step(1), step(2), step(3), step(4)].map(({ seat, action }) => ({ seat, action }));
  const planned = reduce(after(state(1, 0)), { type: 'plans', match: 1, lines: [line] }).state;
  const answered = reduce(planned, { ...moved(1, 1), offer }).state;
  expect(answered.match).toMatchObject({ offer: null, turn: { must: [] }, answered: true, plans: [line.slice(1)] });
  const replied = reduce(answered, moved(1, 2)).state;
  expect(replied.match).toMatchObject({ turn, answered: false, plans: [line.slice(2)] });
  expect(reduce(replied, { type: 'plans', match: 1, lines: [] }).sync).toBeNull();
  expect(reduce(answered, { type: 'plans', match: 1, lines: [] }).sync).toEqual({ match: 1, ply: 1 });
  const other = reduce(planned, { ...moved(1, 1), step: { ...step(1), action: { type: 'pass' } }, offer }).state;
  expect(other.match).toMatchObject({ offer, answered: false, plans: [] });
});
