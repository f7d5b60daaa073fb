import { describe, expect, it, vi } from 'vitest';
import fr from './fr.json';
import { dates, figure, gained, lang, LANGUAGES, preferredLang, t, translator, type Messages } from '.';

type Words = Record<string, string>;

const jsons = import.meta.glob<Words>('../{i18n,games/*}/*.json', { eager: true, import: 'default' });
const rules = import.meta.glob<string>('../../../docs/regles/*.md', { eager: true, query: '?raw', import: 'default' });
const sources = import.meta.glob<string>('../**/*.{ts,svelte}', { eager: true, query: '?raw', import: 'default' });

/** `../games/kora/board.fr.json` and its English twin are one set of words, named by what they share. */
function sets(): Map<string, Partial<Messages>> {
  const found = new Map<string, Partial<Messages>>();
  for (const [path, words] of Object.entries(jsons)) {
    const language = LANGUAGES.find((one) => path.endsWith(`${one}.json`));
    if (!language) continue;
    const name = path.replace(new RegExp(`${language}\\.json$`), '');
    found.set(name, { ...found.get(name), [language]: words });
  }
  return found;
}

/** Wrong in French typography: only one narrow no-break space stands before : ; ? ! » and after «. */
const FOREIGN = /'|[^\u202f][;?!»]|[^\u202f]:(?!\/\/)|«[^\u202f]/;

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1]).sort();

describe.each([...sets()])('%s', (_, words) => {
  const fr = words.fr ?? {};
  const en = words.en ?? {};

  it('has the same keys in both languages', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(fr).sort());
  });

  it('leaves the same holes to fill in both languages', () => {
    for (const key of Object.keys(fr))
      expect({ key, holes: holes(en[key] ?? '') }).toEqual({ key, holes: holes(fr[key]!) });
  });

  it('writes French with its own apostrophes and spaces, and speaks with « vous »', () => {
    for (const [key, text] of Object.entries(fr)) {
      expect({ key, text }).not.toEqual({ key, text: expect.stringMatching(FOREIGN) });
      expect({ key, text }).not.toEqual({ key, text: expect.stringMatching(/(^|\s)(tu|ton|ta|tes|toi)(\s|$)/i) });
    }
  });
});

it.each(Object.entries(rules))('%s has the apostrophes and spaces of French', (_, page) => {
  const words = page.replace(/`[^`]*`/g, '').replace(/^\|[-:|]+\|$/gm, '');
  expect(words.match(new RegExp(`.{0,20}(?:${FOREIGN.source}).{0,20}`, 'g'))).toBeNull();
});

it('has words for every literal key that the source asks for', () => {
  const missing: string[] = [];
  for (const [path, source] of Object.entries(sources)) {
    if (path.endsWith('.test.ts')) continue;
    const folder = /^\.\.\/games\/[^/]+\//.exec(path)?.[0];
    const known = Object.entries(jsons)
      .filter(([json]) => json.startsWith('./') || json.startsWith('../i18n/') || (folder && json.startsWith(folder)))
      .flatMap(([, words]) => Object.keys(words));
    const keys = new Set(known);
    for (const [, key] of source.matchAll(/(?<![\w.])t\(\s*'([^']+)'/g)) {
      if (!keys.has(key!) && !keys.has(`${key}.other`)) missing.push(`${path}: ${key}`);
    }
  }
  expect(missing).toEqual([]);
});

it('has words for every refusal of the table and of the server', () => {
  const codes = `
    unknown unreachable unknown_table unknown_game unknown_level bad_option bad_request bad_frame too_large
    too_many stale_offer over reserved not_your_turn time_is_up bad_action not_legal missing_resource not_seated seat_taken already_seated table_full
    no_such_seat not_host seats_empty match_running no_match rules_changed too_many_connections server_closing
    store_down server_error bad_seats foreign_origin unknown_person
  `;
  for (const code of codes.trim().split(/\s+/)) {
    expect([code, `refusals.${code}` in fr || `refusals.${code}.other` in fr]).toEqual([code, true]);
  }
});

it('writes numbers with a true minus, and what was won with its sign', () => {
  expect([-1, 0, 2, 1204].map(figure)).toEqual(['−1', '0', '2', '1\u202f204']);
  expect([-1, 0, 2].map(gained)).toEqual(['−1', '0', '+2']);
});

describe('t', () => {
  const own = translator({
    fr: { 'card.one': '{count} carte', 'card.other': '{count} cartes', hello: 'Bonjour {name}' },
    en: { 'card.one': '{count} card', 'card.other': '{count} cards', hello: 'Hello {name}' },
  });

  it('counts as each language does', () => {
    lang.current = 'fr';
    expect([0, 1, 2].map((count) => own('card', { count }))).toEqual(['0 carte', '1 carte', '2 cartes']);
    lang.current = 'en';
    expect([0, 1, 2].map((count) => own('card', { count }))).toEqual(['0 cards', '1 card', '2 cards']);
    lang.current = 'fr';
  });

  it('fills holes, and shows a key that has no words', () => {
    expect(own('hello', { name: 'Zoé' })).toBe('Bonjour Zoé');
    expect(t.find('refusals.no_such_code')).toBeUndefined();
    expect(t.any('refusals.no_such_code')).toBe('refusals.no_such_code');
  });

  it('speaks French unless the browser asks for English first', () => {
    expect(preferredLang(['en-GB', 'fr'])).toBe('en');
    expect(preferredLang(['de', 'fr-CA', 'en'])).toBe('fr');
    expect(preferredLang(['ja'])).toBe('fr');
  });
});

it.each([
  [['en-US', 'fr'], 'en', '12/31/26'],
  [['fr-FR', 'en'], 'en', '31/12/2026'],
  [['en-US'], 'fr', '31/12/2026'],
] as const)('writes dates for a browser of %s in %s', (languages, language, written) => {
  vi.stubGlobal('navigator', { languages });
  lang.current = language;
  expect(dates({ dateStyle: 'short' }).format(new Date(2026, 11, 31))).toBe(written);
  lang.current = 'fr';
  vi.unstubAllGlobals();
});
