// Calls a person back who looks at another page: the title of the tab alternates until they return.

const EVERY = 1_000;

export class Attention {
  /** What the title says at this moment; empty if it says nothing unusual. */
  title = $state('');
  /** The title alternates now. */
  calling = $state(false);
  #timer: ReturnType<typeof setInterval> | undefined;
  #back = () => {
    if (!document.hidden) this.#stop();
  };

  constructor() {
    document.addEventListener('visibilitychange', this.#back);
  }

  /** Call with a few words, unless the page is visible anyway. */
  call(words: string): void {
    if (!document.hidden) return;
    this.#stop();
    this.calling = true;
    this.title = words;
    this.#timer = setInterval(() => (this.title = this.title ? '' : words), EVERY);
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#back);
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.calling = false;
    this.title = '';
  }
}
