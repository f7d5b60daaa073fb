import type { GameMeta } from '../../core/game';
import en from './en.json';
import fr from './fr.json';

/** A grid of twelve, one column of it falling away. */
const emblem =
  'M11 12h9v11h-9zM22.5 12h9v11h-9zM44.500 12h9v11h-9zM11 26.500h9v11h-9zM22.500 26.500h9v11h-9zM44.500 26.500h9v11h-9zM11 41h9v11h-9zM22.500 41h9v11h-9zM44.500 41h9v11h-9zM38.250 14l3.200 3.500-3.200 3.500-3.200-3.500zM38.250 30l2.400 2.600-2.400 2.600-2.400-2.600zM38.250 45l1.600 1.800-1.600 1.800-1.600-1.800z';

export default { messages: { fr, en }, emblem } satisfies GameMeta;
