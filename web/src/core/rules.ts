import type { Lang } from '../i18n';

export interface RulesPage {
  title: string;
  chapters: { id: string; title: string }[];
  html: string;
}

type Load = () => Promise<{ default: RulesPage }>;

const french = import.meta.glob<{ default: RulesPage }>('../../../docs/regles/*.md');
const english = import.meta.glob<{ default: RulesPage }>('../../../docs/rules/*.md');

function byKey(pages: Record<string, Load>): Map<string, Load> {
  return new Map(Object.entries(pages).map(([path, load]) => [path.replace(/^.*\/|\.md$/g, ''), load]));
}

const pages: Record<Lang, Map<string, Load>> = { fr: byKey(french), en: byKey(english) };

/** The rules of a game in a language, or in French if there is no page in that language; null if there is none at all. */
export async function loadRules(key: string, language: Lang): Promise<RulesPage | null> {
  const load = pages[language].get(key) ?? pages.fr.get(key);
  return load ? (await load()).default : null;
}
