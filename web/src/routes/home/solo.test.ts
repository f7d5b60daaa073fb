import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import type { GameCard } from '../../core/types.gen';
import SoloDialog from './SoloDialog.svelte';
import { firstChoice, inWords, keepChoice, lastChoice, soloTable } from './solo.svelte';

vi.mock('./play', () => ({ layTable: vi.fn(async () => true) }));
const { layTable } = await import('./play');

const card = (change: Partial<GameCard> = {}): GameCard => ({
  key: 'dames',
  version: 1,
  seats: [2, 2],
  levels: ['facile', 'moyen', 'difficile'],
  options: {
    properties: {
      variant: { enum: ['competitive', 'classic8'], default: 'competitive' },
      move_time: { type: 'integer', minimum: 0, maximum: 60, default: 20 },
    },
  },
  packs: {},
  seats_differ: true,
  board: null,
  lessons: [],
  hides: true,
  ...change,
});

beforeEach(() => {
  keepChoice('dames', firstChoice(card()));
  vi.mocked(layTable).mockClear();
});

it('keeps the last choice and plays it', async () => {
  render(SoloDialog, { game: card(), open: true });
  await fireEvent.click(screen.getByRole('radio', { name: 'Difficile', hidden: true }));
  await fireEvent.click(screen.getByRole('radio', { name: 'Noir', hidden: true }));
  await fireEvent.submit(document.querySelector('form')!);
  const { level, seat } = lastChoice(card());
  expect([level, seat]).toEqual(['difficile', 1]);
  expect(layTable).toHaveBeenCalledWith(expect.objectContaining({ seat: 1, bots: ['difficile'], start: true }));
  expect(JSON.parse(localStorage.getItem('tablee.solo')!)).toHaveProperty('dames.level', 'difficile');
});

it('forgets only what the game no longer allows', () => {
  keepChoice('dames', {
    ...firstChoice(card()),
    level: 'divin',
    seats: 9,
    seat: 7,
    options: { variant: 'x', move_time: 5 },
  });
  expect(lastChoice(card())).toEqual({ ...firstChoice(card()), options: { variant: 'competitive', move_time: 5 } });
});

it('seats one by chance if asked to', () => {
  const solo = { ...firstChoice(card()), seat: null };
  keepChoice('dames', solo);
  expect(lastChoice(card()).seat).toBeNull();
  const seats = new Set(Array.from({ length: 60 }, () => soloTable(card(), solo).seat));
  expect([...seats].sort()).toEqual([0, 1]);
});

it('says in a few words what one click plays', () => {
  const solo = { ...firstChoice(card()), options: { variant: 'competitive', move_time: 5 } };
  const words = inWords(card(), solo).map((one) => one.replace(/\s/g, ' '));
  expect(words).toEqual(['Moyen', 'Rouge', 'Temps par coup : 5 s']);
  const many = card({ key: 'ojyx', seats: [2, 8], seats_differ: false, options: {} });
  expect(inWords(many, { ...firstChoice(many), seats: 5, rated: true })).toEqual(['Moyen', '4 adversaires', 'classée']);
});
