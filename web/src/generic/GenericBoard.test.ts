import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { BoardProps } from '../core/game';
import GenericBoard from './GenericBoard.svelte';
import { actionWords } from './words';

const props = (change: Partial<BoardProps>): BoardProps => ({
  view: { stage: 'play', hands: [{ seat: 0, cards: ['7S', '8S'] }], led: null },
  previous: null,
  step: null,
  ply: 0,
  seat: 0,
  seats: [],
  turn: { must: [0], stage: 'play' },
  offer: null,
  outcome: null,
  clocks: null,
  told: [],
  pending: false,
  preview: async () => null,
  play: () => {},
  ...change,
});

describe('a game without a board of its own', () => {
  it('shows its view as names and values', () => {
    render(GenericBoard, props({}));
    expect(screen.getByText('stage')).toBeTruthy();
    expect(screen.getByText('7S 8S')).toBeTruthy();
  });

  it('has a button for each legal action', async () => {
    const play = vi.fn();
    const legal = [{ type: 'play', card: '7S' }, { type: 'pass' }];
    render(GenericBoard, props({ offer: { number: 1, must: true, legal, ranges: [] }, play }));
    await fireEvent.click(screen.getByRole('button', { name: 'play · card 7S' }));
    expect(play).toHaveBeenCalledWith({ type: 'play', card: '7S' });
    expect(screen.getAllByRole('button')).toHaveLength(2);
  });

  it('takes an action as text where the list is not sent, and says when it cannot be read', async () => {
    const play = vi.fn();
    render(GenericBoard, props({ offer: { number: 1, must: true, legal: null, ranges: [] }, play }));
    const box = screen.getByRole('textbox');
    await fireEvent.input(box, { target: { value: '{"type":' } });
    await fireEvent.submit(box.closest('form')!);
    expect(screen.getByRole('alert')).toBeTruthy();
    await fireEvent.input(box, { target: { value: '{"type":"place","at":"H8"}' } });
    await fireEvent.submit(box.closest('form')!);
    expect(play).toHaveBeenCalledWith({ type: 'place', at: 'H8' });
  });

  it('reads actions aloud', () => {
    expect(actionWords({ type: 'offer_draw' })).toBe('offer draw');
    expect(actionWords({ type: 'move', path: [32, 28], kept: true })).toBe('move · path 32 28 · kept oui');
  });
});
