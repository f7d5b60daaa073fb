import { beforeEach, expect, it, vi } from 'vitest';
import { promised, saltFor, saltTaken } from './promises';

beforeEach(() => localStorage.clear());

it('answers a hash with one salt, as often as it is asked', () => {
  const salt = saltFor('K7M2PQ', 1, 'aa');
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  expect(saltFor('K7M2PQ', 1, 'aa')).toBe(salt);
  expect(promised('K7M2PQ', 1)).toEqual({ commit: 'aa', salt });
});

it('never answers another hash, match or table with the same salt', () => {
  const salts = [saltFor('A', 1, 'aa'), saltFor('A', 1, 'bb'), saltFor('A', 2, 'bb'), saltFor('B', 2, 'bb')];
  expect(new Set(salts).size).toBe(4);
});

it('remembers for each match the last hash before it, whatever is shown in the end', () => {
  saltFor('A', 1, 'aa');
  saltFor('A', 1, 'bb');
  saltFor('A', 2, 'cc');
  expect([1, 2, 3].map((match) => promised('A', match)?.commit)).toEqual(['bb', 'cc', undefined]);
});

it('knows whether the server took the salt', () => {
  const salt = saltFor('A', 1, 'aa');
  saltTaken('A', 1, 'bb');
  saltTaken('A', 2, 'aa');
  expect(promised('A', 1)).toEqual({ commit: 'aa', salt });
  saltTaken('A', 1, 'aa');
  expect(promised('A', 1)).toEqual({ commit: 'aa', salt, taken: true });
  expect(promised('A', 2)).toBeUndefined();
});

it('keeps the newest promises of a table', () => {
  for (let match = 1; match <= 30; match++) saltFor('A', match, 'aa');
  expect([10, 11, 30].map((match) => promised('A', match)?.commit)).toEqual([undefined, 'aa', 'aa']);
});

it('plays on where the browser keeps nothing, or something else', () => {
  localStorage.setItem('tablee.promises.A', '{');
  expect(promised('A', 1)).toBeUndefined();
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  expect(saltFor('A', 1, 'aa')).toMatch(/^[0-9a-f]{32}$/);
  full.mockRestore();
});
