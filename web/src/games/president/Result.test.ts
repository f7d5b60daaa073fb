import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { boardProps, person } from '../../core/examples';
import { seatView, view } from './examples';
import Result from './Result.svelte';
import Titles from './Titles.svelte';

const NAMES = ['Anne', 'Paul', 'Zoé', 'Luc', 'Noor'];
const results = [
  { ranking: [1, 2, 3, 4, 0], sunk: [], points: [-2, 2, 1, 0, -1] },
  { ranking: [0, 1, 2, 3, 4], sunk: [], points: [2, 1, 0, -1, -2] },
];

function show(scores: number[]) {
  const seats = scores.map((score) => seatView({ score }));
  const now = view({ stage: 'over', waiting: [], seats, results });
  render(Result, boardProps(now, { seat: 0, seats: NAMES.map((name) => person(name)) }));
}

it.each([
  [0, ['Trouduc', 'Président']],
  [1, ['Président', 'Vice-Président']],
  [4, ['Avant-dernier', 'Trouduc']],
])('shows the titles of seat %i in its row of the ranking', (ranked, titles) => {
  render(Titles, { view: view({ stage: 'over', waiting: [], results }), ranked });
  expect(screen.getAllByRole('listitem').map((item) => item.textContent.trim())).toEqual(titles);
});

it('says that equal totals share the victory', () => {
  show([3, 3, 0, 0, -6]);
  expect(screen.getByText('À égalité de points, la victoire est partagée.')).toBeTruthy();
});
