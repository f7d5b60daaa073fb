import { expect, it } from 'vitest';
import { newlyWaiting } from './elsewhere';
import type { MyTable } from './types.gen';

const table = (code: string, your_turn: boolean) => ({ code, your_turn, status: 'playing' }) as MyTable;

it('calls to a table that begins to wait, unless it is open in a tab', () => {
  const tables = [table('AAAAAA', true), table('BBBBBB', true), table('CCCCCC', false), table('DDDDDD', true)];
  const found = newlyWaiting(tables, new Set(['AAAAAA']), ['DDDDDD']);
  expect(found.map(({ code }) => code)).toEqual(['BBBBBB']);
});
