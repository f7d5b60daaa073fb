import { expect, it } from 'vitest';
import type { GameClient } from '../core/game';
import { lang, LANGUAGES } from '../i18n';

const modules = import.meta.glob<Pick<GameClient, 'advice' | 'amount'>>('./*/advice.ts', { eager: true });
const words = import.meta.glob<Record<string, string>>('./*/board.fr.json', { eager: true, import: 'default' });

/** Every value that a coach may give, by name. */
const VALUES: Record<string, Record<string, unknown>> = {
  kora: { card: '9C', kept: 'KS', three: '3H', stake: 10, percent: 62 },
  president: { set: ['9C', '9H'], kept: ['QS', 'QH'], other: ['3S'], cards: ['3S', '5H'], count: 2 },
  ojyx: { card: -1, old: 12, mean: 5.2, percent: 62, action: 'swap' },
  dames: { count: 3, given: 1, square: 28, men: 0.8 },
  scrabble: { word: 'MOTS', points: 24, count: 12, leave: '?ES', tiles: 'QV', letter: 'K', words: ['MOX', 'XU'] },
};

it.each(Object.keys(modules))('fills every hole of the advice in %s', (path) => {
  const key = path.split('/')[1]!;
  const texts = Object.keys(words[`./${key}/board.fr.json`]!).filter((name) => name.startsWith('advice.'));
  const codes = new Set(texts.map((name) => name.replace(/^advice\./, '').replace(/\.(one|other)$/, '')));
  expect(codes.size).toBeGreaterThan(6);
  for (const language of LANGUAGES) {
    lang.current = language;
    for (const code of codes) {
      const said = modules[path]!.advice!({ code, values: VALUES[key]! });
      expect([code, said]).toEqual([code, expect.stringMatching(/^[^{}[\]]{10,}[.!]$/)]);
    }
    expect(modules[path]!.advice!({ code: 'no_such_reason', values: {} })).toBeNull();
    expect(modules[path]!.amount!(1.5)).toMatch(/\d/);
  }
  lang.current = 'fr';
});

it('says the sentences of the games', () => {
  lang.current = 'fr';
  const say = (key: string, code: string) => modules[`./${key}/advice.ts`]!.advice!({ code, values: VALUES[key]! });
  expect(say('dames', 'take_line')).toBe('Prend 3 pièces et garde la grande ligne.');
  expect(say('ojyx', 'no_end')).toBe('Ne dévoilez pas la dernière carte\u202f: 62\u202f% de risque de doubler.');
  expect(say('scrabble', 'keeps')).toBe('MOTS\u202f: 12 points de moins, mais garde ?ES.');
  expect(say('president', 'keep_closing')).toContain('une paire de dames pour fermer');
});
