import { untrack } from 'svelte';

/** What the live region says now. A list, so that two equal sentences in a row are both spoken. */
export const spoken = $state<{ id: number; text: string }[]>([]);

const KEPT = 4;
let last = 0;

export function announce(text: string): void {
  // Whoever speaks from an effect must not be run again by their own words.
  untrack(() => {
    spoken.push({ id: ++last, text });
    if (spoken.length > KEPT) spoken.splice(0, spoken.length - KEPT);
  });
}
