import { expect, it } from 'vitest';
import { move, played, run, set, step, view } from './examples';
import { grow, positionAt, retell, rounds, type History } from './history';
import { pdn } from './pdn';
import { gains } from './story';
import { piecesOf } from './squares';
import type { State } from './types.gen';

const START = view();
const AFTER: [State, ReturnType<typeof move>][] = [
  [view({ to_move: 1, last_move: played(0, [32, 28]) }), move(0, 32, 28)],
  [view({ to_move: 0, last_move: played(1, [19, 23]) }), move(1, 19, 23)],
  [view({ to_move: 1, last_move: played(0, [28, 19], { captured: [23], points: 1 }) }), move(0, 28, 19)],
  [view({ to_move: 0, last_move: played(1, [14, 23, 32], { captured: [19, 28], points: 3 }) }), move(1, 14, 23, 32)],
];

function seen(steps = AFTER, start = START, from = 0): History {
  let history = grow(null, { view: start, previous: null, step: null, ply: from });
  let previous = start;
  for (const [at, [next, taken]] of steps.entries()) {
    history = grow(history, { view: next, previous, step: taken, ply: from + at + 1 });
    previous = next;
  }
  return history;
}

const heading = { white: 'Anne', black: 'Paul "le Roi"', date: new Date(2025, 10, 5), size: 10, result: null };

it('keeps each move with the position it led to', () => {
  const history = seen();
  expect(history.lines.map((line) => line.path)).toEqual([
    [32, 28],
    [19, 23],
    [28, 19],
    [14, 23, 32],
  ]);
  expect(positionAt(history, 0)).toEqual(piecesOf(START));
  expect(rounds(history.lines)).toEqual([
    { number: 1, moves: [0, 1] },
    { number: 2, moves: [2, 3] },
  ]);
});

it('says nothing twice, and begins anew after a gap', () => {
  const history = seen();
  expect(grow(history, { view: AFTER[3]![0], previous: null, step: null, ply: 4 })).toBe(history);
  expect(grow(history, { view: AFTER[3]![0], previous: AFTER[2]![0], step: AFTER[3]![1], ply: 4 })).toBe(history);
  expect(grow(history, { view: START, previous: null, step: null, ply: 9 })).toMatchObject({ from: 9, lines: [] });
  expect(grow(null, { view: AFTER[0]![0], previous: START, step: AFTER[0]![1], ply: 1 })).toMatchObject({
    from: 0,
    ply: 1,
  });
});

it('skips what is no move and keeps turns that were lost, both where one step lost two', () => {
  const lost: typeof AFTER = [
    [view({ offered_by: 0 }), step(0, { type: 'offer_draw' })],
    [view({ to_move: 1, lost_turns: 1 }), step(0, { type: 'lose_turn' }, 'clock')],
    [view({ to_move: 1, lost_turns: 3 }), step(1, { type: 'lose_turn' }, 'clock')],
  ];
  const history = seen(lost);
  expect(history.lines.map(({ seat, path }) => [seat, path])).toEqual([
    [0, null],
    [1, null],
    [0, null],
  ]);
  expect(pdn(history, heading)).toContain('1. -- -- 2. -- *');
});

it('is told again from its steps and its changes after a late arrival', () => {
  const steps = [move(0, 32, 28), move(1, 19, 23), move(0, 28, 19), move(1, 14, 23)].map((one, at) => ({
    ...one,
    ply: at + 1,
  }));
  const changes = [
    { move: 3, captured: [23], promoted: false },
    { move: 4, captured: [19], promoted: false },
  ];
  const position = { red_men: set(31, ...run(33, 50)), black_men: set(...run(1, 13), ...run(15, 18), 20, 23) };
  const now = view({ ...position, moves: 4, changes });
  const history = retell(steps, now, 4);
  expect(history).toMatchObject({ from: 0, ply: 4 });
  expect(history?.lines.map((line) => line.captured)).toEqual([[], [], [23], [19]]);
  expect(positionAt(history!, 4)).toEqual(piecesOf(now));
  expect(retell(steps.slice(1), now, 4)).toBeNull();
  expect(retell(steps, START, 4)).toBeNull();
  expect(retell(steps, view(position), 4)).toBeNull();
});

it('is written as PDN, captures of several with every landing', () => {
  expect(pdn(seen(), heading)).toBe(
    `[Event "Tablée"]
[Date "2025.11.05"]
[White "Anne"]
[Black "Paul \\"le Roi\\""]
[Result "*"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23x32 *
`,
  );
  const won = pdn(seen(), { ...heading, size: 8, result: { reason: 'resign', winner: 1 } });
  expect(won).toContain('[GameType "26"]');
  expect(won).toContain('14x23x32 0-2\n');
  expect(pdn(seen(), { ...heading, result: { reason: 'agreement', winner: null } })).toContain('[Result "1-1"]');
});

it('breaks long PDN into lines', () => {
  const many = Array.from({ length: 40 }, (_, at) => AFTER[at % 2]!);
  const text = pdn(seen(many), heading)!;
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80);
  expect(text.replaceAll('\n', ' ')).toContain('20. 32-28 19-23 *');
});

it('is not written where its beginning is unknown or nothing was played', () => {
  expect(pdn(seen(AFTER, START, 6), heading)).toBeNull();
  expect(pdn(seen([]), heading)).toBeNull();
});

it('opens a line of its own for black where red’s move is not known', () => {
  expect(rounds([{ seat: 1, path: [19, 23], captured: [], pieces: new Map() }])).toEqual([
    { number: 1, moves: [null, 0] },
  ]);
});

it('counts the points of a move one by one, as the document’s examples do', () => {
  const before = piecesOf(view({ red_men: set(48), black_men: set(43, 33), black_kings: set(22) }));
  const won = gains(before, played(0, [48, 39, 28, 17], { captured: [22, 33, 43], promoted: false, points: 6 }));
  expect(won.map(({ points, what }) => `${points} ${what}`)).toEqual(['3 king', '1 man', '1 man', '1 bonus']);
  const crowned = gains(before, played(0, [12, 3], { captured: [33], promoted: true, points: 3 }));
  expect(crowned).toEqual([
    { square: 33, points: 1, what: 'man' },
    { square: 3, points: 2, what: 'promotion' },
  ]);
});
