import { untrack } from 'svelte';

/** What the live region says now. A list, so that two equal sentences in a row are both spoken. */
export const spoken = $state<{ id: number; text: string }[]>([]);

const KEPT = 4;
let last = 0;

export function announce(text: string): void {
  // An effect that announces something must not run again because of it.
  untrack(() => {
    spoken.push({ id: ++last, text });
    if (spoken.length > KEPT) spoken.splice(0, spoken.length - KEPT);
  });
}
