import { render, screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { boardProps, person } from '../../core/examples';
import { seatView, view } from './examples';
import Result from './Result.svelte';

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

it('shows everybody’s titles, the best total first, and leaves the totals to the frame', () => {
  show([0, 3, 1, -1, -3]);
  const rows = within(screen.getByTestId('titles')).getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).getByRole('rowheader').textContent.trim())).toEqual([
    'Paul',
    'Zoé',
    'Vous',
    'Luc',
    'Noor',
  ]);
  expect(
    within(rows[2]!)
      .getAllByRole('cell')
      .map((cell) => cell.textContent.trim()),
  ).toEqual(['Trouduc', 'Président']);
  expect(screen.getByTestId('titles').textContent).not.toMatch(/[−+]\d/);
});

it('says that equal totals share the victory', () => {
  show([3, 3, 0, 0, -6]);
  expect(screen.getByText('À égalité de points, la victoire est partagée.')).toBeTruthy();
});
