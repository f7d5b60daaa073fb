import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boardProps, person } from '../../core/examples';
import type { BoardProps } from '../../core/game';
import { changeSettings } from '../../core/settings.svelte';
import Board from './Board.svelte';
import { demand, finished, from, laid, offer, plays, seatView, view } from './examples';
import type { Action, View } from './types.gen';

const play = vi.fn();

beforeEach(() => void play.mockClear());

function show(now: View, legal: Action[] = [], change: Partial<BoardProps<View, Action>> = {}) {
  const props = boardProps(now, {
    seat: now.seat,
    seats: ['Anne', 'Paul', 'Zoé', 'Luc', 'Noor'].map((name) => person(name)),
    turn: { must: now.waiting, stage: now.stage },
    offer: legal.length ? { ...offer(...legal), must: now.waiting.includes(0) } : null,
    play,
    ...change,
  });
  return render(Board, props);
}

const card = (code: string) => screen.getAllByTestId('hand-card').find((one) => one.dataset.card === code)!;
const chosen = () =>
  screen
    .getAllByTestId('hand-card')
    .filter((one) => one.getAttribute('aria-pressed') === 'true')
    .map((one) => one.dataset.card);

const HAND = ['6H', '7S', '7D', '9C'];
const SECOND = view({
  hand: HAND,
  trick: [laid(4, '6S')],
  demand: demand({ ranks: from('6'), suite: '7', reverse: '5' }),
});

it('lights what the offer lists and says why the rest waits', async () => {
  show(SECOND, plays('7S', '7D', '9C'));
  expect(HAND.map((one) => card(one).dataset.playable)).toEqual(['false', 'true', 'true', 'true']);
  await fireEvent.click(card('6H'));
  expect(screen.getByTestId('prompt').textContent).not.toContain('allumé');
  expect(play).not.toHaveBeenCalled();
});

it('offers a declaration only if the chosen cards have one', async () => {
  show(SECOND, [...plays('7S', '7D', '9C'), { type: 'play', cards: ['7S'], declare: 'suite' }]);
  expect(screen.queryByTestId('suite')).toBeNull();
  await fireEvent.click(card('9C'));
  expect(screen.queryByTestId('suite')).toBeNull();
  await fireEvent.click(card('7S'));
  expect(screen.queryByTestId('reverse')).toBeNull();
  await fireEvent.click(screen.getByTestId('suite'));
  expect(play).toHaveBeenCalledWith({ type: 'play', cards: ['7S'], declare: 'suite' });
});

it('closes out of turn with its button and with F', async () => {
  const close: Action = { type: 'close', cards: ['7S', '7D'] };
  show({ ...SECOND, waiting: [1] }, [close]);
  expect(screen.queryByTestId('play')).toBeNull();
  await fireEvent.click(screen.getByTestId('close'));
  await fireEvent.keyDown(document.body, { key: 'f' });
  expect(play.mock.calls).toEqual([[close], [close]]);
});

it('chooses the closing with a touch on a lit card, and closes with Enter', async () => {
  const close: Action = { type: 'close', cards: ['7S', '7D'] };
  show(SECOND, [close, { type: 'pass' }]);
  expect(screen.getByTestId('prompt').textContent).toContain('fermez le pli');
  await fireEvent.click(card('7D'));
  expect(chosen()).toEqual(['7S', '7D']);
  await fireEvent.keyDown(card('7D'), { key: 'Enter' });
  expect(play).toHaveBeenCalledWith(close);
});

it('is played from the keyboard: arrows choose, digits count, Enter plays', async () => {
  show(view({ hand: HAND }), plays('6H', '7S', '7D', '7S 7D', '9C'));
  await fireEvent.keyDown(document.body, { key: 'ArrowRight' });
  expect(chosen()).toEqual(['6H']);
  await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
  expect(chosen()).toEqual(['7S', '7D']);
  await fireEvent.keyDown(document.activeElement!, { key: '1' });
  expect(chosen()).toEqual(['7S']);
  await fireEvent.keyDown(document.activeElement!, { key: 'Enter' });
  expect(play).toHaveBeenCalledWith({ type: 'play', cards: ['7S'], declare: null });
});

it('passes only if the offer says so', async () => {
  const { unmount } = show(SECOND, plays('7S'));
  expect(screen.queryByTestId('pass')).toBeNull();
  unmount();
  show(SECOND, [{ type: 'pass' }]);
  await fireEvent.click(screen.getByTestId('pass'));
  expect(play).toHaveBeenCalledWith({ type: 'pass' });
});

it('lets the last player of a reverse go on or stop', async () => {
  show({ ...SECOND, stage: 'alone' }, [...plays('6H'), { type: 'stop' }]);
  expect(screen.getByTestId('play').textContent).toContain('Continuer');
  await fireEvent.click(screen.getByTestId('stop'));
  expect(play).toHaveBeenCalledWith({ type: 'stop' });
});

it('gives the cards that were chosen', async () => {
  const titles = ['president', 'vice_president', 'neutre', 'avant_dernier', 'trouduc'] as const;
  const now = view({
    manche: 2,
    stage: 'exchange',
    demand: null,
    waiting: [0, 1],
    hand: HAND,
    seats: titles.map((title) => seatView({ title })),
  });
  const give: Action = { type: 'give', cards: ['6H', '9C'] };
  show(now, [give, { type: 'give', cards: ['6H', '7S'] }, { type: 'give', cards: ['7S', '9C'] }]);
  await fireEvent.click(card('6H'));
  expect(screen.getByTestId<HTMLButtonElement>('give').disabled).toBe(true);
  await fireEvent.click(card('9C'));
  await fireEvent.click(screen.getByTestId('give'));
  expect(play).toHaveBeenCalledWith(give);
});

it('says a révolution in words and turns the hand round', () => {
  show(view({ hand: HAND, revolution: true, closing_rank: '3' }), plays('6H'));
  expect(screen.getByTestId('revolution').textContent).toContain('Révolution');
  expect(screen.getAllByTestId('hand-card').map((one) => one.dataset.card)).toEqual(['9C', '7S', '7D', '6H']);
});

it('shows everybody else with their cards, passes and titles', () => {
  const seats = view()
    .seats.with(1, seatView({ out: true, cards: 3 }))
    .with(2, seatView({ place: 1, cards: 0 }));
  show({ ...SECOND, seats, waiting: [3] });
  expect(screen.getByTestId('player-1').textContent).toContain('a passé');
  expect(screen.getByTestId('player-1').textContent).toContain('3 cartes');
  expect(screen.getByTestId('player-2').textContent).toContain('Président');
  expect(screen.getByTestId('player-3').dataset.turn).toBe('true');
  expect(screen.getByTestId('player-0').textContent).not.toContain('cartes');
});

it('keeps showing the finished trick and who laid it', () => {
  show(view({ last_trick: finished('closing_rank', laid(1, '9S'), laid(2, '2S')) }));
  expect(screen.getByTestId('trick').dataset.ending).toBe('closing_rank');
  expect(screen.getAllByTestId('laid').map((one) => one.dataset.seat)).toEqual(['1', '2']);
});

it('shows the faces of an exchange only if the view has them', () => {
  const gifts = [
    { giver: 1, receiver: 0, count: 2, cards: ['3S', '4H'] },
    { giver: 0, receiver: 1, count: 2, cards: ['AS', '2H'] },
    { giver: 2, receiver: 4, count: 1, cards: [] },
    { giver: 4, receiver: 2, count: 1, cards: [] },
  ];
  show(view({ manche: 2, gifts }));
  const shown = [...screen.getByTestId('exchange').querySelectorAll<HTMLElement>('[data-gift]')];
  expect(shown.flatMap((one) => one.dataset.card ?? []).sort()).toEqual(['2H', '3S', '4H', 'AS']);
  expect(shown.filter((one) => one.dataset.card === undefined)).toHaveLength(2);
});

it('shows the exchange once, and not in the banner of the manche before it', () => {
  const result = { ranking: [1, 2, 3, 4, 0], sunk: [], points: [-2, 2, 1, 0, -1] };
  const gifts = [
    { giver: 1, receiver: 0, count: 2, cards: ['3S', '4H'] },
    { giver: 0, receiver: 1, count: 2, cards: ['AS', '2H'] },
  ];
  const last_trick = finished('manche', laid(1, '9S'));
  show(view({ manche: 2, results: [result], gifts, last_trick }), [], { previous: view() });
  const sentences = [...document.body.querySelectorAll('[data-testid=exchange], [data-testid=manche-banner], .prompt')];
  const shown = sentences.filter((one) => one.querySelector('[data-card="3S"], [data-card="AS"]'));
  expect(shown.map((one) => (one as HTMLElement).dataset.testid)).toEqual(['exchange']);
  expect(screen.getByTestId('manche-banner').textContent).not.toContain('recevez');
  expect(screen.getByTestId('exchange').textContent).toContain('Échange avec Paul');
});

it('says how a manche ended, until the next one is played', async () => {
  const result = { ranking: [1, 2, 3, 4, 0], sunk: [0], points: [-2, 2, 1, 0, -1] };
  show(view({ manche: 2, results: [result], hand: HAND }), plays('6H'), { previous: view() });
  expect(screen.getByTestId('manche-banner').textContent).toContain('Trouduc');
  await fireEvent.click(card('6H'));
  expect(screen.queryByTestId('manche-banner')).toBeNull();
});

it('announces the end of a manche once, whatever else changes', async () => {
  const result = { ranking: [1, 2, 3, 4, 0], sunk: [], points: [-2, 2, 1, 0, -1] };
  const { rerender } = show(view({ manche: 2, results: [result], hand: HAND }), plays('6H'), { previous: view() });
  await fireEvent.click(card('6H'));
  await rerender({ pending: true });
  expect(screen.queryByTestId('manche-banner')).toBeNull();
});

it('shows one’s own title and points on one’s own place, and puts a banner away with Escape', async () => {
  const result = { ranking: [1, 2, 3, 4, 0], sunk: [], points: [-2, 2, 1, 0, -1] };
  const seats = view().seats.with(0, seatView({ title: 'trouduc', score: -2 }));
  show(view({ manche: 2, results: [result], hand: HAND, seats }), plays('6H'), { previous: view() });
  expect(screen.getByTestId('player-0').textContent).toContain('−2');
  expect(screen.getByTestId('player-0').textContent).toContain('à vous · Trouduc');
  expect(screen.getByTestId('prompt').textContent).not.toContain('Trouduc');
  await fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByTestId('manche-banner')).toBeNull();
});

it('shows a spectator no hand', () => {
  show(view({ seat: null }), [], { seat: null });
  expect(screen.queryAllByTestId('hand-card')).toEqual([]);
  expect(screen.getByTestId('player-0').textContent).toContain('10 cartes');
});

describe('a spectator’s table', () => {
  const watched = (count: number, ...waiting: number[]) =>
    view({ seat: null, waiting, seats: Array.from({ length: count }, (_, seat) => seatView({ cards: seat + 1 })) });
  /** The seats as they sit: clockwise from the left of the one at the bottom, who comes last. */
  const sitting = () =>
    screen.getAllByTestId(/^player-/).map((one) => Number(one.dataset.testid!.slice('player-'.length)));
  const bottom = () => sitting().at(-1);
  const follow = () => screen.getByRole('button', { name: 'Suivre le joueur actif' });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    changeSettings({ follow: true, motion: 'auto' });
  });

  /** The next frame of the match, before the cards have landed. */
  async function next(rerender: (props: object) => Promise<void>, now: View, ply: number) {
    await rerender({ view: now, previous: view({ seat: null }), ply });
  }

  it.each([4, 5, 6, 7, 8])('of %i turns to the active player, the others in the order of play', async (count) => {
    const { rerender } = show(watched(count, 2), [], { seat: null });
    expect(sitting()).toEqual(Array.from({ length: count }, (_, at) => (3 + at) % count));
    await next(rerender, watched(count, count - 1), 2);
    await vi.advanceTimersByTimeAsync(0);
    expect(sitting()).toEqual(Array.from({ length: count }, (_, at) => at));
    expect(screen.getByTestId('watched').textContent).toContain(`${count} cartes`);
  });

  it('turns when what was played has landed, and not while plays come faster', async () => {
    changeSettings({ motion: 'full' });
    const { rerender } = show(watched(5, 1), [], { seat: null });
    for (const [ply, seat] of [
      [2, 2],
      [3, 3],
    ] as const) {
      await next(rerender, watched(5, seat), ply);
      await vi.advanceTimersByTimeAsync(300);
      expect(bottom()).toBe(1);
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(bottom()).toBe(3);
  });

  it('does not turn while several choose at once, or after the match', async () => {
    const { rerender } = show(watched(5, 3), [], { seat: null });
    await next(rerender, watched(5, 0, 1), 2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bottom()).toBe(3);
    await next(rerender, watched(5), 3);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bottom()).toBe(3);
  });

  it('does not turn if following is switched off', async () => {
    const { rerender } = show(watched(5, 3), [], { seat: null });
    expect(follow().getAttribute('aria-pressed')).toBe('true');
    await fireEvent.click(follow());
    expect(follow().getAttribute('aria-pressed')).toBe('false');
    expect(sitting()).toEqual([1, 2, 3, 4, 0]);
    await next(rerender, watched(5, 4), 2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bottom()).toBe(0);
    await fireEvent.keyDown(document.body, { key: 's' });
    expect(bottom()).toBe(4);
  });

  it('shows how many cards are held, and none of them', () => {
    show(watched(5, 3), [], { seat: null });
    const held = screen.getByTestId('held-backs');
    expect(held.children).toHaveLength(4);
    expect(held.querySelector('[data-card], [data-fly]')).toBeNull();
  });

  it('never turns for a player: their own place is always at the bottom', () => {
    show({ ...watched(5, 3), seat: 0, hand: HAND });
    expect(screen.queryByTestId('follow')).toBeNull();
    expect(sitting()).toEqual([1, 2, 3, 4, 0]);
  });
});
