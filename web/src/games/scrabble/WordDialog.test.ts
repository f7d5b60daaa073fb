import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Detail from './Detail.svelte';
import { explainedBy } from './story';
import type { Play, View } from './types.gen';

const play: Play = {
  at: 'H4',
  word: 'FINIS',
  tiles: 'FINIS',
  words: [
    {
      word: 'FINIS',
      at: 'H4',
      points: [4, 1, 1, 1, 1],
      letter_bonus: [1, 1, 1, 1, 1],
      word_bonus: [1, 1, 1, 1, 1],
      score: 8,
    },
    { word: 'XS', at: '8H', points: [10, 1], letter_bonus: [1, 1], word_bonus: [1, 1], score: 11 },
  ],
  bingo: 0,
  score: 19,
};
const sent: { path: string; body: unknown }[] = [];

beforeEach(() => {
  sent.length = 0;
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
  };
  vi.stubGlobal('fetch', async (path: string, request: RequestInit) => {
    sent.push({ path, body: typeof request.body === 'string' ? JSON.parse(request.body) : null });
    return Response.json(
      path.includes('/meaning') ? { word: 'FINIS', bases: [{ lemma: 'finir', kind: 'v' }], gloss: '' } : { done: true },
    );
  });
});
afterEach(() => vi.unstubAllGlobals());

it('explains a word of a play and reports it', async () => {
  render(Detail, { play, invalid: ['XS'], lexicon: 'francais:01' });
  expect(document.querySelector('dialog')).toBeNull(); // every move shows its words
  await fireEvent.click(screen.getByRole('button', { name: 'FINIS' }));
  await waitFor(() => expect(screen.getByTestId('meaning').textContent).toMatch(/Forme de\s+finir, verbe/));
  await fireEvent.click(screen.getByTestId('report-word'));
  await waitFor(() => expect(screen.getByTestId('report-answer').textContent).toContain('Merci'));
  expect(sent.at(-1)).toEqual({
    path: '/api/games/scrabble/reports',
    body: { list: 'francais:01', word: 'FINIS', wanted: false },
  });
});

it('reports a refused word as one that should be valid, without asking what it means', async () => {
  render(Detail, { play, invalid: ['XS'], lexicon: 'francais:01' });
  await fireEvent.click(screen.getByRole('button', { name: 'XS' }));
  await fireEvent.click(screen.getByTestId('report-word'));
  await waitFor(() =>
    expect(sent).toEqual([expect.objectContaining({ body: expect.objectContaining({ wanted: true }) })]),
  );
});

it('says nothing of words that may still be contested', () => {
  const view = (validation: string, stage: string) =>
    ({ options: { validation, lexicon: 'francais:01' }, stage }) as unknown as View;
  expect(explainedBy(view('auto', 'play'), null)).toBe('francais:01');
  expect(explainedBy(view('challenge', 'over'), null)).toBe('francais:01');
  expect(explainedBy(view('challenge', 'play'), { contesters: [1] })).toBe('francais:01');
  expect(explainedBy(view('challenge', 'play'), { contesters: [] })).toBe('');
  render(Detail, { play });
  expect(screen.queryByRole('button')).toBeNull();
});
