import { expect, it } from 'vitest';
import { Replay } from './replay.svelte';
import type { ReplayPage } from './types.gen';

const page = (seat: number | null) =>
  ({
    plies: 1,
    last: 1,
    views: [`deal of ${seat}`, `end of ${seat}`],
    steps: [{}],
    turns: [{}, {}],
  }) as unknown as ReplayPage;
const tick = () => new Promise((resolve) => setTimeout(resolve));

it('shows a seat only with what that seat saw', async () => {
  let send = () => {};
  const replay = new Replay((seat) => new Promise((resolve) => (send = () => resolve(page(seat)))), null, 1);
  send();
  await tick();
  expect([replay.seat, replay.views[replay.at]]).toEqual([null, 'end of null']);
  const seen = replay.watchAs(0);
  expect([replay.seat, replay.views[replay.at]]).toEqual([null, 'end of null']);
  send();
  await seen;
  expect([replay.seat, replay.views[replay.at]]).toEqual([0, 'end of 0']);
});
