// The operator's announcement, shown on every page. Once closed, it stays closed until the next one.
import { getNotice } from './api';
import type { NoticeFrame } from './types.gen';

const KEY = 'tablee.notice';

class Notice {
  #said = $state.raw<NoticeFrame | null>(null);
  /** When the last closed announcement was made. */
  #closed = $state(stored());

  get shown(): NoticeFrame | null {
    return this.#said?.text && this.#said.at > this.#closed ? this.#said : null;
  }

  /** Takes the server's current notice; after a restart it is empty. */
  take(said: NoticeFrame): void {
    this.#said = said;
  }

  async look(): Promise<void> {
    try {
      this.take(await getNotice());
    } catch {
      // A server that does not answer may be the one whose restart was announced.
    }
  }

  close(): void {
    this.#closed = this.#said?.at ?? 0;
    try {
      localStorage.setItem(KEY, String(this.#closed));
    } catch {
      // A browser that keeps nothing shows it again on the next visit.
    }
  }
}

function stored(): number {
  try {
    return Number(localStorage.getItem(KEY));
  } catch {
    return 0;
  }
}

export const notice = new Notice();
