import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { boardProps } from '../../core/examples';
import type { BoardProps } from '../../core/game';
import type { PreviewFrame } from '../../core/types.gen';
import Board from './Board.svelte';
import { board, last, moveOf, played, view } from './examples';
import Result from './Result.svelte';
import type { Action, View } from './types.gen';

const play = vi.fn();
const preview = vi.fn<(action: Action) => Promise<PreviewFrame | null>>();
const answer = (change: Partial<PreviewFrame>): PreviewFrame => ({
  type: 'preview',
  reply: 1,
  preview: null,
  refusal: null,
  ...change,
});

beforeEach(() => {
  sessionStorage.clear();
  play.mockClear();
  preview.mockReset().mockResolvedValue(null);
});

function props(now: View, change: Partial<BoardProps<View, Action>> = {}) {
  const seat = change.seat === undefined ? 0 : change.seat;
  const mine = seat !== null && now.waiting.includes(seat);
  return boardProps(now, {
    turn: { must: now.waiting, stage: now.stage },
    offer: mine ? { number: 1, must: true, legal: null, ranges: [] } : null,
    play,
    preview,
    ...change,
  });
}

const show = (now: View, more = {}) => render(Board, props(now, more));
const square = (name: string) => document.querySelector<HTMLElement>(`[data-square='${name}']`)!;
const tile = (letter: string) => screen.getAllByTestId('rack-tile').find((one) => one.dataset.letter === letter)!;
const rack = () =>
  screen
    .queryAllByTestId('rack-tile')
    .map((one) => one.dataset.letter)
    .join('');
const fresh = () =>
  [...document.querySelectorAll<HTMLElement>("[data-look='fresh']")].map(
    (one) => `${one.dataset.square} ${one.dataset.letter}`,
  );
const key = (name: string, more = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...more });
const keys = async (text: string) => {
  for (const letter of text) await key(letter);
};
const prompt = () => screen.getByTestId('prompt').textContent?.replace(/[\u202f\u00a0]/g, ' ');

it('names every square with its premium and what stands there', () => {
  show(view({ board: board('H8 MAiS'), last: null }));
  expect(square('A4').getAttribute('aria-label')).toBe('A4, lettre compte double, vide');
  expect(square('H8').getAttribute('aria-label')).toBe('H8, étoile, mot compte double, M, 2 points');
  expect(square('H10').getAttribute('aria-label')).toBe('H10, I, joker');
  expect(document.querySelectorAll('[role=gridcell]')).toHaveLength(225);
});

it('is played by keyboard: type at the cursor, turn, take back, play', async () => {
  show(view());
  await keys('sone');
  expect(fresh()).toEqual(['H8 S', 'H9 O', 'H10 N', 'H11 E']);
  await key('Backspace');
  expect(fresh()).toEqual(['H8 S', 'H9 O', 'H10 N']);
  await key('Enter');
  expect(play).toHaveBeenCalledWith({ type: 'place', at: 'H8', word: 'SON' });
  await key('Escape');
  expect(rack()).toBe('AEINORS');
  await key('ArrowDown');
  await keys('as');
  expect(
    fresh()
      .map((one) => one.slice(0, 2))
      .every((name) => /[A-O]\d/.test(name)),
  ).toBe(true);
  await key('Enter');
  expect(play.mock.lastCall?.[0]).toMatchObject({ word: 'AS', at: expect.stringMatching(/^\d/) });
});

it('turns with the space bar and reads accents as their letters', async () => {
  show(view());
  await fireEvent.click(square('H8'));
  await key(' ');
  await keys('né');
  expect(fresh()).toEqual(['H8 N', 'I8 E']);
});

it('is played by touch: a tile then a square, or a square then tiles', async () => {
  show(view());
  await fireEvent.click(tile('O'));
  await fireEvent.click(square('H8'));
  expect(fresh()).toEqual(['H8 O']);
  await fireEvent.click(square('H8'));
  expect(fresh()).toEqual([]);
  await fireEvent.click(square('H7'));
  await fireEvent.click(tile('S'));
  await fireEvent.click(tile('I'));
  expect(fresh()).toEqual(['H7 S', 'H8 I']);
});

it('asks which letter a joker is, and uses one for a letter that is missing', async () => {
  show(view({ rack: '?ABCDEF' }));
  await fireEvent.click(tile('?'));
  await fireEvent.click(square('H8'));
  await fireEvent.click(screen.getByTestId('joker-Z'));
  expect(fresh()).toEqual(['H8 z']);
  await key('Escape');
  await keys('aw');
  expect(fresh()).toEqual(['H8 A', 'H9 w']);
});

it('tells what a play would bring, once the hands rest', async () => {
  const son = played('H8', 'SON');
  preview.mockResolvedValue(answer({ preview: son }));
  show(view());
  await keys('son');
  await waitFor(() => expect(prompt()).toBe('SON : 6 points'));
  expect(preview).toHaveBeenCalledOnce();
  expect(preview).toHaveBeenCalledWith({ type: 'place', at: 'H8', word: 'SON' });
  expect(screen.getByTestId('place').textContent).toContain('6 points');
});

it('says which words are none, with the score they would bring, and does not send them', async () => {
  const ros = played('H8', 'RSO');
  preview.mockResolvedValue(
    answer({ refusal: { code: 'not_a_word', values: { words: ['RSO'], score: 6, play: ros }, late: false } }),
  );
  show(view());
  await keys('rso');
  await waitFor(() => expect(prompt()).toContain('Pas dans le lexique : RSO'));
  expect(screen.getByTestId('detail').textContent).toContain('RSO');
  await key('Enter');
  expect(play).not.toHaveBeenCalled();
});

it('gives no advice where words are contested', async () => {
  preview.mockResolvedValue(answer({ preview: played('H8', 'RSO') }));
  show(view({ options: { validation: 'challenge' } }));
  await keys('rso');
  await waitFor(() => expect(prompt()).toBe('RSO : 6 points'));
  expect(screen.queryByLabelText('Valable')).toBeNull();
});

it('says a gap itself, and asks nobody', async () => {
  show(view());
  await fireEvent.click(tile('S'));
  await fireEvent.click(square('H8'));
  await fireEvent.click(tile('O'));
  await fireEvent.click(square('H10'));
  expect(prompt()).toBe('Il reste un trou en H9.');
});

it('lets one plan out of turn, and keeps what others leave room for', async () => {
  const { rerender } = show(view({ to_act: 1, waiting: [1] }));
  await fireEvent.click(square('H8'));
  square('H8').focus();
  await keys('so');
  await fireEvent.click(square('A1'));
  await keys('n');
  expect(prompt()).toContain('Coup en préparation');
  await key('Enter');
  expect(play).not.toHaveBeenCalled();
  const ma = played('H8', 'MA');
  await rerender(
    props(view({ board: board('H8 MA'), log: [moveOf(1, ma)], last: last(1, ma) }), { previous: view(), ply: 2 }),
  );
  expect(fresh()).toEqual(['A1 N']);
  expect(rack()).toBe('AEIORS');
  expect(prompt()).toContain('La grille a changé');
});

it('reorders the rack by keyboard and shuffles it, out of turn too', async () => {
  show(view({ to_act: 1, waiting: [1] }));
  tile('A').focus();
  await key('ArrowRight', { shiftKey: true });
  expect(rack()).toBe('EAINORS');
  await fireEvent.click(screen.getByTestId('shuffle'));
  expect([...rack()].sort().join('')).toBe('AEINORS');
});

it('exchanges what was chosen, sorted', async () => {
  show(view({ rack: '?AAEIOU' }));
  await fireEvent.click(screen.getByTestId('exchange'));
  const tiles = screen.getAllByTestId('exchange-tile');
  for (const at of [6, 0, 2]) await fireEvent.click(tiles[at]!);
  await fireEvent.click(screen.getByTestId('exchange-confirm'));
  expect(play).toHaveBeenCalledWith({ type: 'exchange', tiles: '?AU' });
});

it('does not exchange from a bag that is too small, and says so', async () => {
  show(view({ bag: 6 }));
  await fireEvent.click(screen.getByTestId('exchange'));
  expect(screen.queryByTestId('exchange-confirm')).toBeNull();
  expect(prompt()).toContain('tant que le sac contient 7 jetons');
});

it('passes only when it is confirmed', async () => {
  show(view({ passes: 2 }));
  await fireEvent.click(screen.getByTestId('pass'));
  expect(play).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByTestId('pass-confirm'));
  expect(play).toHaveBeenCalledWith({ type: 'pass' });
});

it('asks whoever may contest, shows the play, and hides what others answered', async () => {
  const ma = played('H8', 'MAXE');
  const pending = { seat: 1, play: ma, answered: [], waiting: [0], mine: null };
  const asked = view({ stage: 'challenge', to_act: 1, waiting: [0], pending, options: { validation: 'challenge' } });
  const { rerender } = show(asked);
  expect(screen.getByTestId('contest').textContent).toContain('MAXE');
  expect(square('H10').dataset.look).toBe('pending');
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>('challenge').disabled).toBe(false));
  await fireEvent.click(screen.getByTestId('challenge'));
  expect(play).toHaveBeenCalledWith({ type: 'challenge' });
  const answered = { ...pending, answered: [0], waiting: [2], mine: true };
  await rerender(props({ ...asked, waiting: [2], pending: answered }, { ply: 2 }));
  expect(screen.getByTestId('contest-state').textContent).toContain('Vous contestez');
  expect(screen.queryByTestId('challenge')).toBeNull();
});

it('shows the last play with its detail, and one that was taken back', () => {
  const ma = played('H8', 'MA');
  show(view({ board: board('H8 MA'), log: [moveOf(1, ma)], last: last(1, ma) }));
  expect(square('H8').dataset.look).toBe('last');
  expect(screen.getByTestId('last').textContent).toContain('Paul joue MA');
  expect(screen.getAllByTestId('detail')[0]!.textContent).toContain('(2 + 1) ×2');
});

it('shows a spectator the board and no rack', () => {
  show(view({ seat: null, rack: '' }), { seat: null });
  expect(screen.queryByTestId('rack')).toBeNull();
  expect(screen.queryByTestId('place')).toBeNull();
});

it('shows the last counting with the tiles that were left', () => {
  const final = { ending: 'out' as const, racks: ['', 'EZ'], adjustments: [11, -11] };
  render(Result, {
    ...props(view({ stage: 'over', scores: [158, 112], final })),
    outcome: { scores: [158, 112], places: [1, 2], reason: 'out' },
  });
  expect(screen.getByTestId('final').textContent).toContain('147');
  expect(screen.getByTestId('change-0').textContent).toBe('+11');
  expect(screen.getByTestId('change-1').textContent).toBe('−11');
});

it('shows the rack in a replay, and nothing to press', () => {
  render(Board, { ...props(view({ to_act: 1, waiting: [1] })), caption: 'Paul joue MA.', replayed: true });
  expect(rack()).toBe('AEINORS');
  expect(prompt()).toBe('Paul joue MA.');
  expect(screen.queryByTestId('place')).toBeNull();
});

it('gives tiles back that a play in its window covers: what is judged is seen as it was laid', async () => {
  const plan = view({ to_act: 1, waiting: [1], rack: 'ABEINOR', options: { validation: 'challenge' } });
  const { rerender } = show(plan);
  await fireEvent.click(square('H9'));
  await fireEvent.click(tile('B'));
  expect(fresh()).toEqual(['H9 B']);
  const pending = { seat: 1, play: played('H8', 'MAXE'), answered: [], waiting: [0], mine: null };
  await rerender(props({ ...plan, stage: 'challenge', waiting: [0], pending }, { previous: plan, ply: 2 }));
  expect(square('H9').dataset.letter).toBe('A');
  expect(fresh()).toEqual([]);
  expect(rack()).toBe('ABEINOR');
});

it('takes no answer from a touch that was meant for the button before, and lets the rack be shuffled', async () => {
  const pending = { seat: 1, play: played('H8', 'MAXE'), answered: [], waiting: [0], mine: null };
  show(view({ stage: 'challenge', to_act: 1, waiting: [0], pending, options: { validation: 'challenge' } }));
  expect(screen.getByTestId<HTMLButtonElement>('challenge').disabled).toBe(true);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await fireEvent.click(screen.getByTestId('shuffle-on'));
  expect(rack()).toBe('EINORSA');
  vi.restoreAllMocks();
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>('challenge').disabled).toBe(false));
});

it('keeps what is being composed when the page is loaded again', async () => {
  const { unmount } = show(view());
  await fireEvent.click(square('H8'));
  await key('n');
  await key('o');
  await waitFor(() => expect(sessionStorage.length).toBe(1));
  unmount();
  show(view());
  expect(fresh()).toEqual(['H8 N', 'H9 O']);
});

it('asks again what a play brings where the server could not be reached', async () => {
  show(view());
  await fireEvent.click(square('H8'));
  await key('n');
  await key('o');
  await waitFor(() => expect(preview).toHaveBeenCalledTimes(1));
  const no = played('H8', 'NO');
  preview.mockResolvedValue(answer({ preview: no }));
  await waitFor(() => expect(prompt()).toContain(`${no.score}`), { timeout: 4_000 });
});

it('asks no more once the page is left', async () => {
  let answered = (_: PreviewFrame | null) => {};
  preview.mockImplementation(() => new Promise((resolve) => (answered = resolve)));
  const { unmount } = show(view());
  await fireEvent.click(square('H8'));
  await key('n');
  await key('o');
  await waitFor(() => expect(preview).toHaveBeenCalledTimes(1));
  unmount();
  vi.useFakeTimers();
  answered(null);
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  expect(preview).toHaveBeenCalledTimes(1);
});

it('does not scold after one letter', async () => {
  show(view());
  await fireEvent.click(square('H8'));
  await key('n');
  expect(document.querySelector('.bad')).toBeNull();
  await key('Enter');
  expect(play).not.toHaveBeenCalled();
});

/** It is Paul's turn, and Anne may plan. */
const theirs = (change: Partial<View> = {}, more = {}) =>
  props(view({ to_act: 1, waiting: [1], ...change }), { premoves: true, ...more });
/** Paul has played, and Anne is to play. */
const answered = (change: Partial<View> = {}) =>
  props(view(change), { premoves: true, ply: 2, step: { ply: 2, seat: 1, action: { type: 'pass' }, cause: null } });
const placeText = () => screen.getByTestId('place').textContent?.replace(/[\u202f\u00a0]/g, ' ');

async function lay() {
  square('H8').focus();
  await fireEvent.click(square('H8'));
  await keys('son');
}

it('plays a planned word as soon as it can, with a provisional score before', async () => {
  const { rerender } = render(Board, theirs());
  await lay();
  expect(placeText()).toBe('Jouer dès que possible≈ 6 points');
  await key('Enter');
  expect(placeText()).toContain('Annuler le coup prévu');
  expect(prompt()).toContain('SON partira dès que possible');
  expect(preview).not.toHaveBeenCalled();
  expect(play).not.toHaveBeenCalled();
  await rerender(answered({ board: board('A1 OUI') }));
  expect(play.mock.calls).toEqual([[{ type: 'place', at: 'H8', word: 'SON' }]]);
});

it('gives the tiles of a planned word back if it no longer fits', async () => {
  for (const [grid, left] of [
    ['H9 A', 'AEINORS'],
    ['H11 S', 'AEINORS'],
    ['G9 A', 'AEINORS'],
  ] as const) {
    const { rerender, unmount } = render(Board, theirs());
    await lay();
    await key('Enter');
    await rerender(answered({ board: board(grid) }));
    expect(play).not.toHaveBeenCalled();
    expect(fresh()).toEqual([]);
    expect([...rack()].sort().join('')).toBe(left);
    expect(prompt()).toContain('SON ne tient plus sur la grille');
    unmount();
    sessionStorage.clear();
  }
});

it('cancels a planned word with its button, a touched tile, Escape or a right click', async () => {
  const { rerender } = render(Board, theirs());
  for (const undo of [
    () => fireEvent.click(screen.getByTestId('place')),
    () => fireEvent.click(square('H9')),
    () => key('Escape'),
    () => fireEvent.contextMenu(square('A1')),
  ]) {
    await key('Escape');
    await lay();
    await fireEvent.click(screen.getByTestId('place'));
    expect(placeText()).toContain('Annuler');
    await undo();
    expect(placeText()).not.toContain('Annuler');
  }
  await rerender(answered());
  expect(play).not.toHaveBeenCalled();
});

it('does not play a planned word after a gap, and a reload cancels it', async () => {
  const { unmount } = render(Board, theirs());
  await lay();
  await key('Enter');
  unmount();
  const again = render(Board, theirs());
  expect(fresh()).toEqual(['H8 S', 'H9 O', 'H10 N']);
  await again.rerender(answered());
  expect(play).not.toHaveBeenCalled();
  again.unmount();
  sessionStorage.clear();
  const third = render(Board, theirs());
  await lay();
  await key('Enter');
  await third.rerender({ ...answered(), step: null });
  expect(play).not.toHaveBeenCalled();
  expect(prompt()).toContain('SON ne part plus tout seul');
});
