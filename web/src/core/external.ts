// Boards of games from other distributions: modules that the server serves and that any framework can write.
import type { ExternalModule, GameMeta } from './game';
import type { GameCard } from './types.gen';

const modules = new Map<string, ExternalModule>();

/** The board of a game from another distribution, if it has been loaded. */
export const externalModule = (game: string | undefined) => (game === undefined ? undefined : modules.get(game));

type Import = (url: string) => Promise<unknown>;

/** Loads the board of a game. A module that cannot be loaded, or is no board, leaves the game to the generic client. */
export async function loadExternal(
  card: GameCard,
  load: Import = (url) => import(/* @vite-ignore */ url) as Promise<unknown>,
): Promise<ExternalModule | undefined> {
  if (!card.board) return undefined;
  try {
    const module = (await load(card.board)) as Partial<ExternalModule>;
    if (typeof module.mount !== 'function' || !module.meta) return undefined;
    modules.set(card.key, module as ExternalModule);
  } catch {
    modules.delete(card.key);
  }
  return modules.get(card.key);
}

/** What the page shows of a game around its board. */
export function metaFrom({ meta }: ExternalModule): GameMeta {
  const words = (lang: 'fr' | 'en') => ({ ...meta.words?.[lang], name: meta.names[lang] });
  return { messages: { fr: words('fr'), en: words('en') }, ...(meta.icon && { emblem: meta.icon }) };
}
