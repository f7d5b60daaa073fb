import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { boardProps, person } from '../../core/examples';
import type { BoardProps } from '../../core/game';
import { settings } from '../../core/settings.svelte';
import Board from './Board.svelte';
import { cells, event, offer, seatView, view } from './examples';
import type { Action, View } from './types.gen';

const play = vi.fn();
beforeEach(() => void play.mockClear());

const NAMES = ['Anne', 'Paul', 'Zoé', 'Luc', 'Noor', 'Ida', 'Max', 'Léo'];

function show(now: View, legal: Action[] = [], change: Partial<BoardProps<View, Action>> = {}) {
  const props = boardProps(now, {
    seat: now.seat,
    seats: NAMES.slice(0, now.seats.length).map((name) => person(name)),
    turn: { must: now.waiting, stage: now.stage },
    offer: legal.length ? offer(...legal) : null,
    play,
    ...change,
  });
  return render(Board, props);
}

const cell = (seat: number, at: number) =>
  screen.getAllByTestId('cell').find((one) => one.dataset.seat === String(seat) && one.dataset.cell === String(at))!;
const lit = (seat: number) =>
  screen
    .getAllByTestId('cell')
    .filter((one) => one.dataset.seat === String(seat) && one.classList.contains('lit'))
    .map((one) => Number(one.dataset.cell));
const prompt = () =>
  screen
    .getByTestId('prompt')
    .textContent.replace(/[\u202f\u00a0]/g, ' ')
    .trim();
const click = (id: string) => fireEvent.click(screen.getByTestId(id));

describe('the first choice', () => {
  const CHOOSE = view({ stage: 'choose', to_act: null, waiting: [0, 1, 2] });
  const legal: Action[] = [];
  for (let a = 0; a < 12; a++) for (let b = a + 1; b < 12; b++) legal.push({ type: 'choose', cells: [a, b] });

  it('takes two cards, which may be changed until they are turned', async () => {
    show(CHOOSE, legal);
    expect(lit(0)).toHaveLength(12);
    await fireEvent.click(cell(0, 7));
    expect(screen.getByTestId<HTMLButtonElement>('confirm').disabled).toBe(true);
    await fireEvent.click(cell(0, 2));
    await fireEvent.click(cell(0, 2));
    await fireEvent.click(cell(0, 3));
    expect(play).not.toHaveBeenCalled();
    await click('confirm');
    expect(play).toHaveBeenCalledWith({ type: 'choose', cells: [3, 7] });
  });

  it('is not lost when somebody else chooses first', async () => {
    const { rerender } = show(CHOOSE, legal);
    await fireEvent.click(cell(0, 7));
    const waiting = [0, 2];
    await rerender({ view: { ...CHOOSE, waiting }, offer: { ...offer(...legal), number: 2 }, ply: 2 });
    await fireEvent.click(cell(0, 3));
    await click('confirm');
    expect(play).toHaveBeenCalledWith({ type: 'choose', cells: [3, 7] });
  });

  it('waits for the others by name', () => {
    show({ ...CHOOSE, waiting: [1, 2], chosen: [3, 7], seats: CHOOSE.seats.with(0, seatView({ ready: true })) });
    expect(prompt()).toBe('Choix fait. En attente de Paul et Zoé.');
  });
});

describe('a turn', () => {
  it('begins with one of three piles, touched or by key', async () => {
    show(view(), [
      { type: 'draw', source: 'deck' },
      { type: 'draw', source: 'discard' },
      { type: 'draw', source: 'action' },
    ]);
    await click('pile-discard');
    await fireEvent.keyDown(document.body, { key: 'a' });
    expect(play.mock.calls).toEqual([[{ type: 'draw', source: 'discard' }], [{ type: 'draw', source: 'action' }]]);
  });

  const HELD = view({
    stage: 'decide',
    held: { seat: 0, source: 'deck', card: 3, action: null, known: 0 },
    seats: view().seats.with(0, seatView({ cells: cells('? 4 ? ? . 5 ? ? . 6 ? ?') })),
  });
  const places: Action[] = [0, 1, 2, 3, 5, 6, 7, 9, 10, 11].map((at) => ({ type: 'place', cell: at }));

  it('places the drawn card with one touch, never on an empty place', async () => {
    show(HELD, [...places, { type: 'discard' }]);
    await fireEvent.click(cell(0, 4));
    expect(play).not.toHaveBeenCalled();
    await fireEvent.click(cell(0, 5));
    expect(play).toHaveBeenCalledWith({ type: 'place', cell: 5 });
  });

  it('discards on the discard pile, with its button and by key', async () => {
    show(HELD, [...places, { type: 'discard' }]);
    await click('pile-discard');
    await click('discard');
    await fireEvent.keyDown(document.body, { key: 'd' });
    expect(play.mock.calls).toEqual([[{ type: 'discard' }], [{ type: 'discard' }], [{ type: 'discard' }]]);
  });

  it('says why a card taken from the discard must be placed', async () => {
    show({ ...HELD, held: { ...HELD.held!, source: 'discard' } }, places);
    expect(screen.queryByTestId('discard')).toBeNull();
    await click('pile-discard');
    expect(prompt()).toBe('Une carte prise à la défausse se pose sur votre grille.');
  });

  it('asks twice before the last hidden card ends the manche, and lets one go back', async () => {
    const last = {
      ...HELD,
      seats: HELD.seats.with(0, seatView({ cells: cells('1 2 3 4 5 6 7 8 9 10 11 ?'), hidden: 1 })),
    };
    show(last, [
      { type: 'place', cell: 11 },
      { type: 'place', cell: 0 },
    ]);
    await fireEvent.click(cell(0, 11));
    expect(play).not.toHaveBeenCalled();
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    await fireEvent.click(cell(0, 11));
    await click('confirm');
    expect(play.mock.calls).toEqual([[{ type: 'place', cell: 11 }]]);
  });

  it('ends when its player says so', async () => {
    show(view({ stage: 'play', stock: ['skip'] }), [{ type: 'action', card: 'skip' }, { type: 'end_turn' }]);
    await click('end-turn');
    expect(play).toHaveBeenCalledWith({ type: 'end_turn' });
  });
});

describe('an action card', () => {
  const swaps: Action[] = [0, 1].flatMap((own) =>
    [1, 2].flatMap((seat) =>
      [8, 9].map((target_cell): Action => ({ type: 'action', card: 'swap', cell: own, seat, target_cell })),
    ),
  );
  const PLAY = view({ stage: 'play', stock: ['swap', 'shield', 'skip'] });

  it('is aimed step by step with everything eligible lit, and confirmed', async () => {
    show(PLAY, [...swaps, { type: 'action', card: 'skip' }, { type: 'end_turn' }]);
    await fireEvent.click(screen.getAllByTestId('stock-card')[0]!);
    expect(lit(0)).toEqual([0, 1]);
    await fireEvent.click(cell(0, 1));
    expect([1, 2].map((seat) => screen.getByTestId(`tile-${seat}`).dataset.lit)).toEqual(['true', 'true']);
    await click('tile-2');
    expect(lit(2)).toEqual([8, 9]);
    await fireEvent.click(cell(2, 9));
    expect(prompt()).toContain('chez Zoé');
    expect(play).not.toHaveBeenCalled();
    await click('confirm');
    expect(play).toHaveBeenCalledWith({ type: 'action', card: 'swap', cell: 1, seat: 2, target_cell: 9 });
  });

  it('is put back with Escape, one choice at a time', async () => {
    show(PLAY, [...swaps, { type: 'end_turn' }]);
    await fireEvent.keyDown(document.body, { key: '1' });
    await fireEvent.click(cell(0, 1));
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(lit(0)).toEqual([0, 1]);
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.getByTestId('end-turn')).toBeTruthy();
  });

  it('without a target is confirmed too', async () => {
    show(PLAY, [{ type: 'action', card: 'skip' }, { type: 'end_turn' }]);
    await fireEvent.click(screen.getAllByTestId('stock-card')[2]!);
    await click('confirm');
    expect(play.mock.calls).toEqual([[{ type: 'action', card: 'skip' }]]);
  });

  it('that only answers attacks says so', async () => {
    show(PLAY, [...swaps, { type: 'end_turn' }]);
    await fireEvent.click(screen.getAllByTestId('stock-card')[1]!);
    expect(prompt()).toContain('en réponse');
  });

  it('hits a column, whichever of its cards is touched', async () => {
    show(
      view({ stage: 'play', stock: ['heal'] }),
      [0, 2].map((column): Action => ({ type: 'action', card: 'heal', column })),
    );
    await fireEvent.click(screen.getByTestId('stock-card'));
    expect(lit(0)).toEqual([0, 2, 4, 6, 8, 10]);
    await fireEvent.click(cell(0, 6));
    await click('confirm');
    expect(play).toHaveBeenCalledWith({ type: 'action', card: 'heal', column: 2 });
  });

  it('is played or kept when it is drawn, and thrown when there are too many', async () => {
    const drawn = view({
      stage: 'action',
      held: { seat: 0, source: 'action', card: null, action: 'skip', known: 0 },
      stock: ['peek', 'heal', 'heal'],
    });
    const { unmount } = show(drawn, [{ type: 'action', card: 'skip' }, { type: 'store' }]);
    await click('store');
    unmount();
    show(drawn, [
      { type: 'action', card: 'skip' },
      { type: 'throw', card: 'skip' },
      { type: 'throw', card: 'peek' },
      { type: 'throw', card: 'heal' },
    ]);
    await fireEvent.click(screen.getAllByTestId('stock-card')[0]!);
    await click('confirm');
    await click('throw');
    await click('confirm');
    expect(play.mock.calls).toEqual([
      [{ type: 'store' }],
      [{ type: 'throw', card: 'peek' }],
      [{ type: 'throw', card: 'skip' }],
    ]);
  });

  it('given is aimed without being picked first', async () => {
    const gifts: Action[] = [1, 2].map((seat): Action => ({ type: 'action', card: 'gift', seat, target_cell: 0 }));
    show(view({ stage: 'gift', held: { seat: 0, source: 'gift', card: 12, action: null, known: 0 } }), gifts);
    expect(prompt()).toBe('Cadeau : 12, pour qui ?');
    await click('tile-1');
    await fireEvent.click(cell(1, 0));
    await click('confirm');
    expect(play).toHaveBeenCalledWith(gifts[0]);
  });

  it('sorts the top of the deck', async () => {
    show(view({ stage: 'scout', top: [3, 9, -1] }), [{ type: 'action', card: 'scout', order: [0, 1, 2] }]);
    await fireEvent.keyDown(screen.getAllByTestId('scout-card')[2]!, { key: 'ArrowLeft' });
    await fireEvent.keyDown(screen.getAllByTestId('scout-card')[1]!, { key: 'ArrowLeft' });
    await click('scout-put');
    expect(play).toHaveBeenCalledWith({ type: 'action', card: 'scout', order: [2, 0, 1] });
  });
});

it('keeps a peeked card in view, also when the turn passes', () => {
  const seats = view().seats.with(1, seatView({ peeked: [{ cell: 4, by: [0], card: 9 }] }));
  const peek = event('hit', { seat: 0, target: 1, action: 'peek', target_cell: 4 });
  show(view({ seats, to_act: 2, waiting: [2], events: [peek] }), [], { previous: view() });
  expect(screen.getByTestId('pane-looked').dataset.seat).toBe('1');
  expect(prompt()).toContain('Vous voyez 9 chez Paul');
});

describe('an attack', () => {
  const ATTACK = view({
    stage: 'react',
    to_act: 1,
    waiting: [0],
    stock: ['shield', 'mirror'],
    attack: { seat: 1, target: 0, card: 'curse', cell: null, target_cell: null, column: 2 },
  });

  it('shows what it is and where it hits, and is shielded', async () => {
    show(ATTACK, [
      { type: 'react', answer: 'accept' },
      { type: 'react', answer: 'shield' },
    ]);
    expect(screen.getByTestId('reaction').textContent).toContain('votre colonne 3');
    expect([2, 6, 10].every((at) => cell(0, at).classList.contains('aimed'))).toBe(true);
    expect(screen.queryByTestId('react-mirror')).toBeNull();
    await click('react-shield');
    expect(play).toHaveBeenCalledWith({ type: 'react', answer: 'shield' });
  });

  it('is turned on the attacker with a mirror, which is aimed', async () => {
    show(ATTACK, [
      { type: 'react', answer: 'accept' },
      ...[0, 1].map((column): Action => ({ type: 'react', answer: 'mirror', column })),
    ]);
    await click('react-mirror');
    expect(lit(1)).toEqual([0, 1, 4, 5, 8, 9]);
    await fireEvent.click(cell(1, 5));
    await click('confirm');
    expect(play).toHaveBeenCalledWith({ type: 'react', answer: 'mirror', column: 1 });
  });

  it('on somebody else is told to the table', () => {
    show({ ...ATTACK, attack: { ...ATTACK.attack!, target: 2 }, waiting: [2] });
    expect(prompt()).toBe('Paul attaque avec Malédiction : la colonne 3 chez Zoé. Réponse attendue.');
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('2');
  });
});

describe('the view', () => {
  const EIGHT = view({ seats: Array.from({ length: 8 }, () => seatView()), to_act: 5, waiting: [5] });

  it('follows the active player, returns to one’s own grid with one tap, and follows again', async () => {
    const { container } = show(EIGHT);
    const board = container.querySelector('.ojyx')!;
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('5');
    expect(board.classList.contains('on-own')).toBe(false);
    await click('tile-0');
    expect(board.classList.contains('on-own')).toBe(true);
    await click('tile-3');
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('3');
    await click('follow');
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('5');
  });

  it('stays where it is when it follows nobody, and remembers that', async () => {
    const { rerender } = show(EIGHT);
    await click('follow');
    expect(screen.getByTestId('follow').getAttribute('aria-pressed')).toBe('false');
    await rerender({ view: { ...EIGHT, to_act: 6, waiting: [6] }, ply: 2 });
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('5');
    expect(settings.follow).toBe(false);
    await click('follow');
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('6');
  });

  it('shows a spectator every grid, and the active player’s large', () => {
    show({ ...EIGHT, seat: null }, [], { seat: null });
    expect(screen.queryByTestId('pane-own')).toBeNull();
    expect(screen.getByTestId('pane-looked').dataset.seat).toBe('5');
    expect(screen.getAllByTestId(/^tile-/)).toHaveLength(8);
    expect(screen.queryByTestId('stock')).toBeNull();
  });

  it('names every place and what is known of it', () => {
    const grid = seatView({
      cells: cells('7 ? ? . ? ? ? . ? ? ? .'),
      peeked: [
        { cell: 1, by: [0], card: -2 },
        { cell: 2, by: [2], card: null },
      ],
      curses: [1, 0, 0, 0],
    });
    show(view({ seats: view().seats.with(1, grid), to_act: 1, waiting: [1] }));
    const label = (at: number) =>
      cell(1, at)
        .getAttribute('aria-label')!
        .replace(/[\u202f\u00a0]/g, ' ');
    expect(label(0)).toBe('colonne 1, rangée 1 : 7, face visible, colonne ×2');
    expect(label(1)).toBe('colonne 2, rangée 1 : face cachée, connue de vous : −2');
    expect(label(2)).toContain('déjà regardée');
    expect(label(3)).toContain('place vide');
  });

  it('is walked with the arrows', async () => {
    show(view(), [{ type: 'draw', source: 'deck' }]);
    cell(0, 0).focus();
    await fireEvent.keyDown(cell(0, 0), { key: 'ArrowDown' });
    await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(cell(0, 5));
  });

  it('says who ended the manche', () => {
    show(view({ ending: true, initiator: 2 }));
    expect(screen.getByTestId('ending').textContent).toContain('Zoé');
  });

  it('lists every card of the deck that is played', async () => {
    show(view({ options: { deck: 'extended' } }));
    await click('cards-open');
    expect(screen.getByTestId('cards').querySelectorAll('.list li')).toHaveLength(21);
  });
});

describe('the end of a manche', () => {
  const tables = Array.from({ length: 3 }, () => ({
    cells: cells('1 2 3 4 1 2 3 4 1 2 3 5'),
    turned: [11],
    columns: [3, 6, 9, 13],
  }));
  const ENDED = view({
    stage: 'vote',
    to_act: null,
    waiting: [0, 2],
    results: [{ scores: [62, 30, 31], initiator: 0, doubled: true }],
    tables,
  });

  it('shows the grids, the penalty and the vote', async () => {
    show(
      ENDED,
      [
        { type: 'vote', go_on: true },
        { type: 'vote', go_on: false },
      ],
      { previous: view() },
    );
    expect(screen.getByTestId('doubled').textContent).toContain('doublé');
    expect(screen.getByTestId('manche-end').querySelectorAll('li')).toHaveLength(3);
    await click('vote-stop');
    await click('vote-on');
    expect(play.mock.calls).toEqual([[{ type: 'vote', go_on: false }], [{ type: 'vote', go_on: true }]]);
  });

  it('waits for the other votes by name', () => {
    show({ ...ENDED, waiting: [2], vote: 'on' });
    expect(screen.getByTestId('vote-waiting').textContent.replace(/\s+/g, ' ')).toContain(
      'Vous continuez. En attente de Zoé.',
    );
  });
});

it('lets a column dissolve where it was', () => {
  const before = view({ seats: view().seats.with(0, seatView({ cells: cells('7 ? ? ? 7 ? ? ? ? ? ? ?') })) });
  const after = view({
    seats: view().seats.with(0, seatView({ cells: cells('. ? ? ? . ? ? ? . ? ? ?') })),
    events: [event('cleared', { seat: 0, column: 0, card: 7 })],
  });
  show(after, [], { previous: before });
  expect(cell(0, 4).querySelector('.ghost')).toBeTruthy();
  expect(cell(0, 5).querySelector('.ghost')).toBeNull();
});

describe('the keyboard alone', () => {
  it('picks a card, is taken from choice to choice, and confirms', async () => {
    const swaps: Action[] = [0, 1].flatMap((own) =>
      [1, 2].flatMap((seat) =>
        [8, 9].map((target_cell): Action => ({ type: 'action', card: 'swap', cell: own, seat, target_cell })),
      ),
    );
    show(view({ stage: 'play', stock: ['swap'] }), [...swaps, { type: 'end_turn' }]);
    await fireEvent.keyDown(document.body, { key: '1' });
    expect(document.activeElement).toBe(cell(0, 0));
    await fireEvent.click(cell(0, 0));
    expect(document.activeElement).toBe(screen.getByTestId('tile-1'));
    await fireEvent.click(screen.getByTestId('tile-1'));
    expect(document.activeElement).toBe(cell(1, 8));
    await fireEvent.click(cell(1, 8));
    await fireEvent.keyDown(cell(1, 8), { key: 'Enter' });
    expect(play).toHaveBeenCalledWith({ type: 'action', card: 'swap', cell: 0, seat: 1, target_cell: 8 });
  });
});

describe('what a card does', () => {
  const SHOWN = view({ stage: 'play', stock: ['heal'] });
  const legal: Action[] = [{ type: 'action', card: 'heal', column: 0 }, { type: 'end_turn' }];

  it('is said to who hovers or looks with the keyboard', async () => {
    vi.useFakeTimers();
    show(SHOWN, legal);
    const button = screen.getByTestId('stock-card');
    expect(document.getElementById(button.getAttribute('aria-describedby')!)!.textContent).toContain('moitié');
    await fireEvent.pointerEnter(button.closest('.explained')!, { pointerType: 'mouse' });
    await vi.advanceTimersByTimeAsync(400);
    expect(screen.getByTestId('explained').textContent).toContain('Soin');
    vi.useRealTimers();
  });

  it('is said to a long press, which chooses nothing', async () => {
    vi.useFakeTimers();
    show(SHOWN, legal);
    const button = screen.getByTestId('stock-card');
    await fireEvent.pointerDown(button, { pointerType: 'touch' });
    await vi.advanceTimersByTimeAsync(500);
    expect(screen.getByTestId('explained').textContent).toContain('moitié');
    await fireEvent.pointerUp(button, { pointerType: 'touch' });
    await fireEvent.click(button);
    expect(screen.queryByTestId('cancel')).toBeNull();
    await fireEvent.click(button);
    expect(screen.getByTestId('cancel')).toBeTruthy();
    vi.useRealTimers();
  });
});
