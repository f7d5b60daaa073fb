// The names of squares that this person prefers: 1 to 50, or a1 to j10. The browser keeps the choice.
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
