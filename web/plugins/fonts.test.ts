import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onlyLatin } from './fonts.ts';

it.each(['inter', 'fraunces'])('keeps the Latin letters of %s and no other script', (font) => {
  const css = readFileSync(`node_modules/@fontsource-variable/${font}/wght.css`, 'utf-8');
  const files = [...onlyLatin(css).matchAll(/files\/([\w-]+)\.woff2/g)].map((match) => match[1]);
  expect(files).toEqual([`${font}-latin-ext-wght-normal`, `${font}-latin-wght-normal`]);
});

it('fails if a font no longer names its subsets', () => {
  expect(() => onlyLatin('@font-face { src: url(a.woff2); }')).toThrow('found 0');
});
