import { expect, it } from 'vitest';
import { Film } from './film.svelte';
import type { FilmPage } from './types.gen';

const page = (seat: number | null) =>
  ({ plies: 1, last: 1, views: [`deal of ${seat}`, `end of ${seat}`], steps: [{}], turns: [{}, {}] }) as unknown as FilmPage;
const tick = () => new Promise((resolve) => setTimeout(resolve));

it('shows a seat only with what that seat saw', async () => {
  let send = () => {};
  const film = new Film((seat) => new Promise((resolve) => (send = () => resolve(page(seat)))), null, 1);
  send();
  await tick();
  expect([film.seat, film.views[film.at]]).toEqual([null, 'end of null']);
  const seen = film.watchAs(0);
  expect([film.seat, film.views[film.at]]).toEqual([null, 'end of null']);
  send();
  await seen;
  expect([film.seat, film.views[film.at]]).toEqual([0, 'end of 0']);
});
