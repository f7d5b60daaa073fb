// The action cards as they look: an icon each, and a family that gives the colour.
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import Bomb from '@lucide/svelte/icons/bomb';
import Copy from '@lucide/svelte/icons/copy';
import Dices from '@lucide/svelte/icons/dices';
import Eye from '@lucide/svelte/icons/eye';
import FlipHorizontal from '@lucide/svelte/icons/flip-horizontal-2';
import Gift from '@lucide/svelte/icons/gift';
import HandGrab from '@lucide/svelte/icons/hand-grab';
import HeartPlus from '@lucide/svelte/icons/heart-plus';
import LayersPlus from '@lucide/svelte/icons/layers-plus';
import Megaphone from '@lucide/svelte/icons/megaphone';
import RefreshCcw from '@lucide/svelte/icons/refresh-ccw';
import Rocket from '@lucide/svelte/icons/rocket';
import Shield from '@lucide/svelte/icons/shield';
import Shuffle from '@lucide/svelte/icons/shuffle';
import SkipForward from '@lucide/svelte/icons/skip-forward';
import Skull from '@lucide/svelte/icons/skull';
import Snowflake from '@lucide/svelte/icons/snowflake';
import Telescope from '@lucide/svelte/icons/telescope';
import Trash from '@lucide/svelte/icons/trash-2';
import Undo from '@lucide/svelte/icons/undo-2';
import type { ActionName } from './turns';

/** What a card is for: `now` happens when it is drawn, `react` only answers an attack. */
export type Family = 'now' | 'own' | 'attack' | 'react';

interface Look {
  icon: typeof Eye;
  family: Family;
  /** Copies in the action deck. */
  copies: number;
}

/** The documented deck first, then what the extended one adds. */
export const LOOKS = {
  turnAround: { icon: Undo, family: 'now', copies: 3 },
  teleport: { icon: Rocket, family: 'own', copies: 4 },
  swap: { icon: ArrowLeftRight, family: 'attack', copies: 3 },
  peek: { icon: Eye, family: 'attack', copies: 4 },
  reveal: { icon: Megaphone, family: 'attack', copies: 2 },
  skip: { icon: SkipForward, family: 'own', copies: 4 },
  shuffle: { icon: Shuffle, family: 'own', copies: 2 },
  shield: { icon: Shield, family: 'react', copies: 3 },
  steal: { icon: HandGrab, family: 'attack', copies: 2 },
  curse: { icon: Skull, family: 'attack', copies: 2 },
  draw: { icon: LayersPlus, family: 'own', copies: 3 },
  heal: { icon: HeartPlus, family: 'own', copies: 2 },
  reverse: { icon: RefreshCcw, family: 'own', copies: 2 },
  discard: { icon: Trash, family: 'attack', copies: 2 },
  freeze: { icon: Snowflake, family: 'attack', copies: 2 },
  mirror: { icon: FlipHorizontal, family: 'react', copies: 3 },
  bomb: { icon: Bomb, family: 'attack', copies: 2 },
  duplicate: { icon: Copy, family: 'own', copies: 2 },
  gift: { icon: Gift, family: 'attack', copies: 2 },
  gamble: { icon: Dices, family: 'own', copies: 2 },
  scout: { icon: Telescope, family: 'own', copies: 3 },
} satisfies Record<ActionName, Look>;

export const NAMES = Object.keys(LOOKS) as ActionName[];
export const STANDARD = 12;
