import { flushSync } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { boardProps, person } from '../../core/examples';
import { changeSettings } from '../../core/settings.svelte';
import { Choice } from './choice.svelte';
import { event, seatView, view } from './examples';
import { Look } from './look.svelte';
import { stateWords } from './states';
import { changesOf } from './story';
import type { Action, View } from './types.gen';

let stop = () => {};
afterEach(() => stop());

const board = (now: View, seat: number | null, legal: Action[] = []) =>
  boardProps<View, Action>(now, {
    seat,
    offer: legal.length ? { number: 0, must: true, legal, ranges: [] } : null,
    seats: now.seats.map((_, at) => person(`P${at}`)),
    turn: { must: now.waiting, stage: now.stage },
  });

function look(now: View, seat: number | null, follow = true, legal: Action[] = []) {
  changeSettings({ follow });
  let props = $state.raw(board(now, seat, legal));
  let made!: InstanceType<typeof Look>;
  stop = $effect.root(() => {
    const choice = new Choice(
      () => props,
      () => {},
    );
    made = new Look(() => props, choice);
  });
  flushSync();
  const next = (change: Partial<View>) => {
    props = board(view({ ...now, ...change }), seat, legal);
    flushSync();
  };
  return { look: made, next };
}

const FOUR = view({ seats: Array.from({ length: 4 }, () => seatView()), to_act: 2, waiting: [2] });

it('follows the active player', () => {
  const { look: at, next } = look(FOUR, 0);
  expect([at.seat, at.onOwn]).toEqual([2, false]);
  next({ to_act: 3, waiting: [3] });
  expect([at.seat, at.onOwn]).toEqual([3, false]);
  next({ to_act: 0, waiting: [0] });
  expect(at.onOwn).toBe(true);
});

it('stays with a seat that was touched until one’s own turn', () => {
  const { look: at, next } = look(FOUR, 0);
  at.touch(1);
  next({ to_act: 3, waiting: [3] });
  expect([at.seat, at.follows]).toEqual([1, false]);
  next({ to_act: 0, waiting: [0] });
  expect([at.onOwn, at.follows]).toEqual([true, true]);
});

it('stays with a seat that was touched while the others choose their first cards', () => {
  const all = view({ ...FOUR, stage: 'choose', to_act: null, waiting: [0, 1, 2, 3] });
  const { look: at, next } = look(all, 0, true, [{ type: 'choose', cells: [0, 1] }]);
  expect(at.onOwn).toBe(true);
  at.touch(2);
  next({ waiting: [0, 1, 3] });
  expect([at.seat, at.onOwn]).toEqual([2, false]);
});

it('stays at home if nobody is to be followed', () => {
  const { look: at } = look(FOUR, 0, false);
  expect([at.seat, at.onOwn]).toEqual([1, true]);
});

it('shows both players of a duel in their places, whoever plays', () => {
  const two = view({ seats: [seatView(), seatView()], to_act: 0, waiting: [0] });
  const { look: at, next } = look(two, null);
  expect([at.order, at.seat]).toEqual([[0, 1], 1]);
  next({ to_act: 1, waiting: [1] });
  expect(at.seat).toBe(1);
});

it('keeps turned places and discarded columns of one seat', () => {
  const events = [
    event('turned', { seat: 1, cell: 4 }),
    event('placed', { seat: 1, cell: 7 }),
    event('turned', { seat: 2, cell: 0 }),
    event('cleared', { seat: 1, column: 3, card: 5 }),
  ];
  expect(changesOf(events, 1)).toEqual({ turned: new Set([4, 7]), gone: new Map([[3, 5]]) });
  expect(changesOf(events, 0)).toEqual({ turned: new Set(), gone: new Map() });
});

it('says what a seat does, and in a replay only what lies there', () => {
  const now = view({
    seats: [seatView({ hidden: 5 }), seatView({ gone: true }), seatView({ owed: true, hidden: 1 })],
    ending: true,
  });
  const words = (one: number, seat: number | null, replayed = false) => stateWords(now, one, seat, replayed);
  expect([words(0, 0), words(0, 1), words(1, 0), words(2, 0)]).toEqual([
    'à vous',
    'va piocher',
    'a quitté la partie',
    'un dernier tour',
  ]);
  expect([words(0, 0, true), words(2, 0, true)]).toEqual(['5 cachées', '1 cachée']);
});
