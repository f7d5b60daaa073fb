import { configure, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../App.svelte';
import { ApiProblem } from '../core/api';
import { notice } from '../core/notice.svelte';
import { router } from '../core/router.svelte';
import type { MatchCard, NoticeFrame, Overview } from '../core/types.gen';
import { fileScoreText, refusalText } from '../core/labels';
import { lang } from '../i18n';
import { toasts } from '../ui/toasts.svelte';
import Admin from './Admin.svelte';
import MatchRow from './history/MatchRow.svelte';
import Replay from './Replay.svelte';
import Rules from './Rules.svelte';
import Account from './settings/Account.svelte';

configure({ asyncUtilTimeout: 4_000 });

/** What the server answers, by path; a problem is what it refuses with. */
let answers: Record<string, unknown>;
/** The sent requests, the latest last. */
let sent: unknown[];

beforeEach(() => {
  answers = { '/api/games': [{ key: 'kora' }, { key: 'sixth' }], '/api/me': { id: 'anne', name: 'Anne', avatar: 1 } };
  sent = [];
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (init?.body) sent.push(init.body);
    const answer = answers[path.split('?')[0]!] ?? [];
    return answer instanceof ApiProblem
      ? Response.json({ code: answer.code, values: answer.values }, { status: 400 })
      : Response.json(answer);
  });
  toasts.splice(0);
  document.title = '';
});

afterEach(() => {
  lang.current = 'fr';
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('the rules', () => {
  it('of a game that is not played here are not found', async () => {
    render(Rules, { game: 'foo' });
    await screen.findByRole('heading', { name: 'Page introuvable' });
    expect(document.body.textContent).not.toContain('se joue déjà');
    await waitFor(() => expect(document.title).toBe('Introuvable — Tablée'));
  });

  it('of a game that has no page yet say so', async () => {
    render(Rules, { game: 'sixth' });
    await screen.findByText('La page de ce jeu n’est pas encore écrite');
    await tick();
    expect(screen.queryByText('Page introuvable')).toBeNull();
  });
});

describe('an uploaded record', () => {
  const replay = {
    card: null,
    game: 'sixth',
    options: {},
    seats: 2,
    names: ['', ''],
    plies: 0,
    first: 0,
    last: 0,
    steps: [],
    views: [{}],
    turns: [{ must: [], stage: 'play' }],
    outcome: null,
  };
  const bring = (content: BlobPart) =>
    fireEvent.change(screen.getByTestId('upload'), { target: { files: [new File([content], 'partie.json')] } });

  it('is sent as it is, in any encoding', async () => {
    render(Replay, { id: null });
    answers['/api/replays'] = replay;
    await bring(new Uint8Array([0x5a, 0x6f, 0xe9]));
    await waitFor(() =>
      expect(sent.map((body) => [...new Uint8Array(body as ArrayBuffer)])).toEqual([[0x5a, 0x6f, 0xe9]]),
    );
  });

  it('says why there is nothing to show, also for a match of this server', async () => {
    answers['/api/matches/ABCDEF-1'] = {
      card: { game: 'sixth', players: [] },
      replayable: true,
      formats: [],
      proof: null,
    };
    answers['/api/matches/ABCDEF-1/replay'] = new ApiProblem('bad_line', { line: 3 });
    render(Replay, { id: 'ABCDEF-1' });
    await screen.findByText('Cette partie ne peut pas être montrée');
    expect(document.body.textContent).toContain('ligne 3');
  });

  it('that is not one is refused in the language of the page, and a good one removes the error', async () => {
    render(Replay, { id: null });
    await waitFor(() => expect(document.title).toBe('Revoir une partie — Tablée'));
    answers['/api/replays'] = new ApiProblem('bad_record', {
      field: '',
      problem: 'JSON is malformed: invalid character (byte 0)',
    });
    await bring('oops');
    await waitFor(() =>
      expect(toasts.map((one) => one.text)).toEqual(['Ce fichier n’est pas l’enregistrement d’une partie.']),
    );
    answers['/api/replays'] = replay;
    await bring('{}');
    await waitFor(() => expect(toasts).toEqual([]));
    await waitFor(() => expect(document.title).toBe('sixth, revoir — Tablée'));
  });

  it('of another program shows the final score of its own and names the rule', async () => {
    const who = (seat: number) => ['Anne', 'Basile'][seat]!;
    const english = { scores: [409, 364], rule: 'gained_twice' };
    expect(fileScoreText(english, 'scrabble', who)).toBe(
      'Score final du fichier\u202f: Anne 409, Basile 364. Qui a fini gagne deux fois la valeur des jetons restants de l’adversaire (règle anglaise).',
    );
    expect(fileScoreText({ scores: [0.5, 0.5], rule: 'chess' }, 'dames', who)).toContain('Anne 0,5, Basile 0,5.');
    lang.current = 'en';
    expect(fileScoreText({ scores: [4, 6], rule: 'delft' }, 'dames', who)).toBe(
      'Final score in the file: Anne 4, Basile 6. Points of Delft: a draw gives more points to the side with the advantage.',
    );
    lang.current = 'fr';
    answers['/api/replays'] = { ...replay, names: ['Anne', 'Basile'], file_score: { scores: [2, 0], rule: 'points' } };
    render(Replay, { id: null });
    await bring('1. 32-28 2-0');
    await waitFor(() => expect(document.body.textContent).toContain('Score final du fichier\u202f: Anne 2, Basile 0.'));
  });

  it.each([
    ['bad_record', { problem: 'oops' }],
    ['bad_line', { line: 3, problem: 'line 3: oops' }],
    ['bad_line', { line: 3, problem: 'oops', game: 'scrabble', reason: 'wrong_total', score: 20, written: 21 }],
    ['cannot_replay', { step: 5, problem: 'oops' }],
    ['cannot_replay', { step: 0, problem: 'oops' }],
  ])('is refused without a word of English: %s %j', (code, values) => {
    const words = refusalText({ code, values });
    expect(words).not.toContain('oops');
    expect(words).not.toMatch(/[{}]|refusals/);
    if ('written' in values) expect(words).toContain('21');
    for (const place of [(values as { line?: number }).line, (values as { step?: number }).step])
      if (place) expect(words).toContain(String(place));
  });
});

it('a recovery code is copied', async () => {
  const writeText = vi.fn(async () => {});
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  answers['/api/me/recovery'] = { code: 'ABCD-EFGH' };
  render(Account);
  await fireEvent.click(screen.getByTestId('make-recovery'));
  const button = await screen.findByTestId('copy-recovery');
  await fireEvent.click(button);
  expect(writeText).toHaveBeenCalledWith('ABCD-EFGH');
  await waitFor(() => expect(button.textContent).toContain('Code copié'));
  writeText.mockRejectedValue(new Error('no https'));
  await fireEvent.click(button);
  await waitFor(() => expect(toasts[0]?.text).toContain('à la main'));
});

it('a recovery code brings a person back, and says who and what', async () => {
  answers['/api/recover'] = { id: 'zoé', name: 'Zoé', avatar: 2 };
  answers['/api/me/stats'] = { person: {}, games: [{ matches: 3 }, { matches: 4 }] };
  answers['/api/me/tables'] = [{}];
  render(Account);
  await fireEvent.input(screen.getByTestId('recover-code'), { target: { value: 'ABCD-EFGH' } });
  await fireEvent.click(screen.getByTestId('recover'));
  const restored = await screen.findByTestId('restored');
  expect(screen.getByRole('heading', { name: 'Bon retour, Zoé' })).toBeTruthy();
  expect(restored.textContent).toMatch(/7 parties finies.*1 partie en cours/);
});

describe('a match in the list', () => {
  const player = {
    person: null,
    name: '',
    avatar: 0,
    level: 'facile',
    left: false,
    rating_before: null,
    rating_after: null,
  };
  const match = (reason: string, results: string[]): MatchCard =>
    ({
      id: 'ABCDEF-1',
      game: 'kora',
      options: {},
      started: 0,
      ended: 0,
      plies: 3,
      reason,
      public: true,
      rated: false,
      players: results.map((result, seat) => ({ ...player, seat, place: result === 'loss' ? 2 : 1, score: 0, result })),
    }) as MatchCard;

  it.each(['ended', 'closed'])('that was stopped has no places: %s', (reason) => {
    const { container } = render(MatchRow, { match: match(reason, ['none', 'none']) });
    expect(container.querySelectorAll('.place, li .numbers, .first')).toHaveLength(0);
    expect(container.textContent).toContain('Sans résultat');
  });

  it('that was won has', () => {
    const { container } = render(MatchRow, { match: match('deals', ['win', 'loss']) });
    expect(container.querySelectorAll('.place')).toHaveLength(2);
    expect(container.textContent).not.toContain('Sans résultat');
  });
});

describe('an announcement', () => {
  const say = (text: string, at: number): NoticeFrame => ({ type: 'notice', text, at });

  it('is shown on every page until the server removes it', async () => {
    answers['/api/notice'] = say('Redémarrage à 22 h', 10);
    router.path = '/regles';
    render(App);
    expect((await screen.findByTestId('notice')).textContent).toContain('22 h');
    router.path = '/nulle/part/ici';
    await screen.findByText('Page introuvable');
    expect(screen.getByTestId('notice')).toBeTruthy();
    answers['/api/notice'] = say('', 0);
    router.path = '/regles/kora';
    await waitFor(() => expect(screen.queryByTestId('notice')).toBeNull());
  });

  it('that was closed stays closed until the next one', async () => {
    answers['/api/notice'] = say('Redémarrage à 22 h', 20);
    await notice.look();
    expect(notice.shown?.text).toBe('Redémarrage à 22 h');
    notice.close();
    expect(notice.shown).toBeNull();
    await notice.look();
    expect(notice.shown).toBeNull();
    expect(localStorage.getItem('tablee.notice')).toBe('20');
    answers['/api/notice'] = say('Plutôt à 23 h', 21);
    await notice.look();
    expect(notice.shown?.text).toBe('Plutôt à 23 h');
    answers['/api/notice'] = new ApiProblem('server_closing');
    await notice.look();
    expect(notice.shown?.text).toBe('Plutôt à 23 h');
  });
});

it.each([
  ['fr', /77,1\sMo/],
  ['en', /77\.1\sMB/],
] as const)('memory is written as one reads it: %s', async (language, words) => {
  lang.current = language;
  sessionStorage.setItem('tablee.admin', 'jeton');
  answers['/api/admin/overview'] = {
    version: '1',
    uptime: 0,
    tables: [],
    connections: 0,
    people: 0,
    reports: [],
    notice: '',
    load: { average: 0, cores: 1, memory_mb: 77.1, loop_lag_ms: 0, thinking: 0 },
  } satisfies Overview;
  const { container } = render(Admin);
  await waitFor(() => expect(container.textContent).toMatch(words));
});
