import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoff, Connection, type Link } from './connection';

class FakeSocket {
  static OPEN = 1;
  static all: FakeSocket[] = [];
  static get last() {
    return FakeSocket.all.at(-1)!;
  }
  readyState = 0;
  sent: { type: string; id: number }[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(data: string) {
    this.sent.push(JSON.parse(data));
  }
  close() {
    this.readyState = 3;
  }
  answer(frame: object = { type: 'done', reply: 0 }) {
    this.readyState = 1;
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  drop(code: number) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let links: Link[];
let gone: number[];
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  links = [];
  gone = [];
  connection = new Connection('ws://here/ws/ABC', {
    frame: () => {},
    link: (link) => links.push(link),
    gone: (code) => gone.push(code),
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the line to the server', () => {
  it('waits longer each time where it is only told why it is turned away', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    for (const wait of [500, 1000, 2000]) {
      FakeSocket.last.answer({ type: 'refused', code: 'unknown_game', values: {}, reply: null });
      const before = FakeSocket.all.length;
      FakeSocket.last.drop(4400);
      vi.advanceTimersByTime(wait - 1);
      expect(FakeSocket.all.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all.length).toBe(before + 1);
    }
    FakeSocket.last.answer();
    FakeSocket.last.drop(1012);
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all.length).toBe(5);
    vi.restoreAllMocks();
  });

  it('is online from the first frame on', () => {
    FakeSocket.last.answer();
    expect(links).toEqual(['online']);
  });

  it('numbers what it sends, and sends nothing without a line', () => {
    expect(connection.send({ type: 'sit' })).toBeNull();
    FakeSocket.last.answer();
    expect(connection.send({ type: 'sit' })).toBe(1);
    expect(connection.send({ type: 'start' })).toBe(2);
    expect(FakeSocket.last.sent).toEqual([
      { type: 'sit', id: 1 },
      { type: 'start', id: 2 },
    ]);
  });

  it('pings a quiet line, calls it slow, then gives it up and comes back', () => {
    FakeSocket.last.answer();
    vi.advanceTimersByTime(25_000);
    expect(FakeSocket.last.sent).toEqual([{ type: 'ping', hidden: false, id: 1 }]);
    vi.advanceTimersByTime(2_500);
    expect(links.at(-1)).toBe('slow');
    vi.advanceTimersByTime(7_500);
    expect(links.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.answer();
    expect(links.at(-1)).toBe('online');
  });

  it('is fast again as soon as anything is heard', () => {
    FakeSocket.last.answer();
    vi.advanceTimersByTime(27_500);
    FakeSocket.last.answer();
    expect(links).toEqual(['online', 'slow', 'online']);
  });

  it('comes back at once when the network does', () => {
    FakeSocket.last.answer();
    FakeSocket.last.drop(1006);
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('does not come back to a table that is not there', () => {
    FakeSocket.last.drop(4404);
    vi.advanceTimersByTime(60_000);
    expect(gone).toEqual([4404]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('waits longer each time, never more than fifteen seconds, and not always the same', () => {
    expect([0, 1, 2, 10].map((attempt) => backoff(attempt, 1))).toEqual([500, 1000, 2000, 15_000]);
    expect(backoff(2, 0)).toBe(1000);
  });
});
