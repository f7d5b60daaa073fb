import { offline } from './offline.svelte';
import type {
  AskWhatIf,
  BotCard,
  BotInfo,
  ChallengeInfo,
  ChangeBot,
  ChangeMe,
  ChangeVacation,
  Draws,
  ReplayPage,
  GameCard,
  History,
  Leaders,
  LessonCard,
  LessonPage,
  MadeToken,
  MailDone,
  MatchPage,
  Me,
  MyBots,
  MyTable,
  NewBot,
  NewBranch,
  NewChallenge,
  NewDevice,
  NewEmail,
  NewPasskey,
  NewTable,
  NewToken,
  NewWordReport,
  NoticeFrame,
  NotifyState,
  OpeningMove,
  PasskeyAnswer,
  PasskeyInfo,
  PasskeyOptions,
  Problem,
  PuzzleAnswer,
  PuzzleGame,
  PuzzlePage,
  PuzzlePreview,
  PuzzleReply,
  RecoveryCode,
  RenamePasskey,
  ReviewPage,
  Stats,
  TableCard,
  TableCode,
  Vacation,
  WaitingTable,
  WhatIf,
} from './types.gen';

/** Why a request failed: the server refused it, or nobody answered. */
export class ApiProblem extends Error {
  constructor(
    readonly code: string,
    readonly values: Record<string, unknown> = {},
  ) {
    super(code);
  }
}

/** Whether a page, or what it shows, was never seen on this device and cannot be asked for now. */
export const isAbsent = (problem: unknown) => !(problem instanceof ApiProblem) || problem.code === 'absent';

/** Whether nobody answered, so that nothing is known about what was asked for. */
export const isUnanswered = (problem: unknown) => isAbsent(problem) || (problem as ApiProblem).code === 'unreachable';

const json = (body: unknown) =>
  body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };

const ask = <Body>(method: string, path: string, body?: unknown) => fetchJson<Body>(path, { method, ...json(body) });

async function fetchJson<Body>(path: string, request: RequestInit): Promise<Body> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...request });
  } catch {
    throw new ApiProblem('unreachable');
  }
  if ((request.method ?? 'GET') === 'GET' && response.status < 500) offline.heard(response);
  if (response.status === 204) return undefined as Body;
  if (response.ok) return (await response.json()) as Body;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new ApiProblem(problem?.code ?? 'server_error', problem?.values ?? {});
}

export const getMe = () => ask<Me>('GET', '/api/me');
export const changeMe = (change: ChangeMe) => ask<Me>('PATCH', '/api/me', change);
export const getGames = () => ask<GameCard[]>('GET', '/api/games');
/** Asks a game a question that needs no match. */
export const askGame = <Answer>(game: string, question: string, text: string) =>
  ask<Answer>('GET', `/api/games/${game}/${question}?q=${encodeURIComponent(text)}`);
/** Asks a game for a piece of analysis. */
export const askStudy = <Answer>(game: string, study: string, question: unknown) =>
  ask<Answer>('POST', `/api/games/${game}/studies/${study}`, question);
export const getLessons = (game: string) => ask<LessonCard[]>('GET', `/api/games/${encodeURIComponent(game)}/lessons`);
export const getLesson = (game: string, name: string) =>
  ask<LessonPage>('GET', `/api/games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(name)}`);
export const getPuzzles = () => ask<PuzzleGame[]>('GET', '/api/puzzles');
const puzzlePath = (game: string, which: string) =>
  `/api/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(which)}`;
/** A puzzle by its id, or `next` or `daily`. */
export const getPuzzle = (game: string, which: string, kind?: string) =>
  ask<PuzzlePage>('GET', `${puzzlePath(game, which)}${kind ? `?${query({ kind })}` : ''}`);
export const answerPuzzle = (game: string, id: string, answer: PuzzleAnswer) =>
  ask<PuzzleReply>('POST', puzzlePath(game, id), answer);
export const previewAnswer = (game: string, id: string, answer: PuzzleAnswer) =>
  ask<PuzzlePreview>('POST', `${puzzlePath(game, id)}/preview`, answer);
/** What public matches played in a position, which the game writes as text. */
export const getOpenings = (game: string, position: string) =>
  ask<OpeningMove[]>('GET', `/api/openings?${query({ game, position })}`);
/** Reports an entry of a game's list; the operator decides. */
export const reportWord = (game: string, report: NewWordReport) =>
  ask<unknown>('POST', `/api/games/${game}/reports`, report);
export const getNotice = () => ask<NoticeFrame>('GET', '/api/notice');
export const getTables = () => ask<TableCard[]>('GET', '/api/tables');
export const createTable = (table: NewTable) => ask<TableCode>('POST', '/api/tables', table);
export const getTable = (code: string) => ask<TableCard>('GET', `/api/tables/${encodeURIComponent(code)}`);

/** The parameters that are not null or empty, as a query string. */
const query = (fields: Record<string, string | number | null | undefined>) =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString();

export interface HistoryFilter {
  whose: 'mine' | 'public';
  game?: string;
  opponents?: string;
  result?: string;
  before?: string | null;
}

export const getHistory = (filter: HistoryFilter) => ask<History>('GET', `/api/history?${query({ ...filter })}`);
export const getMatch = (id: string) => ask<MatchPage>('GET', `/api/matches/${encodeURIComponent(id)}`);
export const getDraws = (id: string) => ask<Draws>('GET', `/api/matches/${encodeURIComponent(id)}/draws`);
export const getReplay = (id: string, seat: number | null, first: number, last: number) =>
  ask<ReplayPage>('GET', `/api/matches/${encodeURIComponent(id)}/replay?${query({ seat, first, last })}`);
/** Replays a record that the person uploads; the server does not keep it. */
export const showRecord = (file: ArrayBuffer, suffix: string, seat: number | null, first: number, last: number) =>
  fetchJson<ReplayPage>(`/api/replays?${query({ format: suffix, seat, first, last })}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: file,
  });
/** Begins the review of a finished match, or joins it. */
export const askForReview = (id: string) => ask<ReviewPage>('POST', `/api/matches/${encodeURIComponent(id)}/review`);
export const getReview = (id: string) => ask<ReviewPage>('GET', `/api/matches/${encodeURIComponent(id)}/review`);
/** Begins the review of a file that the person uploads, or joins it; the server does not keep the file. */
export const reviewRecord = (file: ArrayBuffer, suffix: string) =>
  fetchJson<ReviewPage>(`/api/reviews?${query({ format: suffix })}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: file,
  });
export const getRecordReview = (id: string) => ask<ReviewPage>('GET', `/api/reviews/${encodeURIComponent(id)}`);
/** Opens a table whose match goes on from a moment of a finished one, against the computer. */
/** What else a seat could have done at a moment of a finished match. */
export const askWhatIf = (id: string, moment: AskWhatIf) =>
  ask<WhatIf>('POST', `/api/matches/${encodeURIComponent(id)}/what-if`, moment);
export const askWhatIfRecord = (file: ArrayBuffer, suffix: string, moment: AskWhatIf) =>
  fetchJson<WhatIf>(`/api/replays/what-if?${query({ format: suffix, ask: JSON.stringify(moment) })}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: file,
  });
export const branchMatch = (id: string, branch: NewBranch) =>
  ask<TableCode>('POST', `/api/matches/${encodeURIComponent(id)}/branch`, branch);
/** The same from a file that the person uploads. */
export const branchRecord = (file: ArrayBuffer, suffix: string, branch: NewBranch) =>
  fetchJson<TableCode>(`/api/replays/branch?${query({ format: suffix, ask: JSON.stringify(branch) })}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: file,
  });
/** A finished match as a file of another program. */
export async function getRecord(id: string, suffix: string): Promise<string> {
  const response = await fetch(`/api/matches/${encodeURIComponent(id)}/record.${suffix}`).catch(() => null);
  if (response?.ok) return response.text();
  const problem = (await response?.json().catch(() => null)) as Problem | null;
  throw new ApiProblem(problem?.code ?? 'unreachable', problem?.values ?? {});
}
export const getTurns = () => ask<WaitingTable[]>('GET', '/api/me/turns');
export const getVacation = () => ask<Vacation>('GET', '/api/me/vacation');
export const setVacation = (away: boolean) =>
  ask<Vacation>('PUT', '/api/me/vacation', { away } satisfies ChangeVacation);
export const getMyTables = () => ask<MyTable[]>('GET', '/api/me/tables');
export const getStats = (person: string | null) =>
  ask<Stats>('GET', person === null ? '/api/me/stats' : `/api/people/${encodeURIComponent(person)}/stats`);
export const getLeaders = (game: string) => ask<Leaders>('GET', `/api/leaders?${query({ game })}`);
export const makeRecovery = () => ask<RecoveryCode>('POST', '/api/me/recovery');
export const recoverMe = (code: string) => ask<Me>('POST', '/api/recover', { code });
export const getPasskeys = () => ask<PasskeyInfo[]>('GET', '/api/me/passkeys');
export const passkeyOptions = () => ask<PasskeyOptions>('POST', '/api/me/passkeys/options');
export const addPasskey = (made: NewPasskey) => ask<PasskeyInfo>('POST', '/api/me/passkeys', made);
export const renamePasskey = (id: string, name: string) =>
  ask<undefined>('PATCH', `/api/me/passkeys/${id}`, { name } satisfies RenamePasskey);
export const removePasskey = (id: string) => ask<undefined>('DELETE', `/api/me/passkeys/${id}`);
export const signInOptions = () => ask<PasskeyOptions>('POST', '/api/passkeys/options');
export const signInWithPasskey = (answer: PasskeyAnswer) => ask<Me>('POST', '/api/passkeys/sign-in', answer);
export const getMyBots = () => ask<MyBots>('GET', '/api/me/bots');
export const createBot = (name: string) => ask<BotInfo>('POST', '/api/me/bots', { name } satisfies NewBot);
export const renameBot = (id: string, name: string) =>
  ask<BotInfo>('PATCH', `/api/me/bots/${id}`, { name } satisfies ChangeBot);
export const eraseBot = (id: string) => ask<unknown>('DELETE', `/api/me/bots/${id}`);
export const createToken = (made: NewToken) => ask<MadeToken>('POST', '/api/me/tokens', made);
export const revokeToken = (id: string) => ask<unknown>('DELETE', `/api/me/tokens/${id}`);
export const getBots = (game: string) => ask<BotCard[]>('GET', `/api/bots?${query({ game })}`);
export const challengeBot = (code: string, asked: NewChallenge) =>
  ask<ChallengeInfo>('POST', `/api/tables/${code}/challenges`, asked);
export const getChallenge = (id: string) => ask<ChallengeInfo>('GET', `/api/challenges/${id}`);
export const withdrawChallenge = (id: string) => ask<ChallengeInfo>('DELETE', `/api/challenges/${id}`);
export const getNotifications = () => ask<NotifyState>('GET', '/api/me/notifications');
export const addDevice = (device: NewDevice) => ask<undefined>('PUT', '/api/me/push', device);
export const saveEmail = (email: NewEmail) => ask<undefined>('PUT', '/api/me/email', email);
export const removeEmail = () => ask<undefined>('DELETE', '/api/me/email');
/** Does what a link in a mail is for. */
export const followMailLink = (token: string) => ask<MailDone>('POST', `/api/mail/${encodeURIComponent(token)}`);
export const removeDevice = (device: { endpoint: string }) => ask<undefined>('POST', '/api/me/push/remove', device);
export const eraseMe = () => ask<undefined>('DELETE', '/api/me');
