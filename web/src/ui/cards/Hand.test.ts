import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import Hand from './Hand.svelte';

function show() {
  const pick = vi.fn();
  const refuse = vi.fn();
  const cards = [
    { card: '3S', playable: true },
    { card: '9S', playable: true },
    { card: 'KH', playable: false },
  ];
  const { rerender } = render(Hand, { cards, label: 'Votre main', pick, refuse });
  return { pick, refuse, cards, rerender, buttons: screen.getAllByTestId('hand-card') };
}

it('names its cards and says which may be played', () => {
  const { buttons } = show();
  for (const [at, name] of ['trois de pique', 'neuf de pique', 'roi de cœur'].entries()) {
    expect(screen.getByRole('button', { name })).toBe(buttons[at]);
  }
  expect(buttons.map((one) => one.dataset.playable)).toEqual(['true', 'true', 'false']);
  expect(buttons.map((one) => one.getAttribute('aria-disabled'))).toEqual(['false', 'false', 'true']);
});

it('plays a lit card, and says why another cannot be played', async () => {
  const { pick, refuse, buttons } = show();
  await fireEvent.click(buttons[1]!);
  await fireEvent.click(buttons[2]!);
  expect(pick.mock.calls).toEqual([['9S']]);
  expect(refuse.mock.calls).toEqual([['KH']]);
});

it('is one tab stop, and the arrows move along it', async () => {
  const { buttons } = show();
  buttons[0]!.focus();
  await fireEvent.keyDown(buttons[0]!, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(buttons[1]);
  await fireEvent.keyDown(buttons[1]!, { key: 'End' });
  expect(document.activeElement).toBe(buttons[2]);
  expect(buttons.map((one) => one.tabIndex)).toEqual([-1, -1, 0]);
});

it('keeps the focus when the card under it is played', async () => {
  const { buttons, cards, rerender } = show();
  buttons[1]!.focus();
  await rerender({ cards: [cards[0]!, cards[2]!] });
  expect((document.activeElement as HTMLElement).dataset.card).toBe('KH');
});

it('plays the n-th card by its number, but not while someone types', async () => {
  const { pick } = show();
  const field = document.body.appendChild(document.createElement('input'));
  await fireEvent.keyDown(field, { key: '1' });
  expect(pick).not.toHaveBeenCalled();
  await fireEvent.keyDown(document.body, { key: '2' });
  expect(pick.mock.calls).toEqual([['9S']]);
  field.remove();
});
