// The packs of docs/fairness.md, in their published order: whoever lists the draws of a match cannot choose another.
import type { Bag, Row } from './fairness';

const row = (things: string): { row: Row } => ({ row: things.split(' ') });
const bag = (things: string): { bag: Bag } => ({
  bag: things.split(' ').map((one) => {
    const [name, count] = one.split('×');
    return [name!, Number(count)];
  }),
});

export const PACKS: Record<string, { row: Row } | { bag: Bag }> = {
  cards: row([...'SHDC'].map((suit) => [...'A23456789TJQK'].map((rank) => rank + suit).join(' ')).join(' ')),
  numbers: bag('-2×5 -1×10 0×15 1×10 2×10 3×10 4×10 5×10 6×10 7×10 8×10 9×10 10×10 11×10 12×10'),
  actions: bag(
    'turnAround×3 teleport×4 swap×3 peek×4 reveal×2 skip×4 shuffle×2 shield×3 steal×2 curse×2 draw×3 heal×2 ' +
      'reverse×2 discard×2 freeze×2 mirror×3 bomb×2 duplicate×2 gift×2 gamble×2 scout×3',
  ),
  tiles: bag(
    '?×2 A×9 B×2 C×2 D×3 E×15 F×2 G×2 H×2 I×8 J×1 K×1 L×5 M×3 N×6 ' + 'O×6 P×2 Q×1 R×6 S×6 T×6 U×6 V×2 W×1 X×1 Y×1 Z×1',
  ),
};
