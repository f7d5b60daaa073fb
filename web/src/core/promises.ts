// What this browser saw and added before a deal: kept, so that the deal can be checked when it is over.

const MOST_KEPT = 20;
const key = (code: string) => `tablee.promises.${code}`;

/** The salts of this browser by the commitment they were added to, newest last. */
function promises(code: string): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(key(code)) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

/** What this browser added to the deal of a commitment; undefined where it did not see it before the deal. */
export function saltFor(code: string, commit: string): string | undefined {
  return promises(code)[commit];
}

/** Draws and keeps a salt for a commitment that has just been published. */
export function newSalt(code: string, commit: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const salt = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const kept = Object.entries({ ...promises(code), [commit]: salt }).slice(-MOST_KEPT);
  try {
    localStorage.setItem(key(code), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps nothing can still play; it will not remember what it saw.
  }
  return salt;
}
