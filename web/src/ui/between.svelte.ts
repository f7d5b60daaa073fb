// Animations that need the page before and after a change.
import { untrack } from 'svelte';
import { motionAllowed } from '../core/settings.svelte';

/**
 * Measure the page before each change of `moment`, and animate from there after it.
 *
 * Call it while a component initialises. `measure` returns undefined if there is nothing on the page yet.
 */
export function animateBetween<T>(
  moment: () => unknown,
  measure: () => T | undefined,
  animate: (before: T) => void,
): void {
  let before: T | undefined;
  $effect.pre(() => {
    moment();
    before = untrack(() => (motionAllowed() ? measure() : undefined));
  });
  $effect(() => {
    moment();
    const from = before;
    before = undefined;
    if (from) untrack(() => animate(from));
  });
}
