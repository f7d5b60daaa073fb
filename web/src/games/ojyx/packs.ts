// The packs of Ojyx as docs/fairness.md publishes them.
import { bagOf, type Bag, type Packs } from '../../core/fairness';

const actions: Bag = bagOf(
  'turnAround×3 teleport×4 swap×3 peek×4 reveal×2 skip×4 shuffle×2 shield×3 steal×2 curse×2 draw×3 heal×2 ' +
    'reverse×2 discard×2 freeze×2 mirror×3 bomb×2 duplicate×2 gift×2 gamble×2 scout×3',
);

export const packs: Packs = {
  numbers: { bag: bagOf('-2×5 -1×10 0×15 1×10 2×10 3×10 4×10 5×10 6×10 7×10 8×10 9×10 10×10 11×10 12×10') },
  actions: { bag: actions },
  // The action cards that a player holds.
  stock: { bag: actions, anyOrder: true },
};
