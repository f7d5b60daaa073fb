// SHA-256 (FIPS 180-4), for pages that may not use the browser's own.

/** The first 32 bits of the fractional parts of a root of the first primes. */
function fractions(root: number, count: number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let divisor = 2;
    while (divisor * divisor <= n && n % divisor) divisor++;
    if (divisor * divisor > n) found.push((n ** (1 / root) % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

const START = fractions(2, 8);
const ROUNDS = fractions(3, 64);
const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

/** One bit, zeros, and the length in bits: a whole number of blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return view;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const text = padded(bytes);
  const hash = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < text.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = text.getUint32(block + 4 * i);
        continue;
      }
      const [x, y] = [w[i - 15]!, w[i - 2]!];
      const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + low + w[i - 7]! + high;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + h + ROUNDS[i]! + w[i]!;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    for (const [i, part] of [a, b, c, d, e, f, g, h].entries()) hash[i]! += part;
  }
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, part] of hash.entries()) out.setUint32(4 * i, part);
  return new Uint8Array(out.buffer);
}
