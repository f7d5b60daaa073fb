import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { TableSession } from '../../core/session.svelte';
import type { GameCard, TableFrame } from '../../core/types.gen';
import ConfigureDialog from './ConfigureDialog.svelte';

const game = { key: 'kora', seats: [2, 2], options: { properties: {} } } as unknown as GameCard;
const at = (match: number) =>
  ({ match, options: {}, seats: [{}, {}], public: true, move_time: null, grace: 120 }) as unknown as TableFrame;

it.each([
  [0, false],
  [1, true],
])('after %i matches the visibility of the table is fixed: %s', (match, fixed) => {
  render(ConfigureDialog, { session: {} as TableSession, table: at(match), game, open: true });
  const shown = screen.getByRole<HTMLInputElement>('switch', { hidden: true });
  expect(shown.disabled).toBe(fixed);
  expect(shown.checked).toBe(true);
});
