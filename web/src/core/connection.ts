// A WebSocket that reconnects by itself, notices a dead connection, and never queues frames that were not sent.
import type { BeatFrame, ClientFrame, ServerFrame } from './types.gen';

/** A frame before the connection has numbered it. */
export type Unnumbered<Frame> = Frame extends unknown ? Omit<Frame, 'id'> : never;
export type Command = Unnumbered<ClientFrame>;

export type Link = 'connecting' | 'online' | 'slow' | 'reconnecting' | 'closed';

export interface Listener<Got = ServerFrame> {
  frame(frame: Got): void;
  link(link: Link): void;
  /** The server closed the connection for good. */
  gone(code: number): void;
}

const PING_EVERY = 25_000;
const SLOW_AFTER = 1_000;
const DEAD_AFTER = 10_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** Close codes after which it is useless to reconnect: foreign origin, unknown table, opened elsewhere, sent
 * away, closed to spectators. */
const FINAL = new Set([4403, 4404, 4409, 4410, 4411, 4412, 4413]);

/** How long to wait before the next attempt: it doubles, with jitter, so that clients do not all return at once. */
export function backoff(attempt: number, random: number): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return most / 2 + (most / 2) * random;
}

const isBeat = (frame: { type: string }): frame is BeatFrame => frame.type === 'beat';

/** Sends the frames of a table, unless it is told others, and gets the answers. */
export class Connection<Sent extends { id: number } = ClientFrame, Got extends { type: string } = ServerFrame> {
  #socket: WebSocket | null = null;
  #link: Link = 'connecting';
  #attempt = 0;
  #id = 0;
  #everOnline = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;
  #dead: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly url: string,
    readonly listener: Listener<Got>,
  ) {
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#cut);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#open();
  }

  /** Sends a frame and returns its id; null if there is no connection. */
  send(frame: Unnumbered<Sent>): number | null {
    return this.#post(frame);
  }

  #post(frame: object): number | null {
    if (this.#socket?.readyState !== WebSocket.OPEN) return null;
    const id = ++this.#id;
    this.#socket.send(JSON.stringify({ ...frame, id }));
    this.#expectAnswer();
    return id;
  }

  close(): void {
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#cut);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#retry);
    this.#drop();
    this.#set('closed');
  }

  /** Reconnects at once instead of waiting for the next attempt. */
  retry(): void {
    if (this.#link !== 'reconnecting') return;
    this.#attempt = 0;
    this.#open();
  }

  #hurry = () => {
    // The server sends a message to somebody who does not look at the table.
    if (document.hidden) return void this.#sayHidden();
    if (this.#link === 'reconnecting') this.retry();
    else if (this.#link === 'online') this.#post({ type: 'ping', hidden: false });
  };

  /** The browser reports a lost network before an answer is late. */
  #cut = () => {
    if (this.#link === 'online' || this.#link === 'slow') this.#lost(1006);
  };

  #sayHidden(): void {
    this.#post({ type: 'ping', hidden: true });
  }

  #open(): void {
    clearTimeout(this.#retry);
    this.#drop();
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#expectAnswer();
    socket.onopen = () => {
      if (document.hidden) this.#sayHidden();
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#answered();
      const frame = JSON.parse(String(event.data)) as Got | BeatFrame;
      // A refused connection is no success: the next attempt waits longer.
      if (frame.type !== 'refused') this.#attempt = 0;
      // Answer at once and show nothing: this measures the network, not the page.
      if (isBeat(frame)) socket.send(JSON.stringify({ type: 'beat', id: frame.number } satisfies ClientFrame));
      else this.listener.frame(frame);
    };
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      this.#lost(event.code);
    };
  }

  #answered(): void {
    clearTimeout(this.#slow);
    clearTimeout(this.#dead);
    this.#slow = this.#dead = undefined;
    this.#everOnline = true;
    this.#set('online');
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => this.#post({ type: 'ping', hidden: document.hidden }), PING_EVERY);
  }

  #expectAnswer(): void {
    if (this.#dead !== undefined) return;
    this.#slow = setTimeout(() => {
      if (this.#link === 'online') this.#set('slow');
    }, SLOW_AFTER);
    this.#dead = setTimeout(() => this.#lost(1006), DEAD_AFTER);
  }

  #lost(code: number): void {
    this.#drop();
    if (FINAL.has(code)) {
      this.#set('closed');
      this.listener.gone(code);
      return;
    }
    this.#set(this.#everOnline || this.#attempt > 0 ? 'reconnecting' : 'connecting');
    const wait = code === 1008 ? LONGEST_WAIT : backoff(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#retry = setTimeout(() => this.#open(), wait);
  }

  #drop(): void {
    for (const timer of [this.#ping, this.#slow, this.#dead]) clearTimeout(timer);
    this.#slow = this.#dead = undefined;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #set(link: Link): void {
    if (link === this.#link) return;
    this.#link = link;
    this.listener.link(link);
  }
}
