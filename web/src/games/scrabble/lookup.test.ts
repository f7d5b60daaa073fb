import { afterEach, expect, it, vi } from 'vitest';
import { routeOf } from '../../core/router.svelte';
import { basesOf, cleaned, lookUp } from './lookup';

afterEach(() => vi.unstubAllGlobals());

it('spells as tiles do', () => {
  expect(['œuvre', 'Ça va', 'L’été', 'ÆGOSOME', 'naïf'].map(cleaned)).toEqual([
    'OEUVRE',
    'CAVA',
    'LETE',
    'AEGOSOME',
    'NAIF',
  ]);
});

it('asks the lexicon of the table where it is given', async () => {
  const fetch = vi.fn(async () => Response.json({ valid: true }));
  vi.stubGlobal('fetch', fetch);
  await lookUp('MOT');
  await lookUp('MOT', 'dicollecte:0123');
  expect(fetch.mock.calls.map(([path]: unknown[]) => path)).toEqual([
    '/api/games/scrabble/word?q=MOT',
    '/api/games/scrabble/word?q=dicollecte%3A0123%20MOT',
  ]);
});

it('has a page of its own', () => {
  expect(routeOf('/mots')).toEqual({ page: 'own', path: 'mots' });
  expect(routeOf('/mots/x')).toEqual({ page: 'lost' });
});

it('tells a word from a form of another', () => {
  const bases = [
    { lemma: 'été', kind: 'n' as const },
    { lemma: 'être', kind: 'v' as const },
  ];
  expect(basesOf({ word: 'ETE', bases, gloss: '' }).map(({ lemma, isForm }) => `${lemma} ${isForm}`)).toEqual([
    'été false',
    'être true',
  ]);
});
