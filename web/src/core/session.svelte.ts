// A table as a page sees it: its state, the connection, and one method for each command.
import { t } from '../i18n';
import { toast } from '../ui/toasts.svelte';
import { Connection, type Command, type Link } from './connection';
import { EMPTY, reduce, type TableState } from './match';
import { notice } from './notice.svelte';
import { keepTable, lastTable, offline } from './offline.svelte';
import { saltFor, saltTaken } from './promises';
import { seatName } from './seats';
import type { AdviceFrame, PreviewFrame, ProposalInfo, RefusedFrame, ServerFrame, TableFrame } from './types.gen';
import { refusalText } from './labels';

export type ProposalKind = ProposalInfo['kind'];

/** Refusals after which the server closes the connection for good: the page itself says what happened. */
const SHOWN_BY_THE_PAGE = new Set([
  'unknown_table',
  'foreign_origin',
  'banished',
  'not_watchable',
  'table_closed',
  'missing_resource',
]);

/** Milliseconds without an answer after which the page shows the last known state of the table. */
const RECALL_AFTER = 2_000;
/** Changes within this time are kept together, because keeping a state costs as much as drawing it. It is also kept when
 *  the connection is lost and when the page is left. */
const KEEP_AFTER = 5_000;

export class TableSession {
  state = $state.raw<TableState>(EMPTY);
  link = $state<Link>('connecting');
  /** The close code with which the server refused the table. */
  gone = $state<number | null>(null);
  /** The kind of resource that the match needs and the server lacks. */
  missing = $state<string | null>(null);
  /** The server cannot save what the table plays; it tries again. */
  unsaved = $state(false);
  /** The match begins as soon as it can. */
  beginning = $state(false);
  /** The id of the action whose answer has not come yet. */
  #acting = $state<number | null>(null);
  /** The id of the question for advice whose answer has not come yet. */
  #advising = $state<number | null>(null);
  /** The last advice, and how many moves had been taken back by then. */
  #advice = $state.raw<{ frame: AdviceFrame; rewinds: number } | null>(null);
  #read = $state(-1);
  /** The last salt that was sent: its commitment, its seat and the id of its frame. */
  #salted = '';
  #salting = -1;
  /** Removes the last warning that a bot failed: a bot may fail at every move. */
  #unwarn: (() => void) | null = null;
  #asking = new Map<number, (frame: PreviewFrame | null) => void>();
  #waiting = new Map<number, (kept: boolean) => void>();
  #recalling: ReturnType<typeof setTimeout> | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #connection: Connection;

  constructor(
    readonly code: string,
    /** Called after every frame that changed the state or settled a proposal. */
    readonly changed: (frame: ServerFrame) => void = () => {},
    /** Begin the match as soon as its deal has a commitment and a salt. */
    begin = false,
    /** Connect as a large screen: a spectator, whoever this browser belongs to. */
    screen = false,
  ) {
    this.beginning = begin;
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#connection = new Connection(
      `${scheme}//${location.host}/ws/${encodeURIComponent(code)}${screen ? '?screen' : ''}`,
      {
        frame: (frame) => this.#take(frame),
        link: (link) => this.#linked(link),
        gone: (code) => (this.gone = code),
      },
    );
    document.addEventListener('visibilitychange', this.#keep);
    // What this browser keeps may have a hand in it: not for a large screen.
    if (!screen) this.#recalling = setTimeout(() => void this.#recall(), navigator.onLine ? RECALL_AFTER : 0);
  }

  /** Messages that came since the chat was last open. */
  get unread(): number {
    return this.state.chat.filter((line) => line.n > this.#read).length;
  }

  /** Whether the chat is open. */
  read(): void {
    this.#read = Math.max(this.#read, this.state.chat.at(-1)?.n ?? -1);
  }

  get pending(): boolean {
    return this.#acting !== null;
  }

  get advising(): boolean {
    return this.#advising !== null;
  }

  /** What the coach would play now; null if nobody asked, or if the match has gone on. */
  get advice(): AdviceFrame | null {
    const { match } = this.state;
    const { frame, rewinds } = this.#advice ?? {};
    if (!frame || !match || frame.match !== match.match || rewinds !== match.rewinds) return null;
    return frame.offer === match.offer?.number ? frame : null;
  }

  /** Asks what to play. */
  advise(): void {
    const offer = this.state.match?.offer;
    if (!offer || this.advising) return;
    this.#send({ type: 'advise', offer: offer.number }, (id) => (this.#advising = id));
  }

  /** Hides the advice. */
  dismiss(): void {
    this.#advice = null;
  }

  act(action: unknown): void {
    const offer = this.state.match?.offer;
    if (!offer || this.pending) return;
    this.#send({ type: 'act', offer: offer.number, action }, (id) => (this.#acting = id));
  }

  /** Asks the server what an action would do; null if it cannot answer now. Only the caller sees a refusal. */
  preview(action: unknown): Promise<PreviewFrame | null> {
    const offer = this.state.match?.offer;
    const id = offer && this.#connection.send({ type: 'preview', offer: offer.number, action });
    if (!id) return Promise.resolve(null);
    return new Promise((resolve) => this.#asking.set(id, resolve));
  }

  /** Sends a command; resolves to whether the server carried it out. A refusal has been shown by then. */
  ask(command: Command): Promise<boolean> {
    return new Promise((resolve) => {
      const sent = this.#send(command, (id) => this.#waiting.set(id, resolve));
      if (!sent) resolve(false);
    });
  }

  retry(): void {
    this.#connection.retry();
  }

  /** Shows the last known state until the server answers. */
  async #recall(): Promise<void> {
    const last = await lastTable<TableState>(this.code);
    if (!last || this.state !== EMPTY) return;
    this.state = last.state;
    offline.showed(last.saved);
  }

  #keepSoon(): void {
    if (this.state.table?.you === null) return; // spectators come for what happens now
    this.#keeping ??= setTimeout(this.#keep, KEEP_AFTER);
  }

  readonly #keep = (): void => {
    if (this.#keeping === undefined) return;
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    void keepTable(this.code, this.state);
  };

  close(): void {
    clearTimeout(this.#recalling);
    document.removeEventListener('visibilitychange', this.#keep);
    this.#keep();
    this.#connection.close();
  }

  #send(command: Command, sent: (id: number) => void): boolean {
    const id = this.#connection.send(command);
    if (id === null) {
      toast(t('link.offline_command'), 'warn');
      return false;
    }
    sent(id);
    return true;
  }

  #take(frame: ServerFrame): void {
    if ('reply' in frame && frame.reply !== null && this.#asking.has(frame.reply)) {
      this.#asking.get(frame.reply)!(frame.type === 'preview' ? frame : null);
      this.#asking.delete(frame.reply);
      if (frame.type === 'preview' || (frame.type === 'refused' && frame.code !== 'stale_offer')) return;
    }
    const { state, sync } = reduce(this.state, frame);
    const changed = state !== this.state;
    clearTimeout(this.#recalling);
    offline.since = null;
    this.state = state;
    if (changed) this.#keepSoon();
    if (frame.type === 'table') this.#promised(frame);
    if (frame.type === 'notice') notice.take(frame);
    if (frame.type === 'storage') this.unsaved = !frame.works;
    if (frame.type === 'bot_failed') this.#botFailed(frame.seat);
    if (frame.type === 'advice') this.#advice = { frame, rewinds: state.match?.rewinds ?? 0 };
    // Messages from before the arrival are not news.
    if (frame.type === 'chat' && this.#read < 0) this.read();
    if (sync) this.#connection.send({ type: 'sync', ...sync });
    if ('reply' in frame && frame.reply !== null) this.#answer(frame.reply, frame.type !== 'refused');
    if (frame.type === 'refused') this.#refused(frame);
    if (changed || frame.type === 'settled') this.changed(frame);
  }

  #refused(frame: RefusedFrame): void {
    if (frame.code === 'missing_resource') this.missing = String(frame.values.kind);
    if (frame.code === 'advice_late') return; // the player went on without it
    if (!SHOWN_BY_THE_PAGE.has(frame.code) && frame.reply !== this.#salting)
      toast(refusalText(frame, this.state.table?.game), 'warn');
  }

  #botFailed(seat: number): void {
    this.#unwarn?.();
    this.#unwarn = toast(t('table.bot_failed', { name: seatName(this.state.table?.players[seat], seat) }), 'warn');
  }

  /** Adds this page's own randomness to a deal that the server has promised: once for each seat and each connection. */
  #promised(table: TableFrame): void {
    if (table.you === null || table.status === 'playing' || !table.commit) return;
    const asked = `${table.commit} ${table.you}`;
    if (asked !== this.#salted) {
      this.#salted = asked;
      this.#salt(table.match + 1, table.commit);
    }
    if (this.beginning && table.status === 'waiting') {
      this.beginning = false;
      void this.ask({ type: 'start' });
    }
  }

  /** Sends a salt. A refusal is not shown: a salt may come too late through nobody's fault. */
  #salt(match: number, commit: string): void {
    this.#salting = this.#connection.send({ type: 'salt', salt: saltFor(this.code, match, commit) }) ?? -1;
    this.#waiting.set(this.#salting, (kept) => {
      if (kept) saltTaken(this.code, match, commit);
    });
  }

  #answer(reply: number, kept: boolean): void {
    if (reply === this.#acting) this.#acting = null;
    if (reply === this.#advising) this.#advising = null;
    this.#waiting.get(reply)?.(kept);
    this.#waiting.delete(reply);
  }

  #linked(link: Link): void {
    this.link = link;
    if (link === 'reconnecting') {
      this.#keep();
      this.unsaved = false;
      // The server lists them again if there are any left.
      if (this.state.match) this.state = { ...this.state, match: { ...this.state.match, plans: [] } };
    }
    if (link === 'online' || link === 'slow') return;
    // A pending command may or may not have been carried out: the state after the reconnection shows it.
    this.#acting = null;
    this.#advising = null;
    this.#salted = '';
    for (const resolve of this.#waiting.values()) resolve(false);
    this.#waiting.clear();
    for (const resolve of this.#asking.values()) resolve(null);
    this.#asking.clear();
  }
}
