// « Jouer maintenant »: the search for opponents. It goes on while one looks at other pages of the site.
import { Connection, type Link, type Unnumbered } from './connection';
import { paceKey } from './pace';
import { PRESETS } from './paces.gen';
import { saltFor, saltTaken } from './promises';
import type {
  FoundFrame,
  Pace,
  RefusedFrame,
  SearchClientFrame,
  SearchEndedFrame,
  SearchingFrame,
  SearchServerFrame,
} from './types.gen';

export interface Wanted {
  game: string;
  /** The name of a usual pace; empty: the clocks of the game's rules. */
  pace: string;
  seats: number;
  /** The table of a match after which other opponents are wanted. */
  after?: string;
}

/** A frame and when it came, so that the page counts on by itself. */
interface At<Frame> {
  frame: Frame;
  /** By `performance.now()`. */
  at: number;
}

export interface SearchListener {
  /** Everybody accepted: the match runs at this table. */
  seated(code: string): void;
  /** The search ended by itself. */
  ended(why: SearchEndedFrame['why'], game: string): void;
  refused(frame: RefusedFrame, game: string): void;
}

type Line = Connection<SearchClientFrame, SearchServerFrame>;

const KEY = 'tablee.search';
/** A page that was loaded again within this time goes on with its search, in milliseconds. */
const RESUMED = 15_000;

export class Search {
  /** What is searched for; null if nothing is. */
  wanted = $state.raw<Wanted | null>(null);
  searching = $state.raw<At<SearchingFrame> | null>(null);
  found = $state.raw<At<FoundFrame> | null>(null);
  link = $state<Link>('connecting');
  #line: Line | null = null;
  /** Commands that the server has not answered: the search itself, and the pairing that was accepted. */
  #asked: number | null = null;
  #accepting: { id: number; found: FoundFrame } | null = null;

  constructor(readonly listener: SearchListener) {}

  /** Begin to search, or search for something else. */
  begin(wanted: Wanted): void {
    this.#close();
    this.wanted = wanted;
    this.#keep();
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#line = new Connection<SearchClientFrame, SearchServerFrame>(`${scheme}//${location.host}/ws/searches`, {
      frame: (frame) => this.#take(frame),
      link: (link) => this.#linked(link),
      gone: () => this.#end('failed'),
    });
  }

  /** Go on with the search of this tab after the page was loaded again. */
  resume(): void {
    const { wanted, at } = stored();
    if (wanted && Date.now() - at < RESUMED) this.begin(wanted);
    else forget();
  }

  /** Stop searching; this declines opponents who were found. */
  cancel(): void {
    this.#line?.send({ type: 'cancel' });
    this.#close();
  }

  accept(): void {
    const frame = this.found?.frame;
    if (!frame || frame.accepted || this.#accepting) return;
    const salt = saltFor(frame.code, 1, frame.commit);
    const id = this.#send({ type: 'accept', pairing: frame.pairing, salt });
    if (id !== null) this.#accepting = { id, found: frame };
  }

  #send(frame: Unnumbered<SearchClientFrame>): number | null {
    return this.#line?.send(frame) ?? null;
  }

  #linked(link: Link): void {
    const was = this.link;
    this.link = link;
    if (link === 'online' && was !== 'slow' && this.wanted)
      this.#asked = this.#send({ type: 'search', ...this.wanted });
  }

  #take(frame: SearchServerFrame): void {
    const at = performance.now();
    this.#keep();
    if (frame.type === 'searching') {
      this.searching = { frame, at };
      this.found = null;
    } else if (frame.type === 'found') this.found = { frame, at };
    else if (frame.type === 'seated') {
      this.#close();
      this.listener.seated(frame.code);
    } else if (frame.type === 'ended') this.#end(frame.why);
    else if (frame.type === 'done') this.#answered(frame.reply);
    else if (frame.type === 'refused') this.#refuse(frame);
  }

  #answered(reply: number): void {
    if (reply !== this.#accepting?.id) return;
    const { found } = this.#accepting;
    saltTaken(found.code, 1, found.commit);
    this.#accepting = null;
  }

  #refuse(frame: RefusedFrame): void {
    const game = this.wanted?.game ?? '';
    if (frame.reply === this.#accepting?.id) this.#accepting = null;
    // Without a search there is nothing to wait for; a refused answer to a pairing leaves the search as it is.
    if (frame.reply === this.#asked && this.#asked !== null) this.#close();
    if (frame.reply !== null) this.listener.refused(frame, game);
  }

  #end(why: SearchEndedFrame['why']): void {
    const game = this.wanted?.game ?? '';
    this.#close();
    this.listener.ended(why, game);
  }

  #close(): void {
    const line = this.#line;
    this.#line = null;
    this.#asked = this.#accepting = null;
    this.wanted = this.searching = this.found = null;
    this.link = 'connecting';
    forget();
    line?.close();
  }

  #keep(): void {
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ wanted: this.wanted, at: Date.now() }));
    } catch {
      // A browser that keeps nothing searches all the same, until the page is loaded again.
    }
  }
}

function stored(): { wanted: Wanted | null; at: number } {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { wanted: Wanted | null; at: number } | null;
    return kept ?? { wanted: null, at: 0 };
  } catch {
    return { wanted: null, at: 0 };
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** The name of a usual pace; empty if it has none. */
export function presetOf(pace: Pace | null): string {
  return Object.keys(PRESETS).find((name) => paceKey(PRESETS[name]!) === paceKey(pace)) ?? '';
}
