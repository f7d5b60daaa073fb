// The words of the check, loaded with it.
import type { Draw, Problem } from '../../../core/fairness';
import type { GameClient } from '../../../core/game';
import { lang, translator } from '../../../i18n';
import en from '../../../i18n/verify.en.json';
import fr from '../../../i18n/verify.fr.json';
import { cardName, isCard } from '../../../ui/cards/card';

export const t = translator({ fr, en });

/** What is needed to name a drawn thing. */
export interface Reader {
  drawn: GameClient['drawn'];
  who: (seat: number) => string;
}

/** « sept de cœur », the name of a seat, a tile, or what the game calls it. */
export function nameOf(pack: string | null | undefined, item: string, { drawn, who }: Reader): string {
  if (isCard(item)) return cardName(item, lang.current);
  if (pack === 'seats' && /^\d+$/.test(item)) return who(Number(item));
  return (pack && drawn?.(pack, item)) || item;
}

export const whereOf = (ply: number) => (ply === 0 ? t('ply.setup') : t('ply', { ply }));

/** The difference between the list and the seed, as a sentence. */
export function problemWords(problem: Problem, draw: Draw | undefined, reader: Reader): string {
  const named = (item: string) => (problem.code === 'item' ? nameOf(draw?.pack, item, reader) || t('nothing') : item);
  const what = t(`problem.${problem.code}`, { listed: named(problem.listed), given: named(problem.given) });
  return t('place', { where: whereOf(problem.ply), number: problem.number, what });
}

/** « 52 cartes vérifiées »: by their kind if all things are of one kind, apart from seats. */
export function rightWords(draws: readonly Draw[], count: number): string {
  const right = draws.slice(0, count).filter((draw) => draw.pack !== 'seats');
  const kinds = new Set(right.map((draw) => draw.pack));
  const kind = kinds.size === 1 ? [...kinds][0] : null;
  return kind === 'cards' || kind === 'tiles'
    ? t(`draws.${kind}`, { count: right.length })
    : t('draws.right', { count });
}
