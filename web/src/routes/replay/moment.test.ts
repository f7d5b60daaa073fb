import { expect, it } from 'vitest';
import { momentOf } from './moment';

it('names a move and a seat', () => {
  expect(momentOf('', 1)).toEqual([0, 1]);
  expect(momentOf('#37', 1)).toEqual([37, null]);
  expect(momentOf('#37.2', 1)).toEqual([37, 2]);
  expect(momentOf('#x.y', null)).toEqual([0, null]);
});
