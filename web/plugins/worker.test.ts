import { expect, it } from 'vitest';
import { shellOf } from './worker';

it('takes into the shell what the first page names, and the fonts of its letters', () => {
  const html = '<link rel="icon" href="/favicon.svg" /><script src="/assets/index-1a2b3c4d.js"></script>';
  const files = [
    '/',
    '/assets/index-1a2b3c4d.js',
    '/assets/ojyx-1a2b3c4d.js',
    '/assets/inter-latin-wght-normal-1a2b3c4d.woff2',
    '/assets/inter-latin-ext-wght-normal-1a2b3c4d.woff2',
    '/favicon.svg',
  ];
  expect(shellOf(html, files)).toEqual([files[0], files[1], files[3], files[5]]);
});
