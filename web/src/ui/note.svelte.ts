// A sentence that takes the place of the prompt for a few seconds.
import { announce } from './announcer.svelte';

const LASTS = 4_000;

/** Create it while a component initialises: it clears itself with an effect of that component. */
export class Note {
  text = $state('');

  constructor(lasts = LASTS) {
    $effect(() => {
      if (!this.text) return;
      const timer = setTimeout(() => this.clear(), lasts);
      return () => clearTimeout(timer);
    });
  }

  /** Show a sentence and read it out. */
  say(text: string): void {
    this.text = text;
    announce(text);
  }

  clear(): void {
    this.text = '';
  }
}
