import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkCommitment,
  checkDraws,
  checkSalt,
  commitment,
  findProblem,
  isPartial,
  packsFrom,
  pick,
  seedOf,
  verifyRecord,
  type DealRecord,
  type Draw,
  type Packs,
} from './fairness';
import kora from '../games/kora';
import ojyx from '../games/ojyx';
import president from '../games/president';
import scrabble from '../games/scrabble';

interface Vectors {
  picks: { seed: string; ply: number; counter: number; n: number; value: number; next: number }[];
  draws: { seed: string; draws: Draw[] };
  commit: string;
  record: DealRecord & { secret: string; salts: string[]; draws: Draw[] };
  branch: DealRecord & { draws: Draw[] };
}

const vectors = JSON.parse(readFileSync('../tests/core/fairness-vectors.json', 'utf-8')) as Vectors;
const { record, commit } = vectors;
const forged = (at: number, change: Partial<Draw>) =>
  record.draws.map((draw, i) => (i === at ? { ...draw, ...change } : draw));
const PACKS: Packs = { ...kora.packs, ...ojyx.packs, ...scrabble.packs };
const game = { packs: PACKS, seats: 2 };
const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');

afterEach(() => vi.unstubAllGlobals());

describe('the published values', () => {
  it('are picked, also after a rejected hash', () => {
    for (const { seed, ply, counter, n, value, next } of vectors.picks)
      expect(pick(seed, ply, counter, n)).toEqual({ value, next });
    expect(vectors.picks.at(-1)!.next).toBe(2);
  });

  it('make a match that is sound, without WebCrypto too', () => {
    vi.stubGlobal('crypto', {});
    expect(commitment(record.secret)).toBe(commit);
    expect(seedOf(record.secret, record.salts)).toBe(record.seed);
    expect(verifyRecord(record, PACKS, commit)).toEqual([
      { what: 'commitment', ok: true },
      { what: 'seed', ok: true },
      { what: 'draws', ok: true },
    ]);
  });

  it('make a branch whose first plies follow from the seed of the match that it continues', () => {
    const { branch } = vectors;
    expect(verifyRecord(branch, PACKS).at(-1)).toEqual({ what: 'draws', ok: true });
    expect(verifyRecord({ ...branch, origins: [] }, PACKS).at(-1)!.problem!.ply).toBe(0);
    const late = branch.origins!.map((origin) => ({ ...origin, ply: branch.draws.at(-1)!.ply }));
    expect(verifyRecord({ ...branch, origins: late }, PACKS).at(-1)!.ok).toBe(false);
  });

  it('agree with the SHA-256 of the standard, beyond ASCII too', async () => {
    expect(commitment('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    for (const text of ['', 'é'.repeat(40), '🂡'])
      expect(commitment(text)).toBe(hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
  });
});

describe('the packs', () => {
  it('are those of docs/fairness.md', () => {
    const page = readFileSync('../docs/fairness.md', 'utf-8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (row|bag) \| ([^…]*?) \|$/gm)];
    const published: Record<string, unknown> = Object.fromEntries(
      rows.map(([, name, kind, things]) => [
        name,
        kind === 'row'
          ? { row: things!.split(' ') }
          : { bag: things!.split(' ').map((one) => [one.split('×')[0], Number(one.split('×')[1])]) },
      ]),
    );
    expect(Object.keys(published)).toHaveLength(4);
    const { stock, ...rest } = PACKS;
    expect(rest).toEqual(published);
    expect(stock).toEqual({ ...(published.actions as object), anyOrder: true });
    expect(president.packs).toEqual(kora.packs);
  });

  it('of a game do not include one that was renamed', () => {
    // The attack: the same draws under another name, from a row in an order that gives the wanted cards.
    const renamed = record.draws.map((draw) => (draw.pack === 'cards' ? { ...draw, pack: 'cartes' } : draw));
    expect(findProblem(record.seed, renamed, game)).toMatchObject({ number: 2, code: 'pack', listed: 'cartes' });
    expect(findProblem(record.seed, renamed, { packs: { ...kora.packs }, seats: 2 })).toMatchObject({ code: 'pack' });
  });

  it('may be a game’s own, such as 32 cards', () => {
    const row = [...'SHDC'].flatMap((suit) => [...'789TJQKA'].map((rank) => rank + suit));
    const { value } = pick('s', 0, 0, 32);
    const draw = { ply: 0, counter: 0, n: 32, value, pack: 'piquet', item: row[value]!, row };
    const own = { packs: packsFrom({ piquet: { row, bag: null } }), seats: 2 };
    expect(findProblem('s', [draw], own)).toBeNull();
    const sorted = row.toSorted();
    expect(findProblem('s', [{ ...draw, row: sorted, item: sorted[value]! }], own)).toMatchObject({ code: 'pool' });
  });

  it('that nobody declares leave only the numbers to check', () => {
    const none = { packs: {}, seats: 2 };
    expect(findProblem(record.seed, record.draws, none)).toBeNull();
    expect(isPartial(none.packs, record.draws)).toBe(true);
    expect(isPartial(PACKS, record.draws)).toBe(false);
    expect(findProblem(record.seed, forged(1, { value: 51 }), none)).toMatchObject({ code: 'value' });
  });

  it('as a bag allow no row in an order that the server chose, unless players hold its things', () => {
    const { value } = pick('s', 0, 0, 2);
    const row = ['swap', 'peek'];
    const draw = { ply: 0, counter: 0, n: 2, value, item: row[value]!, row };
    expect(findProblem('s', [{ ...draw, pack: 'actions' }], game)).toMatchObject({ code: 'pool' });
    expect(findProblem('s', [{ ...draw, pack: 'stock' }], game)).toBeNull();
    const many = { ...draw, pack: 'stock', row: ['bomb', 'bomb'], item: 'bomb' };
    expect(findProblem('s', [many], game)).toBeNull();
    expect(findProblem('s', [{ ...many, row: ['ace', 'bomb'] }], game)).toMatchObject({ code: 'pool' });
  });
});

describe('draws', () => {
  it('count up to the last', () => {
    const counted = [];
    for (const right of checkDraws(record.seed, record.draws, game)) counted.push(right);
    expect(counted).toEqual(record.draws.map((_, at) => at + 1));
  });

  it('of rows, bags and bare numbers follow from one another', () => {
    expect(findProblem(vectors.draws.seed, vectors.draws.draws, { packs: {}, seats: 4 })).toBeNull();
  });

  it('with one changed card are caught at its place, whichever it is', () => {
    for (const [at, draw] of record.draws.entries()) {
      const listed = draw.item === '7H' ? 'KD' : '7H';
      const number = record.draws.slice(0, at + 1).filter((one) => one.ply === draw.ply).length;
      expect(findProblem(record.seed, forged(at, { item: listed }), game)).toEqual({
        ply: draw.ply,
        number,
        code: 'item',
        listed,
        given: draw.item,
      });
    }
  });

  it.each<[string, Partial<Draw>]>([
    ['value', { value: 51 }],
    ['size', { n: 51 }],
    ['order', { counter: 7 }],
    ['order', { ply: -1 }],
    ['malformed', { n: 0 }],
    ['malformed', { n: 2.5 }],
    ['malformed', { value: undefined }],
    ['malformed', { row: 'AS' as unknown as string[] }],
    ['malformed', { row: null, bag: [['AS', -52]] }],
    ['malformed', { row: null, bag: ['AS'] as unknown as [string, number][] }],
    ['pool', { row: null }],
    ['pool', { row: [...record.draws[1]!.row!].reverse() }],
    ['pool', { row: null, bag: [['AS', 52]] }],
  ])('with a wrong %s are caught: %o', (code, change) => {
    expect(findProblem(record.seed, forged(1, change), game)).toMatchObject({ number: expect.any(Number), code });
  });

  it('that are malformed are caught', () => {
    expect(findProblem('s', [null as unknown as Draw], game)).toMatchObject({ number: 1, code: 'malformed' });
  });

  it('cannot be left out or slipped in', () => {
    const place = { ply: 0, number: 3, code: 'order' };
    expect(findProblem(record.seed, record.draws.toSpliced(2, 1), game)).toMatchObject(place);
    const twice = record.draws.toSpliced(2, 0, record.draws[1]!);
    expect(findProblem(record.seed, twice, game)).toMatchObject(place);
  });

  it.each<[[string, number][], boolean]>([
    [
      [
        ['-2', 5],
        ['12', 3],
      ],
      true,
    ],
    [
      [
        ['12', 3],
        ['-2', 5],
      ],
      false,
    ],
    [
      [
        ['-2', 6],
        ['12', 2],
      ],
      false,
    ],
    [
      [
        ['-2', 5],
        ['13', 3],
      ],
      false,
    ],
    [
      [
        ['-2', 4],
        ['-2', 4],
      ],
      false,
    ],
    [
      [
        ['-2', 4],
        ['12', 4.5],
      ],
      false,
    ],
  ])('come from a bag of the published pack, in its order: %o', (bag, fits) => {
    const { value } = pick('s', 0, 0, 8);
    const item = value < bag[0]![1] ? bag[0]![0] : bag[1]![0];
    const problem = findProblem('s', [{ ply: 0, counter: 0, n: 8, value, pack: 'numbers', item, bag }], game);
    expect(problem?.code).toBe(fits ? undefined : 'pool');
  });

  it('among seats come from all of them in their order', () => {
    const { value } = pick('s', 0, 0, 2);
    const draw = { ply: 0, counter: 0, n: 2, value, pack: 'seats' };
    expect(findProblem('s', [{ ...draw, item: String(value), row: ['0', '1'] }], game)).toBeNull();
    const turned = { ...draw, item: String(1 - value), row: ['1', '0'] };
    expect(findProblem('s', [turned], game)).toMatchObject({ code: 'pool' });
  });
});

describe('a proof', () => {
  const proof = { secret: record.secret, commit, salts: record.salts, seed: record.seed };

  it('holds one’s own salt at one’s own seat', () => {
    expect(checkSalt(proof, 0, 'c0ffee5a17')).toBe(true);
    expect(checkSalt(proof, 1, 'c0ffee5a17')).toBe(false);
    expect(checkSalt(proof, null, 'c0ffee5a17')).toBeNull();
    expect(checkSalt(proof, 0, null)).toBeNull();
  });

  it('matches the commitment that was seen, and no other', () => {
    expect(checkCommitment(record.secret, commit)).toBe(true);
    expect(checkCommitment('another', commit)).toBe(false);
    expect(checkCommitment(null, commit)).toBe(false);
    expect(checkCommitment(record.secret, null)).toBeNull();
  });
});

describe('a record', () => {
  const found = (change: Partial<DealRecord>, seen: string | null = commit) =>
    Object.fromEntries(verifyRecord({ ...record, ...change }, PACKS, seen).map(({ what, ok }) => [what, ok]));

  it.each<[string, Partial<DealRecord>, object]>([
    ['secret', { secret: 'f'.repeat(32) }, { commitment: false, seed: false, draws: true }],
    ['salt', { salts: ['c0ffee5a18', '-'] }, { commitment: true, seed: false, draws: true }],
    ['number of salts', { salts: ['c0ffee5a17'] }, { commitment: true, seed: false, draws: true }],
    ['seed', { seed: 'another' }, { commitment: true, seed: false, draws: false }],
  ])('with a changed %s is caught', (_, change, checks) => {
    expect(found(change)).toEqual(checks);
  });

  it('without a proof says that there was nothing to compare', () => {
    expect(found({ secret: undefined, salts: undefined, draws: undefined }, null)).toEqual({
      commitment: null,
      seed: null,
      draws: null,
    });
  });

  it('with a changed card names its place', () => {
    const checks = verifyRecord({ ...record, draws: forged(4, { item: 'KD' }) }, PACKS);
    expect(checks.at(-1)).toMatchObject({ ok: false, problem: { ply: 0, number: 5, code: 'item', listed: 'KD' } });
  });
});
