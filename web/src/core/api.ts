import type { ChangeMe, GameCard, Me, NewTable, Problem, TableCard, TableCode } from './types.gen';

/** What the server, or the lack of one, answered instead of what was asked. */
export class ApiProblem extends Error {
  constructor(
    readonly code: string,
    readonly values: Record<string, unknown> = {},
  ) {
    super(code);
  }
}

async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiProblem('unreachable');
  }
  if (response.ok) return (await response.json()) as Body;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new ApiProblem(problem?.code ?? 'server_error', problem?.values ?? {});
}

export const getMe = () => ask<Me>('GET', '/api/me');
export const changeMe = (change: ChangeMe) => ask<Me>('PATCH', '/api/me', change);
export const getGames = () => ask<GameCard[]>('GET', '/api/games');
/** What anybody may ask of a game outside a match. */
export const askGame = <Answer>(game: string, question: string, text: string) =>
  ask<Answer>('GET', `/api/games/${game}/${question}?q=${encodeURIComponent(text)}`);
export const getTables = () => ask<TableCard[]>('GET', '/api/tables');
export const createTable = (table: NewTable) => ask<TableCode>('POST', '/api/tables', table);
export const getTable = (code: string) => ask<TableCard>('GET', `/api/tables/${encodeURIComponent(code)}`);
