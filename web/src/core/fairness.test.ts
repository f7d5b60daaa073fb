import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  checkCommitment,
  checkDraws,
  checkSalt,
  commitment,
  findProblem,
  pick,
  seedOf,
  verifyRecord,
  type DealRecord,
  type Draw,
} from './fairness';
import { PACKS } from './packs';

interface Vectors {
  picks: { seed: string; ply: number; counter: number; n: number; value: number; next: number }[];
  draws: { seed: string; draws: Draw[] };
  commit: string;
  record: DealRecord & { secret: string; salts: string[]; draws: Draw[] };
}

const vectors = JSON.parse(readFileSync('../tests/core/fairness-vectors.json', 'utf-8')) as Vectors;
const { record, commit } = vectors;
const forged = (at: number, change: Partial<Draw>) =>
  record.draws.map((draw, i) => (i === at ? { ...draw, ...change } : draw));
const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');

afterEach(() => vi.unstubAllGlobals());

describe('the published values', () => {
  it('are picked, beyond a hash that is thrown away too', () => {
    for (const { seed, ply, counter, n, value, next } of vectors.picks)
      expect(pick(seed, ply, counter, n)).toEqual({ value, next });
    expect(vectors.picks.at(-1)!.next).toBe(2);
  });

  it('make a match that is sound, without WebCrypto too', () => {
    vi.stubGlobal('crypto', {});
    expect(commitment(record.secret)).toBe(commit);
    expect(seedOf(record.secret, record.salts)).toBe(record.seed);
    expect(verifyRecord(record, commit)).toEqual([
      { what: 'commitment', ok: true },
      { what: 'seed', ok: true },
      { what: 'draws', ok: true },
    ]);
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
    const told = Object.fromEntries(
      rows.map(([, name, kind, things]) => [
        name,
        kind === 'row'
          ? { row: things!.split(' ') }
          : { bag: things!.split(' ').map((one) => [one.split('×')[0], Number(one.split('×')[1])]) },
      ]),
    );
    expect(Object.keys(told)).toHaveLength(4);
    expect(PACKS).toEqual(told);
  });
});

describe('draws', () => {
  it('count up to the last', () => {
    const counted = [];
    for (const right of checkDraws(record.seed, record.draws)) counted.push(right);
    expect(counted).toEqual(record.draws.map((_, at) => at + 1));
  });

  it('of rows, bags and bare numbers follow from one another', () => {
    expect(findProblem(vectors.draws.seed, vectors.draws.draws)).toBeNull();
  });

  it('with one changed card are caught at its place, whichever it is', () => {
    for (const [at, draw] of record.draws.entries()) {
      const told = draw.item === '7H' ? 'KD' : '7H';
      const number = record.draws.slice(0, at + 1).filter((one) => one.ply === draw.ply).length;
      expect(findProblem(record.seed, forged(at, { item: told }))).toEqual({
        ply: draw.ply,
        number,
        code: 'item',
        told,
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
    expect(findProblem(record.seed, forged(1, change))).toMatchObject({ number: expect.any(Number), code });
  });

  it('that are none are caught', () => {
    expect(findProblem('s', [null as unknown as Draw])).toMatchObject({ number: 1, code: 'malformed' });
  });

  it('cannot be left out or slipped in', () => {
    const place = { ply: 0, number: 3, code: 'order' };
    expect(findProblem(record.seed, record.draws.toSpliced(2, 1))).toMatchObject(place);
    const twice = record.draws.toSpliced(2, 0, record.draws[1]!);
    expect(findProblem(record.seed, twice)).toMatchObject(place);
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
    const problem = findProblem('s', [{ ply: 0, counter: 0, n: 8, value, pack: 'numbers', item, bag }]);
    expect(problem?.code).toBe(fits ? undefined : 'pool');
  });

  it('among seats come from all of them in their order', () => {
    const { value } = pick('s', 0, 0, 2);
    const draw = { ply: 0, counter: 0, n: 2, value, pack: 'seats' };
    expect(findProblem('s', [{ ...draw, item: String(value), row: ['0', '1'] }])).toBeNull();
    const turned = { ...draw, item: String(1 - value), row: ['1', '0'] };
    expect(findProblem('s', [turned])).toMatchObject({ code: 'pool' });
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

  it('keeps the promise that was seen, and no other', () => {
    expect(checkCommitment(record.secret, commit)).toBe(true);
    expect(checkCommitment('another', commit)).toBe(false);
    expect(checkCommitment(null, commit)).toBe(false);
    expect(checkCommitment(record.secret, null)).toBeNull();
  });
});

describe('a record', () => {
  const found = (change: Partial<DealRecord>, seen: string | null = commit) =>
    Object.fromEntries(verifyRecord({ ...record, ...change }, seen).map(({ what, ok }) => [what, ok]));

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
    const checks = verifyRecord({ ...record, draws: forged(4, { item: 'KD' }) });
    expect(checks.at(-1)).toMatchObject({ ok: false, problem: { ply: 0, number: 5, code: 'item', told: 'KD' } });
  });
});
