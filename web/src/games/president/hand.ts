// The layout of one's own cards: weakest first, ranks together, in two rows if one would be too narrow for fingers.

/** A hand arrives in the normal order; a révolution turns its ranks round, and suits keep theirs within a rank. */
export function inOrder(hand: readonly string[], revolution: boolean): string[] {
  return (revolution ? byRank(hand).reverse() : byRank(hand)).flat();
}

/** Neighbours of one rank, together. */
export function byRank(hand: readonly string[]): string[][] {
  const ranks: string[][] = [];
  for (const card of hand) {
    const last = ranks.at(-1);
    if (last && last[0]![0] === card[0]) last.push(card);
    else ranks.push([card]);
  }
  return ranks;
}

/** One row, or two of nearly the same length that split no rank if that can be avoided. */
export function inRows(hand: readonly string[], perRow: number): string[][] {
  if (hand.length <= perRow) return [[...hand]];
  const half = Math.ceil(hand.length / 2);
  const fits = (cut: number) => Math.max(cut, hand.length - cut) <= perRow;
  const cuts = hand.map((_, at) => at).filter((at) => at > 0 && hand[at]![0] !== hand[at - 1]![0] && fits(at));
  const cut = cuts.sort((a, b) => Math.abs(a - half) - Math.abs(b - half))[0] ?? half;
  return [hand.slice(0, cut), hand.slice(cut)];
}
