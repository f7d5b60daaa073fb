// Keeps what this browser saw and sent before a deal, so that it can check the deal after the match.

/** The hash that the server published before a match, and the salt that this browser answered it with. */
export interface Promised {
  commit: string;
  salt: string;
  /** The server has answered that it took the salt. */
  taken?: boolean;
}

const MOST_KEPT = 20;
const key = (code: string) => `tablee.promises.${code}`;

/** What was kept, by the number of the match: if a server shows another hash in the end, there is still one to compare. */
function promises(code: string): Record<string, Promised> {
  try {
    return JSON.parse(localStorage.getItem(key(code)) ?? '{}') as Record<string, Promised>;
  } catch {
    return {};
  }
}

/** The commitment from before a match; undefined if this browser did not see it. */
export function promised(code: string, match: number): Promised | undefined {
  return promises(code)[match];
}

/** The salt for the hash that was published for a match; it stays as long as the hash does. */
export function saltFor(code: string, match: number, commit: string): string {
  const known = promises(code)[match];
  if (known?.commit === commit) return known.salt;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const salt = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  keep(code, match, { commit, salt });
  return salt;
}

/** The server took the salt that answers a hash. */
export function saltTaken(code: string, match: number, commit: string): void {
  const known = promises(code)[match];
  if (known?.commit === commit) keep(code, match, { ...known, taken: true });
}

function keep(code: string, match: number, promise: Promised): void {
  const kept = Object.entries({ ...promises(code), [match]: promise }).slice(-MOST_KEPT);
  try {
    localStorage.setItem(key(code), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps nothing can still play; it will not remember what it saw.
  }
}
