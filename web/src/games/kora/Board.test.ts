import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeAll, expect, it, vi } from 'vitest';
import { boardProps } from '../../core/examples';
import type { BoardProps } from '../../core/game';
import Board from './Board.svelte';
import { FIFTH, play as played, result, TRICKS, view } from './examples';
import type { Action, View } from './types.gen';

const play = vi.fn();

beforeAll(() => void play.mockClear());

const stakes = (most: number) => ({
  number: 1,
  must: true,
  legal: [],
  ranges: [{ action: { type: 'propose', stake: 1 }, field: 'stake', least: 1, most }],
});

const show = (now: View, change: Partial<BoardProps<View, Action>> = {}) =>
  render(
    Board,
    boardProps<View, Action>(now, {
      seat: now.seat,
      turn: { must: now.to_act === null ? [] : [now.to_act], stage: now.stage },
      play,
      ...change,
    }),
  );

const HAND = [
  { card: '3H', playable: true },
  { card: 'KS', playable: false },
];

it('plays what is lit and says in words what has to be followed', async () => {
  show(view({ hand: HAND, cards: [2, 1], led: '9H', leader: 1 }));
  expect(screen.getByTestId('prompt').textContent).toBe('Il faut fournir du cœur.');
  expect(screen.getByTestId('led').dataset.card).toBe('9H');
  await fireEvent.click(screen.getByLabelText('roi de pique'));
  expect(screen.getByTestId('prompt').textContent).toContain('Le neuf de cœur demande du cœur');
  expect(play).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByLabelText('trois de cœur'));
  expect(play).toHaveBeenCalledWith({ type: 'play', card: '3H' });
});

it('shows a spectator two hands of backs', () => {
  const { container } = show(view({ seat: null, cards: [4, 5] }), { seat: null });
  expect(screen.queryAllByTestId('hand-card')).toEqual([]);
  expect(container.querySelectorAll('.backs.top [data-fly]')).toHaveLength(5);
  expect(container.querySelectorAll('.backs.bottom [data-fly]')).toHaveLength(4);
});

it('keeps the fifth trick on the cloth and tells the deal while the next hand is playable', () => {
  const previous = view({ tricks: TRICKS, leader: 1, led: '2S', cards: [1, 0] });
  const now = view({
    deal: 2,
    won: [20],
    banks: [120, 80],
    last_deal: result(),
    hand: HAND.map((held) => ({ ...held, playable: true })),
  });
  show(now, { previous, step: played(0, '3S') });
  expect(screen.getByTestId('led').dataset.card).toBe(FIFTH.led);
  expect(screen.getByTestId('reply').dataset.card).toBe(FIFTH.reply);
  expect(screen.getByTestId('deal-banner').textContent).toContain('Kora');
  expect(screen.getAllByTestId('hand-card').map((one) => one.dataset.playable)).toEqual(['true', 'true']);
  expect(screen.getByTestId('bank-0').dataset.koras).toBe('120');
});

it('tells deals that were won before anyone played', () => {
  const hands: [string[], string[]] = [
    ['7S', '7H', '7D', '2C', '3C'],
    ['KS', 'QS', 'JS', 'TS', '9S'],
  ];
  show(
    view({
      deal: 3,
      won: [10, 10],
      last_deal: result({ deal: 2, reason: 'sevens', multiplier: 1, tricks: [], hands }),
    }),
    { ply: 0 },
  );
  const banner = screen.getByTestId('deal-banner');
  expect(banner.textContent).toContain('Donne 1');
  expect(banner.querySelectorAll('[role=img]')).toHaveLength(10);
});

it('answers a bet with both prices on the buttons', async () => {
  show(view({ stage: 'answer', leader: 1, stake: 30, cards: [0, 0] }));
  expect(screen.getByTestId('accept').textContent).toContain('30');
  expect(screen.getByTestId('refuse').textContent).toContain('10');
  await fireEvent.click(screen.getByTestId('refuse'));
  expect(play).toHaveBeenLastCalledWith({ type: 'refuse' });
});

it('proposes the stake of the table unless another is chosen', async () => {
  show(view({ stage: 'bet', stake: 0, cards: [0, 0] }), { offer: stakes(57) });
  expect(screen.getByRole('slider').getAttribute('max')).toBe('57');
  await fireEvent.click(screen.getByText(/^Double/));
  await fireEvent.click(screen.getByTestId('propose'));
  expect(play).toHaveBeenLastCalledWith({ type: 'propose', stake: 20 });
});

it('sleeps in a pause and in a replay: it says what it is told to, and nothing is lit', async () => {
  play.mockClear();
  const { rerender } = show(view({ hand: HAND, cards: [2, 1], led: '9H', leader: 1 }));
  await rerender({ caption: 'Partie en pause' });
  expect(screen.getByTestId('prompt').textContent).toBe('Partie en pause');
  await fireEvent.click(screen.getByLabelText('trois de cœur'));
  expect(screen.getByTestId('prompt').textContent).toBe('Partie en pause');
  expect(play).not.toHaveBeenCalled();
});
