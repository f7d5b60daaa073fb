import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { boardProps, person } from '../core/examples';
import type { BoardProps } from '../core/game';
import type { Offer } from '../core/types.gen';
import GenericBoard from './GenericBoard.svelte';
import { actionWords, entriesOf, groups } from './words';

const WORDS: Record<string, string> = { 'actions.propose': 'Proposer', 'fields.stake': 'Mise' };
vi.mock('../core/games', async (original) => ({
  ...(await original<object>()),
  gameText: (game: string, key: string) => (game === 'coins' ? WORDS[key] : undefined),
}));

const seats = [person('Anne'), person('Zoé')];
const props = (change: Partial<BoardProps>) =>
  boardProps<unknown, unknown>(
    { stage: 'play', hands: [{ seat: 0, cards: ['7S', '8S'] }], led: null },
    { ply: 0, seats, ...change },
  );
const offer = (change: Partial<Offer>): Offer => ({ number: 1, must: true, legal: [], ranges: [], ...change });

describe('a game without a board of its own', () => {
  it('shows its view as names and values, cards as cards and players by name', () => {
    render(GenericBoard, props({}));
    expect(screen.getByText('stage')).toBeTruthy();
    expect(screen.getByRole('img', { name: 'sept de pique' })).toBeTruthy();
    expect(screen.getByText('Anne')).toBeTruthy();
  });

  it('names the players of a list that has one entry for each', () => {
    render(GenericBoard, props({ view: { players: [{ bank: 3 }, { bank: 4 }] } }));
    expect(screen.getAllByRole('term').map((one) => one.textContent)).toEqual([
      'players',
      'Anne',
      'bank',
      'Zoé',
      'bank',
    ]);
  });

  it('shows the options of the match last', () => {
    expect(entriesOf({ options: {}, hand: [], stage: '' }).map(([name]) => name)).toEqual(['hand', 'stage', 'options']);
  });

  it('has a button for each legal action, grouped by type', async () => {
    const play = vi.fn();
    const legal = [{ type: 'play', card: '7S' }, { type: 'pass' }, { type: 'play', card: '8S' }];
    render(GenericBoard, props({ offer: offer({ legal }), play }));
    const group = within(screen.getByRole('group', { name: 'play' }));
    expect(group.getAllByRole('button')).toHaveLength(2);
    await fireEvent.click(group.getByRole('button', { name: 'play card sept de pique' }));
    expect(play).toHaveBeenCalledWith({ type: 'play', card: '7S' });
    expect(screen.getByRole('button', { name: 'pass' })).toBeTruthy();
    expect(groups(legal, []).map((one) => [one.type, one.actions.length])).toEqual([
      ['play', 2],
      ['pass', 1],
    ]);
  });

  it('uses the words that the game has', () => {
    render(
      GenericBoard,
      props({ game: 'coins', view: { stake: 3 }, offer: offer({ legal: [{ type: 'propose', stake: 3 }] }) }),
    );
    expect(actionWords({ type: 'propose', stake: 3 }, { game: 'coins', seats })).toBe('Proposer · Mise 3');
    expect(screen.getByRole('term').textContent).toBe('Mise');
  });

  it('offers a range as a number', async () => {
    const play = vi.fn();
    const ranges = [{ action: { type: 'propose', stake: 1 }, field: 'stake', least: 1, most: 10_000 }];
    render(GenericBoard, props({ offer: offer({ ranges }), play }));
    await fireEvent.change(screen.getByRole('spinbutton', { name: 'stake' }), { target: { value: '1234' } });
    await fireEvent.click(screen.getByTestId('range'));
    expect(play).toHaveBeenCalledWith({ type: 'propose', stake: 1234 });
    expect(groups([{ type: 'pass' }], ranges).map((one) => one.type)).toEqual(['propose', 'pass']);
  });

  it('takes an action as text if the list is not sent, and says when it cannot be read', async () => {
    const play = vi.fn();
    render(GenericBoard, props({ offer: offer({ legal: null }), play }));
    const box = screen.getByRole('textbox');
    await fireEvent.input(box, { target: { value: '{"type":' } });
    await fireEvent.submit(box.closest('form')!);
    expect(screen.getByRole('alert')).toBeTruthy();
    await fireEvent.input(box, { target: { value: '{"type":"place","at":"H8"}' } });
    await fireEvent.submit(box.closest('form')!);
    expect(play).toHaveBeenCalledWith({ type: 'place', at: 'H8' });
  });

  it('reads actions aloud', () => {
    expect(actionWords({ type: 'offer_draw' }, { seats })).toBe('offer draw');
    expect(actionWords({ type: 'move', path: [32, 28], kept: true }, { seats })).toBe('move · path 32, 28 · kept oui');
    expect(actionWords({ type: 'aim', seat: 1, card: null }, { seats })).toBe('aim · seat Zoé · card –');
  });
});
