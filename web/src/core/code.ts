/** The code in what a person typed or pasted: `k7q 2mx`, `K7Q-2MX`, or the whole link. */
export function readCode(typed: string): string {
  const linked = /\/table\/([^/?#\s]+)/i.exec(typed);
  return (linked?.[1] ?? typed).toUpperCase().replace(/[^A-Z0-9]/g, '');
}
