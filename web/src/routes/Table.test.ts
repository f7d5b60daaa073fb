import { configure, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { person } from '../core/examples';
import { me } from '../core/me.svelte';
import type { Outcome, SeatInfo, ServerFrame, StateFrame, TableFrame } from '../core/types.gen';
import '../games/kora';
import { view } from '../games/kora/examples';
import { spoken } from '../ui/announcer.svelte';
import { toasts } from '../ui/toasts.svelte';
import Table from './Table.svelte';

configure({ asyncUtilTimeout: 4_000 });

class FakeSocket {
  static OPEN = 1;
  static last: FakeSocket;
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    FakeSocket.last = this;
  }
  send(data: string) {
    this.sent.push(JSON.parse(data));
  }
  close() {}
}

const ANNE = { id: 'anne', name: 'Anne', avatar: 1 };
const EMPTY: SeatInfo = { ...person(''), kind: 'empty', person: null };
const BOTH = [person('Anne'), person('Zoé')];
const table = (more: Partial<TableFrame> = {}): TableFrame => ({
  type: 'table',
  code: 'ABCDEF',
  game: 'kora',
  options: {},
  public: false,
  status: 'playing',
  match: 1,
  seats: BOTH,
  players: BOTH,
  host: 'anne',
  you: 0,
  yours: [0],
  view_seat: 0,
  leaving: 'ends',
  watchers: 0,
  move_time: null,
  pace: null,
  grace: 120,
  rated: false,
  found: false,
  watchable: true,
  takes_back: false,
  advice: false,
  advisable: null,
  advised: [],
  paused: false,
  proposal: null,
  branch: null,
  commit: 'c0',
  proof: null,
  ...more,
});
const state = (outcome: Outcome | null = null): StateFrame => ({
  type: 'state',
  match: 1,
  ply: 0,
  view: view({ hand: [{ card: '3H', playable: true }] }),
  turn: { must: outcome ? [] : [0], stage: 'play' },
  offer: null,
  outcome,
  clocks: null,
  rewinds: 0,
  missed: [],
});
const WON: Outcome = { scores: [110, 90], places: [1, 2], reason: 'deals' };
const ENDED: Outcome = { scores: [0, 0], places: [1, 1], reason: 'ended' };

async function tell(...frames: ServerFrame[]) {
  for (const frame of frames) FakeSocket.last.onmessage!({ data: JSON.stringify(frame) });
  await tick();
}

/** The page of a table, after the frames that it gets on arrival. */
async function open(...frames: ServerFrame[]) {
  const page = render(Table, { code: 'ABCDEF' });
  await waitFor(() => expect(FakeSocket.last).toBeDefined());
  await tell(...frames);
  return page;
}

const said = () => toasts.map((one) => one.text);
const asked = (type: string) =>
  FakeSocket.last.sent.filter((frame) => frame.type === type).map(({ id: _, ...frame }) => frame);

beforeEach(() => {
  FakeSocket.last = undefined as unknown as FakeSocket;
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('fetch', async (path: string) => Response.json(path === '/api/me' ? ANNE : []));
  me.current = ANNE;
  toasts.splice(0);
});

afterEach(() => {
  history.replaceState(null, '', '/table/ABCDEF');
  vi.unstubAllGlobals();
});

describe('a match that was stopped', () => {
  it('has no winner, no places and the points as they stood', async () => {
    await open(table(), state());
    await screen.findByTestId('felt');
    expect(document.querySelector('[data-playable="true"]')).not.toBeNull();
    await tell(table({ status: 'over' }), state(ENDED));
    const result = await screen.findByTestId('result');
    expect(screen.getByRole('heading', { level: 2, name: 'Partie arrêtée d’un commun accord' })).toBeTruthy();
    expect(result.querySelector('.ranking, .place')).toBeNull();
    expect(result.textContent).not.toContain('Égalité');
    expect(result.textContent).not.toContain('gagne');
    expect(result.querySelector('table')).not.toBeNull();
    // The game itself does not know: nothing on its board is lit any more.
    expect(document.querySelector('[data-playable="true"]')).toBeNull();
    expect(document.body.textContent).not.toMatch(/à vous/i);
  });
});

describe('a match that the deal decides', () => {
  const over = (match: number) => [table({ status: 'over', match }), { ...state(WON), match }] as const;

  it('shows its result to the guest who waited and to the host who filled the table', async () => {
    const room = { status: 'waiting' as const, match: 0, seats: [person('Anne'), EMPTY], players: [], view_seat: null };
    await open(table(room));
    await tell(table({ ...room, seats: BOTH }), ...over(1));
    await screen.findByTestId('result');
    await tell(table({ status: 'over', seats: [person('Anne'), EMPTY] }));
    await fireEvent.click(screen.getByTestId('rearrange'));
    expect(screen.queryByTestId('result')).toBeNull();
    await tell(...over(2));
    await screen.findByTestId('result');
  });
});

describe('the result', () => {
  const over = (outcome: Outcome, change: Partial<TableFrame> = {}) =>
    open(table({ status: 'over', leaving: null, ...change }), state(outcome));

  it.each([
    [{ scores: [110, 90], places: [1, 2], reason: 'deals' }, {}, 'won', 'Vous gagnez'],
    [{ scores: [90, 110], places: [2, 1], reason: 'deals' }, {}, 'lost', 'Zoé gagne'],
    [{ scores: [100, 100], places: [1, 1], reason: 'deals' }, {}, 'drawn', 'Égalité'],
    [WON, { you: null, view_seat: null }, 'watched', 'Anne gagne'],
    [ENDED, {}, 'stopped', 'Partie arrêtée d’un commun accord'],
  ] as const)('has a mood of its own: %j %j', async (outcome, change, mood, words) => {
    await over(outcome as unknown as Outcome, change);
    const result = await screen.findByTestId('result');
    expect([result.dataset.mood, result.querySelector('h2')!.textContent]).toEqual([mood, words]);
    expect(result.querySelectorAll('.laurel')).toHaveLength(mood === 'won' ? 1 : 0);
    // Nothing moves if motion is reduced, as it is in these tests.
    expect(screen.queryByTestId('leaves')).toBeNull();
  });

  it('stands in the panel: the final position stays, and the result can be folded away', async () => {
    await over(WON);
    await screen.findByTestId('result');
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Résultat');
    const handle = screen.getByRole('button', { name: /Fermer le panneau/ });
    expect(screen.getByTestId('felt')).toBeTruthy();
    await fireEvent.click(handle);
    expect(handle.getAttribute('aria-expanded')).toBe('false');
    expect(handle.textContent).toContain('Vous gagnez');
  });

  it('shows the offer of a rematch in large letters', async () => {
    await over(WON, { seats: [person('Anne'), person('Zoé', { rematch: true })] });
    const status = await screen.findByTestId('rematch-status');
    expect([status.classList.contains('called'), status.textContent?.trim()]).toEqual([
      true,
      'Zoé propose une revanche.',
    ]);
  });
});

describe('a rematch', () => {
  const over = (mine: Partial<SeatInfo>, theirs: Partial<SeatInfo> = {}) =>
    table({ status: 'over', leaving: null, seats: [person('Anne', mine), person('Zoé', theirs)] });

  it('is asked for, taken back, and begun once everyone has asked', async () => {
    await open(over({}), state(WON));
    await fireEvent.click(await screen.findByTestId('rematch'));
    expect(asked('rematch')).toEqual([{ type: 'rematch' }]);
    await tell(over({ rematch: true }));
    expect(screen.getByTestId('result').textContent).toContain('En attente de Zoé');
    await fireEvent.click(screen.getByTestId('rematch-withdraw'));
    expect(asked('rematch').at(-1)).toEqual({ type: 'rematch', wanted: false });
    await tell(over({ rematch: true }, { rematch: true }));
    await fireEvent.click(screen.getByTestId('rematch'));
    expect(asked('rematch').at(-1)).toEqual({ type: 'rematch' });
  });

  it('needs a full table if somebody left, and the result still names them', async () => {
    await open(over({ rematch: true }), state(WON));
    await tell(table({ status: 'over', seats: [person('Anne', { rematch: true }), EMPTY] }));
    const result = await screen.findByTestId('result');
    expect(result.textContent).toContain('Zoé');
    await fireEvent.click(screen.getByTestId('rearrange'));
    expect(screen.queryByTestId('result')).toBeNull();
    await fireEvent.click(await screen.findByTestId('show-result'));
    expect(screen.getByTestId('result')).toBeTruthy();
  });

  it('does not begin without the players who still look at the result', async () => {
    await open(table({ status: 'over', seats: [person('Anne'), EMPTY] }), state(WON));
    await fireEvent.click(await screen.findByTestId('rearrange'));
    const luc = (rematch: boolean) => table({ status: 'over', seats: [person('Anne'), person('Luc', { rematch })] });
    await tell(luc(false));
    expect((await screen.findByTestId<HTMLButtonElement>('start')).disabled).toBe(true);
    await tell(luc(true));
    expect(screen.getByTestId<HTMLButtonElement>('start').disabled).toBe(false);
  });

  it('shows a seat and no result to a visitor after the match', async () => {
    const later = {
      status: 'over' as const,
      view_seat: null,
      players: [person('Léo'), person('Zoé')],
      host: 'zoé',
    } satisfies Partial<TableFrame>;
    await open(table({ ...later, you: null, seats: [EMPTY, person('Zoé')] }), state(WON));
    await fireEvent.click(await screen.findByTestId('sit'));
    expect(asked('sit')).toEqual([{ type: 'sit' }]);
    await tell(table({ ...later, you: 0, seats: [person('Anne', { rematch: true }), person('Zoé')] }));
    expect(screen.queryByTestId('result')).toBeNull();
    expect(screen.getByTestId('rematch').textContent).toContain('Retirer');
  });

  it.each([
    ['/', 1],
    ['/partie/ABCDEF-1', 0],
  ])('does not wait for a player who goes to %s', async (path, left) => {
    const { unmount } = await open(over({}), state(WON));
    await screen.findByTestId('result');
    history.pushState(null, '', path);
    unmount();
    expect(asked('leave')).toHaveLength(left);
  });
});

describe('what one proposed', () => {
  it.each([
    ['refused', 1, 'Zoé a refusé.'],
    ['unanswered', null, 'Personne n’a répondu à temps.'],
    ['back', 1, 'Zoé est de retour\u202f: la partie continue.'],
    ['overtaken', 1, 'La partie a continué\u202f: la proposition ne tient plus.'],
  ] as const)('says why it will not happen: %s', async (how, by, words) => {
    await open(table(), state(), { type: 'settled', kind: 'end', seat: 0, how, by });
    expect((await screen.findByTestId('cloth-event')).textContent).toBe(words);
    expect(screen.getByTestId('moves').textContent).toBe(words);
  });
});

it('does not tell people that they said no themselves', async () => {
  await open(table(), state(), { type: 'settled', kind: 'end', seat: 1, how: 'refused', by: 0 });
  expect(screen.queryByTestId('cloth-event')).toBeNull();
});

describe('events on the cloth', () => {
  const zoe = (change: Partial<SeatInfo>) => {
    const seats = [person('Anne'), person('Zoé', change)];
    return table({ seats, players: seats });
  };
  const event = () => screen.findByTestId('cloth-event');

  it('a player who is cut off, with the time to come back, and who is back', async () => {
    await open(table(), state());
    await tell(zoe({ presence: 'offline', away: 90 }));
    const bar = await screen.findByTestId('absent');
    expect(bar.textContent).toMatch(/Zoé a perdu la connexion\..*la partie s’arrêtera.*1:30/);
    // The bar is a live region itself: nothing is read out twice.
    expect(bar.closest('[role=status]')).not.toBeNull();
    expect(spoken.some((one) => one.text.includes('Zoé a perdu'))).toBe(false);
    await tell(zoe({}));
    expect((await event()).textContent).toBe('Zoé est de retour.');
    expect(spoken.filter((one) => one.text === 'Zoé est de retour.')).toHaveLength(1);
    expect(screen.queryByTestId('absent')).toBeNull();
    expect(screen.getByTestId('moves').textContent).toBe('Zoé est de retour.Zoé a perdu la connexion.');
  });

  it('a card that the clock played for the reader', async () => {
    await open(table(), state());
    await screen.findByTestId('felt');
    const step = { ply: 1, seat: 0, action: { type: 'play', card: '3H' }, cause: 'clock' };
    await tell({ ...state(), type: 'moved', step, reply: null } as unknown as ServerFrame);
    const shown = await event();
    expect([shown.textContent, shown.dataset.tone]).toEqual(['Temps écoulé. Vous jouez le trois de cœur.', 'warn']);
  });

  const moved = (ply: number, seat: number, stake: number, outcome: Outcome | null = null) => {
    const step = { ply, seat, action: { type: 'propose', stake }, cause: null };
    return { ...state(outcome), type: 'moved', ply, step, reply: null } as unknown as ServerFrame;
  };

  it('what another player chose, not what the reader chose', async () => {
    await open(table(), state());
    await screen.findByTestId('felt');
    await tell(moved(1, 0, 20));
    expect(screen.queryByTestId('cloth-event')).toBeNull();
    expect(screen.getByTestId('moves').textContent).toContain('Vous proposez 20');
    await tell(moved(2, 1, 40));
    expect((await event()).textContent).toContain('Zoé propose 40');
  });

  it('goes when the match is over', async () => {
    await open(table(), state());
    await screen.findByTestId('felt');
    await tell(moved(1, 1, 40));
    await event();
    await tell(moved(2, 1, 50, WON));
    expect(screen.queryByTestId('cloth-event')).toBeNull();
  });

  it('a turn that comes calls somebody back to the hidden tab', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await open(table(), { ...state(), turn: { must: [1], stage: 'play' } });
    await screen.findByTestId('felt');
    const step = { ply: 1, seat: 1, action: { type: 'play', card: '5H' }, cause: null };
    await tell({ ...state(), type: 'moved', step, reply: null } as unknown as ServerFrame);
    await waitFor(() => expect(document.title).toBe('● À vous de jouer'));
    expect(screen.getByTestId('seat-0').dataset.turn).toBe('true');
    hidden.mockRestore();
  });

  it('a friend who sits down in the waiting room, also in the title of a hidden tab', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const room = { status: 'waiting' as const, match: 0, players: [], view_seat: null };
    await open(table({ ...room, seats: [person('Anne'), EMPTY] }));
    await tell(table({ ...room, seats: BOTH }));
    expect((await event()).textContent).toBe('Zoé prend place à la table.');
    expect(document.title).toBe('Zoé prend place à la table.');
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await tick();
    expect(document.title).not.toContain('Zoé');
    hidden.mockRestore();
  });
});

describe('trouble at the server', () => {
  it('says that a move cannot be saved until it can', async () => {
    await open(table(), state(), { type: 'storage', works: false });
    expect((await screen.findByTestId('banner')).textContent).toContain('n’arrive pas à enregistrer');
    await tell({ type: 'storage', works: true });
    expect(screen.queryByTestId('banner')).toBeNull();
  });

  it('names a bot that failed only once, however often it fails', async () => {
    const players = [person('Anne'), person('', { kind: 'bot', person: null, level: 'facile' })];
    await open(table({ players, seats: players }), state());
    await tell({ type: 'bot_failed', seat: 1 });
    await tell({ type: 'bot_failed', seat: 1 });
    expect(said()).toEqual([expect.stringMatching(/.+ est en panne\u202f: la table joue à sa place\./)]);
  });
});

describe('who lets the others wait', () => {
  it('is marked, may be replaced, and sees a warning', async () => {
    await open(table(), state());
    await screen.findByTestId('felt');
    const idle = (...seats: SeatInfo[]) => table({ seats, players: seats });
    await tell(idle(person('Anne'), person('Zoé', { presence: 'idle' })));
    expect(screen.getByTestId('seat-1').textContent).toContain('Inactif');
    await fireEvent.click(screen.getByTestId('menu'));
    await fireEvent.click(screen.getByTestId('propose-replace'));
    expect(asked('propose')).toEqual([{ type: 'propose', kind: 'replace', seat: 1 }]);
    expect(said()).toEqual([]);
    for (let i = 0; i < 2; i++) await tell(idle(person('Anne', { presence: 'idle' }), person('Zoé')));
    expect(said()).toEqual([expect.stringContaining('On vous attend')]);
  });

  it('no longer sees the warning after the match', async () => {
    await open(table({ seats: [person('Anne', { presence: 'idle' }), person('Zoé')] }), state());
    expect(said()).toHaveLength(1);
    await tell(state(ENDED), table({ status: 'over' }));
    expect(said()).toEqual([]);
  });
});

describe('leaving', () => {
  it.each([
    ['ends', 'elle s’arrête pour tout le monde', 'Abandonner'],
    ['goes_on', 'Les autres continuent sans vous', 'Abandonner'],
    ['held', 'L’ordinateur joue à votre place', 'Quitter'],
  ] as const)('says what becomes of the match: %s', async (leaving, words, confirm) => {
    await open(table({ leaving }), state());
    await fireEvent.click(await screen.findByTestId('leave'));
    const button = await screen.findByTestId('leave-confirm');
    expect(button.textContent).toBe(confirm);
    expect(button.closest('dialog')!.textContent).toContain(words);
  });
});

describe('alone with bots', () => {
  const bot: SeatInfo = { ...person(''), kind: 'bot', person: null, level: 'facile' };
  const menu = async (ply: number, other: SeatInfo) => {
    await open(table({ seats: [person('Anne'), other] }), { ...state(), ply });
    await fireEvent.click(await screen.findByTestId('menu'));
    await screen.findByTestId('propose-pause');
    return screen.queryByTestId('propose-end');
  };

  it('a match under way is left, not stopped', async () => {
    expect(await menu(2, bot)).toBeNull();
    expect(document.body.textContent).toContain('elle compte comme perdue');
  });

  it.each([
    ['that has only begun', 1, bot],
    ['with somebody else', 9, person('Zoé')],
  ])('a match %s can be stopped', async (_, ply, other) => {
    expect(await menu(ply, other)).not.toBeNull();
  });
});

it.each([
  [4410, 'banished'],
  [4413, 'missing'],
])('says why the table is closed for good: %i', async (code, why) => {
  await open();
  FakeSocket.last.onclose!({ code });
  expect((await screen.findByTestId('gone')).dataset.why).toBe(why);
  expect(document.body.textContent).not.toContain('gone.');
});

it.each([
  ['lexicon', 'Liste de mots absente'],
  ['map', 'Ressource absente'],
])('a match whose resource is missing says so in the words of the game, if it has any: %s', async (kind, words) => {
  await open();
  await tell({ type: 'refused', code: 'missing_resource', values: { kind, name: 'n', problem: 'p' }, reply: null });
  FakeSocket.last.onclose!({ code: 4413 });
  expect((await screen.findByTestId('gone')).textContent).toContain(words);
});

describe('an announcement', () => {
  it('reaches the table, can be closed, and ends with the restart', async () => {
    await open(table(), state(), { type: 'notice', text: 'Redémarrage à 22 h', at: 1 });
    expect((await screen.findByTestId('notice')).textContent).toContain('22 h');
    await fireEvent.click(screen.getByTestId('notice-close'));
    expect(screen.queryByTestId('notice')).toBeNull();
    await tell({ type: 'notice', text: 'Redémarrage à 22 h', at: 1 });
    expect(screen.queryByTestId('notice')).toBeNull();
    await tell({ type: 'notice', text: 'Plutôt à 23 h', at: 2 });
    expect(screen.getByTestId('notice').textContent).toContain('23 h');
    await tell({ type: 'notice', text: '', at: 0 });
    expect(screen.queryByTestId('notice')).toBeNull();
  });
});

describe('who lets the others wait', () => {
  const proposal = { kind: 'end' as const, seat: 1, target: null, asked: [], yes: [], about: [0], seconds: 60 };

  it('can say that they are here', async () => {
    await open(table({ proposal }), state());
    expect((await screen.findByTestId('proposal')).textContent).toContain('Jouez, ou dites que vous êtes là.');
    await fireEvent.click(screen.getByTestId('proposal-here'));
    expect(asked('answer')).toEqual([{ type: 'answer', yes: false }]);
  });

  it('is named to the player who proposed to go on without them', async () => {
    await open(table({ proposal: { ...proposal, seat: 0, about: [1] } }), state());
    expect((await screen.findByTestId('proposal')).textContent).toContain('sauf signe de vie de Zoé');
    expect(screen.queryByTestId('proposal-here')).toBeNull();
  });
});
