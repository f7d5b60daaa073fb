import { describe, expect, it } from 'vitest';
import { readCode } from './code';
import { optionCounts } from './games';
import { defaults, optionFields } from './options';
import { routeOf } from './router.svelte';
import { others, sides } from './seats';
import { readSettings } from './settings.svelte';
import { gameName, optionValue } from './labels';

describe('a code', () => {
  it.each([
    ['k7q2mx', 'K7Q2MX'],
    ['  k7q 2mx ', 'K7Q2MX'],
    ['K7Q-2MX', 'K7Q2MX'],
    ['https://tablee.example/table/k7q2mx?x=1#y', 'K7Q2MX'],
    ['…', ''],
  ])('is read from %j', (typed, code) => expect(readCode(typed)).toBe(code));
});

describe('a path', () => {
  it.each([
    ['/', { page: 'home' }],
    ['/table/k7q2mx', { page: 'table', code: 'K7Q2MX' }],
    ['/table/k7q2mx/ecran', { page: 'screen', code: 'K7Q2MX' }],
    ['/table/k7q2mx/main', { page: 'table', code: 'K7Q2MX', apart: true }],
    ['/table', { page: 'lost' }],
    ['/regles', { page: 'rules', game: null }],
    ['/regles/kora', { page: 'rules', game: 'kora' }],
    ['/reglages', { page: 'settings' }],
    ['/reglages/x', { page: 'lost' }],
    ['/table/%E0%A4%A/x', { page: 'lost' }],
  ])('%s leads somewhere', (path, route) => expect(routeOf(path)).toEqual(route));
});

describe('options', () => {
  const schema = {
    $ref: '#/$defs/Options',
    $defs: {
      Options: {
        type: 'object',
        properties: {
          deals: { enum: [0, 1, 3], default: 1 },
          stake: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
          move_time: { type: 'integer', minimum: 0, maximum: 60, default: 20 },
          open: { type: 'boolean', default: true },
          pace: { $ref: '#/$defs/Pace', default: 'slow' },
          notes: { type: 'array' },
        },
      },
      Pace: { enum: ['fast', 'slow'] },
    },
  };

  it('become fields, the unknown ones left to their default', () => {
    expect(optionFields(schema)).toEqual([
      { name: 'deals', kind: 'choice', values: [0, 1, 3], default: 1 },
      { name: 'stake', kind: 'number', least: 1, most: 100, default: 10 },
      { name: 'move_time', kind: 'time', least: 0, most: 60, default: 20 },
      { name: 'open', kind: 'switch', default: true },
      { name: 'pace', kind: 'choice', values: ['fast', 'slow'], default: 'slow' },
    ]);
    expect(defaults(optionFields(schema))).toEqual({ deals: 1, stake: 10, move_time: 20, open: true, pace: 'slow' });
  });

  it('say times as people do', () => {
    const said = [0, 20, 90, 300].map((seconds) => optionValue('', 'move_time', seconds).replace(/\s/g, ' '));
    expect(said).toEqual(['sans limite', '20 s', '1 min 30 s', '5 min']);
  });

  it('count only beside what they need, and rename a game', () => {
    expect(optionCounts('scrabble', 'challenge_time', { validation: 'auto' })).toBe(false);
    expect(optionCounts('scrabble', 'challenge_time', { validation: 'challenge' })).toBe(true);
    expect(optionCounts('scrabble', 'validation', {})).toBe(true);
    expect([gameName('dames'), gameName('dames', { variant: 'international' })]).toEqual([
      'Dames compétitives',
      'Dames internationales',
    ]);
  });
});

describe('seats', () => {
  it('are seen from one’s own, in the order of play', () => {
    expect(others(4, 2)).toEqual([3, 0, 1]);
    expect(others(2, 0)).toEqual([1]);
  });

  it('go clockwise round the cloth', () => {
    expect(sides(1)).toEqual(['top']);
    expect(sides(3)).toEqual(['left', 'top', 'right']);
    expect(sides(7)).toEqual(['left', 'left', 'top', 'top', 'top', 'right', 'right']);
  });
});

describe('settings', () => {
  it('fall back one by one where what was stored is not understood', () => {
    expect(readSettings('{"theme":"dark","motion":"wild","sound":true}', ['en'])).toMatchObject({
      lang: 'en',
      theme: 'dark',
      motion: 'auto',
      sound: true,
      premoves: true,
      fourColours: false,
      follow: true,
    });
    expect(readSettings('{{', ['fr'])).toMatchObject({ lang: 'fr', theme: 'auto' });
    expect(readSettings('null', [])).toMatchObject({ lang: 'fr' });
  });
});
