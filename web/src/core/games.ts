// The games whose folder is in the client, found by their folder.
import { lookup, type Values } from '../i18n';
import { getGames } from './api';
import { externalModule, loadExternal, metaFrom } from './external';
import { packsFrom, type Packs } from './fairness';
import type { GameClient, GameMeta } from './game';
import type { GameCard } from './types.gen';

const metas = import.meta.glob<GameMeta>('../games/*/meta.ts', { eager: true, import: 'default' });
const clients = import.meta.glob<GameClient>('../games/*/index.ts', { import: 'default' });

const folder = (path: string) => path.split('/').at(-2) ?? '';
const metaByKey = new Map(Object.entries(metas).map(([path, meta]) => [folder(path), meta]));
const clientByKey = new Map(Object.entries(clients).map(([path, load]) => [folder(path), load]));

export const gameKeys = [...metaByKey.keys()];

/** The pages that games bring along, by their path. */
export const gamePages = new Map([...metaByKey.values()].flatMap((meta) => Object.entries(meta.pages ?? {})));

export function gameMeta(key: string): GameMeta | undefined {
  return metaByKey.get(key);
}

/** Which of the five colours of cloth a game lies on; everywhere the same. */
export function dyeOf(key: string): string {
  const at = gameKeys.indexOf(key);
  return `dyed dye-${(at < 0 ? [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) : at) % 5}`;
}

/** A game's own words for a key, or undefined. */
export function gameText(game: string, key: string, values?: Values): string | undefined {
  const meta = metaByKey.get(game);
  return meta && lookup(meta.messages, key, values);
}

/** The words of the first game that has any for a kind of resource. A table that cannot be opened does not name its game. */
export function resourceText(kind: string): string | undefined {
  return gameKeys.map((game) => gameText(game, `resources.${kind}`)).find((text) => text !== undefined);
}

/** Whether an option has an effect, given the values of the others. */
export function optionCounts(game: string, field: string, options: Record<string, unknown>): boolean {
  const needs = metaByKey.get(game)?.needs?.[field] ?? {};
  return Object.entries(needs).every(([other, values]) => values.includes(options[other]));
}

/** The board and the words of a game; one without a board gets the generic one. */
export async function loadGame(key: string): Promise<GameClient> {
  const load = clientByKey.get(key);
  if (load) return load();
  const generic = (await import('../generic')).genericClient(key);
  const card = await gameCard(key).catch(() => undefined);
  if (!card?.board) return generic;
  await register(card);
  return { ...generic, board: (await import('../generic/ExternalBoard.svelte')).default };
}

/** Takes the name and the words of a game from its own board, if it has one and no folder here. */
async function register(card: GameCard): Promise<void> {
  if (clientByKey.has(card.key)) return;
  const module = externalModule(card.key) ?? (await loadExternal(card));
  if (module) metaByKey.set(card.key, metaFrom(module));
}

/** Every game of the server. Games from other distributions have their names by then. */
export async function listGames(): Promise<GameCard[]> {
  cards = getGames();
  const found = await cards;
  await Promise.all(found.map(register));
  return found;
}

let cards: Promise<GameCard[]> | undefined;

/** What the server publishes about a game; fetched once. */
async function gameCard(key: string): Promise<GameCard | undefined> {
  cards ??= getGames();
  try {
    return (await cards).find((card) => card.key === key);
  } catch (problem) {
    cards = undefined;
    throw problem;
  }
}

/** The packs that a game's deals are checked against: those of its folder here, else those that the server publishes. */
export async function packsOf(key: string): Promise<Packs> {
  const { packs } = await loadGame(key);
  return packs ?? packsFrom((await gameCard(key))?.packs ?? {});
}
