import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { TableSession } from '../../core/session.svelte';
import type { GameCard, TableFrame } from '../../core/types.gen';
import ConfigureDialog from './ConfigureDialog.svelte';

const game = { key: 'kora', seats: [2, 2], options: { properties: {} } } as unknown as GameCard;
const people = [{ kind: 'person' }, { kind: 'person' }];
const at = (match: number, seats = people, rated = false) =>
  ({ match, options: {}, seats, public: true, move_time: null, grace: 120, rated }) as unknown as TableFrame;

it.each([
  [0, false],
  [1, true],
])('after %i matches the visibility of the table is fixed: %s', (match, fixed) => {
  render(ConfigureDialog, { session: {} as TableSession, table: at(match), game, open: true });
  const shown = screen.getByRole<HTMLInputElement>('switch', { hidden: true, name: /ouverte à tous/ });
  expect(shown.disabled).toBe(fixed);
  expect(shown.checked).toBe(true);
});

it('only with a computer player one chooses whether matches count', async () => {
  const asked: unknown[] = [];
  const session = {
    ask: (command: unknown) => (asked.push(command), Promise.resolve(true)),
  } as unknown as TableSession;
  const { rerender } = render(ConfigureDialog, { session, table: at(0), game, open: true });
  expect(screen.queryByRole('switch', { hidden: true, name: /^Compte/ })).toBeNull();
  await rerender({ session, table: at(0, [{ kind: 'person' }, { kind: 'bot' }]), game, open: true });
  const counts = screen.getByRole<HTMLInputElement>('switch', { hidden: true, name: /^Compte/ });
  expect(counts.checked).toBe(false);
  await fireEvent.click(counts);
  await fireEvent.submit(document.querySelector('form')!);
  expect(asked).toMatchObject([{ type: 'configure', rated: true }]);
});
