// The check of a deal, from docs/fairness.md and SHA-256 alone: no rules, and nothing that the server could bend.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Origin, Pack as PublishedPack, Proof, Draw as WholeDraw } from './types.gen';

export type { Origin, Proof };
export type Row = string[];
export type Bag = [string, number][];

/** Everything that can be drawn: a row in its order, or a bag. With `anyOrder` a row of things of the bag may be drawn from
 *  too: the cards that somebody holds, for instance. */
export type Pack = { row: Row } | { bag: Bag; anyOrder?: true };
/** The packs of a game by name; empty if it declares none. */
export type Packs = Record<string, Pack>;

/** One pick of a match; fields that do not apply are absent. */
export type Draw = Pick<WholeDraw, 'ply' | 'counter' | 'n' | 'value'> & Partial<WholeDraw>;

/** The place of a draw and what is wrong there: the key of a message and its values. */
export interface Problem {
  ply: number;
  /** The number of the draw in its ply, from 1. */
  number: number;
  code: 'item' | 'value' | 'order' | 'size' | 'pack' | 'pool' | 'malformed';
  listed: string;
  given: string;
}

/** `A×9 B×2` → a bag. */
export const bagOf = (things: string): Bag =>
  things.split(' ').map((one) => {
    const [name, count] = one.split('×');
    return [name!, Number(count)];
  });

export const NO_SALT = '-';

// Not WebCrypto: browsers refuse it to a page that came over plain http from another machine.
const digest = (text: string) => sha256(utf8ToBytes(text));

/** The commitment to a secret. */
export const commitment = (secret: string) => bytesToHex(digest(secret));

export const seedOf = (secret: string, salts: readonly string[]) => `${secret}/${salts.join(',')}`;

/** The seed that a ply of a branch draws from: that of the match which it continues, up to the ply where it leaves it. */
export const seedAt = (seed: string, origins: readonly Origin[], ply: number) =>
  origins.find((origin) => ply <= origin.ply)?.seed ?? seed;

/** A pick below n, and the counter of the pick after it. */
export function pick(seed: string, ply: number, counter: number, n: number) {
  const span = 1n << 64n;
  for (let at = counter; ; at++) {
    const bytes = digest(`${seed}/${ply}/${at}`);
    const value = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
    if (value < span - (span % BigInt(n))) return { value: Number(value % BigInt(n)), next: at + 1 };
  }
}

type Pool = { row: Row } | { bag: Bag };

const sizeOf = (pool: Pool) => ('row' in pool ? pool.row.length : pool.bag.reduce((sum, [, count]) => sum + count, 0));

function itemAt(pool: Pool, at: number): string | undefined {
  if ('row' in pool) return pool.row[at];
  let left = at;
  for (const [name, count] of pool.bag) {
    if (left < count) return name;
    left -= count;
  }
  return undefined;
}

/** The pack after a draw. In a row the last item takes the place of the drawn one; in a bag the count of the item drops by one. */
function without(pool: Pool, at: number): Pool {
  if ('row' in pool) return { row: pool.row.with(at, pool.row.at(-1)!).slice(0, -1) };
  const item = itemAt(pool, at);
  const bag = pool.bag.map(([name, count]): [string, number] => [name, name === item ? count - 1 : count]);
  return { bag: bag.filter(([, count]) => count > 0) };
}

/** Whether a draw has the fields of its type; it may come from a file. */
function isSound(draw: Draw | null): boolean {
  const { ply, counter, n, value, row, bag } = draw ?? ({} as Draw);
  return (
    [ply, counter, n, value].every(Number.isSafeInteger) &&
    n > 0 &&
    (row == null || Array.isArray(row)) &&
    (bag == null || (Array.isArray(bag) && bag.every((pair) => Array.isArray(pair) && pair[1] > 0)))
  );
}

/** The packs that the server publishes. It does not say whether players hold things of a bag, so any order is accepted. */
export function packsFrom(published: Record<string, PublishedPack>): Packs {
  const entries = Object.entries(published).flatMap(([name, { row, bag }]): [string, Pack][] =>
    row ? [[name, { row }]] : bag ? [[name, { bag, anyOrder: true }]] : [],
  );
  return Object.fromEntries(entries);
}

const seatsPack = (seats: number): Pack => ({ row: Array.from({ length: seats }, (_, seat) => String(seat)) });

/** Whether a row or bag in a list of draws can come from a pack. */
function isAllowed(pack: Pack, pool: Pool): boolean {
  if ('row' in pack) return 'row' in pool && pack.row.join() === pool.row.join();
  if ('row' in pool) return pack.anyOrder === true && isWithin(pack.bag, pool.row);
  let after = -1;
  return pool.bag.every(([name, count]) => {
    const at = pack.bag.findIndex(([known]) => known === name);
    const fits = at > after && Number.isInteger(count) && count <= pack.bag[at]![1];
    after = at;
    return fits;
  });
}

function isWithin(bag: Bag, row: Row): boolean {
  const most = new Map(bag);
  return row.every((one) => row.filter((other) => other === one).length <= (most.get(one) ?? 0));
}

const shown = (pool: Pool) =>
  ('row' in pool ? pool.row : pool.bag.map(([name, count]) => `${name}×${count}`)).join(' ');

/** Recomputes draws one after the other: yields how many are right so far, and ends with the first problem, if any.
 *  A draw from a pack that the game does not declare is a problem. A game without any packs is not accused: see `isPartial`. */
export function* checkDraws(
  seed: string,
  draws: readonly Draw[],
  { packs, seats, origins = [] }: { packs: Packs; seats: number; origins?: readonly Origin[] },
): Generator<number, Problem | null> {
  const known = new Map(Object.entries({ ...packs, seats: seatsPack(seats) }));
  const declares = Object.keys(packs).length > 0;
  const pools = new Map<string, Pool>();
  let ply = -1;
  let number = 0;
  let next = 0;
  for (const [at, draw] of draws.entries()) {
    if (draw?.ply !== ply) [number, next] = [0, 0];
    number++;
    const wrong = (
      code: Problem['code'],
      listed: string | number | null | undefined,
      given: string | number | undefined,
    ): Problem => ({
      ply: draw?.ply ?? ply,
      number,
      code,
      listed: String(listed ?? ''),
      given: String(given ?? ''),
    });
    if (!isSound(draw)) return wrong('malformed', JSON.stringify(draw), '');
    if (draw.ply < ply || draw.counter !== next) return wrong('order', draw.counter, next);
    ply = draw.ply;
    const { value, next: after } = pick(seedAt(seed, origins, ply), ply, next, draw.n);
    next = after;
    if (draw.pack) {
      const brought: Pool | null = draw.row ? { row: draw.row } : draw.bag ? { bag: draw.bag } : null;
      const pool = brought ?? pools.get(draw.pack);
      if (!pool) return wrong('pool', '', draw.pack);
      const pack = known.get(draw.pack);
      if (!pack && declares) return wrong('pack', draw.pack, '');
      if (brought && pack && !isAllowed(pack, brought)) return wrong('pool', shown(brought), draw.pack);
      if (sizeOf(pool) !== draw.n) return wrong('size', draw.n, sizeOf(pool));
      const item = itemAt(pool, value);
      if (item !== draw.item) return wrong('item', draw.item, item);
      pools.set(draw.pack, without(pool, value));
    }
    if (value !== draw.value) return wrong('value', draw.value, value);
    yield at + 1;
  }
  return null;
}

/** Whether only the picks of a match can be checked: its game declares no packs. */
export const isPartial = (packs: Packs, draws: readonly Draw[]) =>
  Object.keys(packs).length === 0 && draws.some(({ pack }) => pack && pack !== 'seats');

/** Every draw at once. */
export function findProblem(
  seed: string,
  draws: readonly Draw[],
  game: { packs: Packs; seats: number; origins?: readonly Origin[] },
): Problem | null {
  const checking = checkDraws(seed, draws, game);
  for (;;) {
    const { done, value } = checking.next();
    if (done) return value;
  }
}

/** What a record of a match says about its deal; the rest of it is for the rules. */
export interface DealRecord {
  seats: number;
  seed: string;
  secret?: string | null;
  salts?: string[] | null;
  draws?: Draw[] | null;
  origins?: Origin[];
}

/** The result of one check; `ok` is null if there was nothing to compare with. */
export interface Check {
  what: 'commitment' | 'salt' | 'seed' | 'draws';
  ok: boolean | null;
  problem?: Problem;
}

/** Whether the secret matches the commitment; null if nobody saw the commitment. */
export function checkCommitment(secret: string | null | undefined, seen: string | null): boolean | null {
  if (seen === null) return null;
  return typeof secret === 'string' && commitment(secret) === seen.trim().toLowerCase();
}

/** Whether the seed is made of the secret and of one salt for each seat; null if the record has no secret. */
export function checkSeed({ seats, seed, secret, salts }: Omit<DealRecord, 'draws' | 'origins'>): boolean | null {
  if (typeof secret !== 'string') return null;
  return Array.isArray(salts) && salts.length === seats && seedOf(secret, salts) === seed;
}

/** Whether one's own salt is in its place; null if one sent none. */
export function checkSalt(proof: Proof, seat: number | null, ownSalt: string | null): boolean | null {
  return seat === null || ownSalt === null ? null : proof.salts[seat] === ownSalt;
}

/** Checks the deal of a record; `seen` is the commitment from before it, if somebody kept it. */
export function verifyRecord(record: DealRecord, packs: Packs, seen: string | null = null): Check[] {
  const game = { packs, seats: record.seats, origins: record.origins };
  const problem = record.draws ? findProblem(record.seed, record.draws, game) : null;
  return [
    { what: 'commitment', ok: checkCommitment(record.secret, seen) },
    { what: 'seed', ok: checkSeed(record) },
    { what: 'draws', ok: record.draws ? problem === null : null, ...(problem && { problem }) },
  ];
}
