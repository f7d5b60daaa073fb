import type { Plugin } from 'vite';

const FONT = /@fontsource-variable\/.+\.css$/;
const LATIN = /^\/\* [\w-]+-latin(-ext)?-wght-normal \*\//;

/** Keep only the letters of Western and Central Europe: other scripts fall back to the system's own font. */
export function onlyLatin(css: string): string {
  const subsets = css.split(/^(?=\/\* )/m).filter((subset) => LATIN.test(subset));
  if (subsets.length !== 2)
    throw new Error(`expected the subsets latin and latin-ext of a font, found ${subsets.length}`);
  return subsets.join('');
}

/** Leaves the other subsets of our fonts out of the build. */
export function latinFonts(): Plugin {
  return {
    name: 'tablee-fonts',
    enforce: 'pre',
    transform(code, id) {
      return FONT.test(id) ? { code: onlyLatin(code), map: null } : undefined;
    },
  };
}
