import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { boardProps } from '../../core/examples';
import type { BoardProps } from '../../core/game';
import type { Outcome, PreviewFrame } from '../../core/types.gen';
import Board from './Board.svelte';
import { move, played, score, set, view } from './examples';
import type { Action, State } from './types.gen';

const play = vi.fn();
const preview = vi.fn(async (): Promise<PreviewFrame | null> => null);
const paths = (...all: number[][]): Action[] => all.map((path) => ({ type: 'move', path }));

beforeEach(() => {
  play.mockClear();
  preview.mockResolvedValue(null);
});

function props(now: State, legal: Action[] | null, change: Partial<BoardProps<State, Action>> = {}) {
  const turn = { must: [now.to_move], stage: 'play' };
  const offer = legal && { number: 1, must: true, legal, ranges: [] };
  return boardProps(now, { ply: 0, turn, offer, preview, play, ...change });
}

const square = (number: number) => document.querySelector<HTMLElement>(`[data-square='${number}']`)!;
const lit = () =>
  [...document.querySelectorAll<HTMLElement>('[data-lit]')].map(({ dataset }) => `${dataset.square} ${dataset.lit}`);
const prompt = () => screen.getByTestId('prompt').textContent?.replace(/\u202f/g, ' ');

it('lights what may move, then where, and plays it', async () => {
  render(Board, props(view(), paths([32, 27], [32, 28], [33, 28])));
  expect(lit()).toEqual(['32 piece', '33 piece']);
  expect(square(32).getAttribute('aria-label')).toBe('case 32, d4, pion rouge, peut jouer');
  await fireEvent.click(square(32));
  expect(lit()).toEqual(['27 next', '28 next', '32 picked']);
  await fireEvent.click(square(28));
  expect(play).toHaveBeenCalledWith({ type: 'move', path: [32, 28] });
});

const TAKES = view({ red_men: set(40, 47, 48), black_men: set(43, 33, 42, 32), must_take: 2 });

it('says that a capture is compulsory, and takes piece by piece', async () => {
  preview.mockResolvedValue({ type: 'preview', reply: 1, preview: [43, 33], refusal: null });
  render(Board, props(TAKES, paths([48, 39, 28], [48, 37, 28])));
  expect(screen.getByTestId('forced').textContent?.replace(/\u202f/g, ' ')).toBe('Prise obligatoire : 2 pièces');
  await fireEvent.click(square(40));
  expect(prompt()).toBe('Prise obligatoire : il faut prendre 2 pièces, et celle-ci ne le peut pas.');
  await fireEvent.click(square(48));
  await fireEvent.click(square(28));
  expect(prompt()).toBe('Plusieurs prises finissent là : passez par les cases intermédiaires.');
  await fireEvent.click(square(39));
  expect(square(39).querySelector('[data-piece=red-man]')).not.toBeNull();
  expect(preview).toHaveBeenLastCalledWith({ type: 'move', path: [48, 39, 28] });
  await waitFor(() => expect(square(43).getAttribute('aria-label')).toContain('prise'));
  expect(square(33).getAttribute('aria-label')).not.toContain('prise');
  expect(play).not.toHaveBeenCalled();
  await fireEvent.click(square(28));
  expect(play).toHaveBeenCalledWith({ type: 'move', path: [48, 39, 28] });
});

it('is played from the keyboard', async () => {
  render(Board, props(view(), paths([32, 27], [32, 28])));
  square(32).focus();
  expect(square(32).tabIndex).toBe(0);
  await fireEvent.click(square(32));
  await fireEvent.keyDown(square(32), { key: 'ArrowUp' });
  expect(document.activeElement).toBe(square(27));
  await fireEvent.keyDown(square(27), { key: 'ArrowRight' });
  expect(document.activeElement).toBe(square(28));
  await fireEvent.keyDown(square(28), { key: 'Escape' });
  expect(lit()).toEqual(['32 piece']);
});

it('turns the board for black, and for nobody else', () => {
  const { unmount } = render(Board, props(view({ to_move: 1 }), paths([19, 23]), { seat: 1 }));
  expect([square(1), square(50)].map((one) => one.style.gridArea)).toEqual(['10 / 9', '1 / 2']);
  unmount();
  render(Board, props(view(), null, { seat: null }));
  expect(square(1).style.gridArea).toBe('1 / 2');
  expect(lit()).toEqual([]);
  expect(screen.queryByTestId('resign')).toBeNull();
});

it('says why a touch does nothing', async () => {
  render(Board, props(view({ to_move: 1 }), null));
  await fireEvent.click(square(32));
  expect(prompt()).toBe('Un instant : c’est à Paul.');
});

it('shows points, the last move and what it took', async () => {
  const before = view({ red_men: set(28), black_men: set(23, 5), must_take: 1 });
  const { rerender } = render(Board, props(before, paths([28, 19])));
  const after = view({
    red_men: set(19),
    black_men: set(5),
    to_move: 1,
    last_move: played(0, [28, 19], { captured: [23], points: 1 }),
    scores: [score({ points: 1, pieces_captured: 1 }), score()],
  });
  await rerender(props(after, null, { previous: before, step: move(0, 28, 19), ply: 1 }));
  expect(screen.getByTestId('points-0').textContent).toBe('1');
  expect(document.querySelector('.pop')?.textContent).toBe('+1');
  expect(square(28).className).toContain('from');
  expect(square(19).className).toContain('to');
  await fireEvent.click(screen.getByTestId('back'));
  expect(square(28).querySelector('[data-piece]')).not.toBeNull();
  await fireEvent.click(screen.getByTestId('live'));
  expect(square(28).querySelector('[data-piece]')).toBeNull();
  await fireEvent.click(screen.getByTestId('back'));
  await rerender(props(view(), paths([32, 28])));
  expect(lit()).toEqual(['32 piece']);
});

it('answers a draw in a lesson, which nobody resigns', async () => {
  render(Board, props(view({ offered_by: 1 }), [{ type: 'accept_draw' }]));
  expect(screen.queryByTestId('resign')).toBeNull();
  await fireEvent.click(screen.getByTestId('accept-draw'));
  expect(play).toHaveBeenLastCalledWith({ type: 'accept_draw' });
});

it('answers a draw', async () => {
  render(
    Board,
    props(view({ offered_by: 1 }), [{ type: 'accept_draw' }, { type: 'decline_draw' }, { type: 'resign' }]),
  );
  expect(prompt()).toBe('Paul propose la nulle.');
  await fireEvent.click(screen.getByTestId('decline-draw'));
  expect(play).toHaveBeenLastCalledWith({ type: 'decline_draw' });
});

it('asks before giving up, also while the other thinks', async () => {
  const resign = vi.fn();
  render(Board, props(view({ to_move: 1 }), null, { resign }));
  await fireEvent.click(screen.getByTestId('resign'));
  expect(resign).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByTestId('resign-confirm'));
  expect(resign).toHaveBeenCalledOnce();
});

const waiting = (change: Partial<State> = {}, more: Partial<BoardProps<State, Action>> = {}) =>
  props(view({ to_move: 1, ...change }), null, { premoves: true, ...more });
const answered = (legal: Action[], change: Partial<State> = {}) =>
  props(view(change), legal, { premoves: true, previous: view({ to_move: 1 }), step: move(1, 19, 23), ply: 1 });
const planned = () =>
  [...document.querySelectorAll<HTMLElement>('[data-planned]')].map(({ dataset }) => Number(dataset.square));

async function plan(...path: number[]) {
  for (const one of path) await fireEvent.click(square(one));
}

it('plays a planned move the moment it is legal', async () => {
  const { rerender } = render(Board, waiting());
  expect(lit()).toEqual([]);
  await plan(32);
  expect(lit()).toContain('28 next');
  await plan(28);
  expect(planned()).toEqual([28, 32]);
  expect(screen.getByTestId('arrows')).not.toBeNull();
  expect(play).not.toHaveBeenCalled();
  await rerender(answered(paths([32, 27], [32, 28])));
  expect(play.mock.calls).toEqual([[{ type: 'move', path: [32, 28] }]]);
  expect(planned()).toEqual([]);
});

it('drops a planned move that became illegal, and sends nothing', async () => {
  const { rerender } = render(Board, waiting());
  await plan(32, 28);
  await rerender(answered(paths([33, 29]), { must_take: 1 }));
  expect(play).not.toHaveBeenCalled();
  expect(prompt()).toBe('Le coup prévu 32-28 n’est plus possible. À vous de choisir.');
  expect(planned()).toEqual([]);
});

it('cancels a planned move with a touch, Escape, a right click or its button', async () => {
  const { rerender } = render(Board, waiting());
  for (const undo of [
    () => fireEvent.click(square(22)),
    () => fireEvent.click(square(32)),
    () => fireEvent.keyDown(document.body, { key: 'Escape' }),
    () => fireEvent.contextMenu(square(5)),
    () => fireEvent.click(screen.getByTestId('cancel-premove')),
  ]) {
    await plan(32, 28);
    expect(planned()).toEqual([28, 32]);
    await undo();
    expect(planned()).toEqual([]);
    expect(lit()).toEqual([]);
  }
  await rerender(answered(paths([32, 28])));
  expect(play).not.toHaveBeenCalled();
});

it('plans a capture of several pieces, and replaces a plan by another', async () => {
  const men = { red_men: set(32, 38), black_men: set(19, 18) };
  const { rerender } = render(Board, waiting(men));
  await plan(32, 23);
  await plan(14);
  expect(planned()).toEqual([14, 23, 32]);
  await plan(38, 33);
  expect(planned()).toEqual([33, 38]);
  await plan(33);
  await plan(32, 23, 14);
  await rerender(answered(paths([32, 23, 14]), { ...men, must_take: 2 }));
  expect(play).toHaveBeenCalledWith({ type: 'move', path: [32, 23, 14] });
});

it('does not play a plan over a draw offer, nor after a gap', async () => {
  const { rerender } = render(Board, waiting());
  await plan(32, 28);
  await rerender(answered(paths([32, 28]), { offered_by: 1 }));
  expect(prompt()).toBe('Paul propose la nulle : le coup prévu 32-28 est annulé.');
  await rerender({ ...waiting(), ply: 2 });
  await plan(32, 28);
  await rerender(props(view(), paths([32, 28]), { premoves: true, ply: 4 }));
  expect(prompt()).toContain('est annulé : la partie a continué');
  expect(play).not.toHaveBeenCalled();
});

it('forgets a plan when the match ends without a move', async () => {
  const { rerender } = render(Board, waiting());
  await plan(32, 28);
  const ended: Outcome = { scores: [0, 0], places: [1, 1], reason: 'agreed' };
  await rerender(waiting({}, { outcome: ended }));
  expect(planned()).toEqual([]);
  await rerender(props(view(), paths([32, 28]), { premoves: true }));
  expect(play).not.toHaveBeenCalled();
});

it('keeps a piece in the hand when the turn comes', async () => {
  const { rerender } = render(Board, waiting());
  await plan(32);
  await rerender(answered(paths([32, 27], [33, 29])));
  expect(lit()).toEqual(['27 next', '32 picked']);
});

it('plans nothing for a spectator', async () => {
  render(Board, waiting({}, { seat: null }));
  await plan(32);
  expect(lit()).toEqual([]);
});
