// How this person likes squares to be called: 1 to 50, or a1 to j10. Kept by the browser.
import { letterName } from './squares';

const KEY = 'tablee.dames.coords';
type Coords = 'numbers' | 'letters';

function stored(): Coords {
  try {
    return localStorage.getItem(KEY) === 'letters' ? 'letters' : 'numbers';
  } catch {
    return 'numbers';
  }
}

export const coords = $state<{ current: Coords }>({ current: stored() });

export function switchCoords(): void {
  coords.current = coords.current === 'numbers' ? 'letters' : 'numbers';
  try {
    localStorage.setItem(KEY, coords.current);
  } catch {
    // A browser that keeps nothing still switches; the choice lasts as long as the page.
  }
}

export const squareName = (square: number, size: number) =>
  coords.current === 'numbers' ? String(square) : letterName(square, size);
