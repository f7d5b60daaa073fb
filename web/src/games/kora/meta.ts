import type { GameMeta } from '../../core/game';
import en from './en.json';
import fr from './fr.json';

/** A fan of three cards, the 3 in front, and a kora beside it. */
const emblem =
  'M9.3 28L10.7 25.2L18.4 22.6L18.4 54.4zM45.6 22.6L53.3 25.2L54.7 28L45.6 54.4zM20 22.6q0-2.6 2.6-2.6H41.4q2.6 0 2.6 2.6V54.4q0 2.6-2.6 2.6H22.6q-2.6 0-2.6-2.6zM32 23.4l-3.4 4.6 3.4 4.6 3.4-4.6zM32 33.9l-3.4 4.6 3.4 4.6 3.4-4.6zM32 44.4l-3.4 4.6 3.4 4.6 3.4-4.6zM7.6 44a9 9 0 0 1 0 18a9 9 0 0 1 0-18zM7.6 46.4a6.6 6.6 0 0 0 0 13.2a6.6 6.6 0 0 0 0-13.2zM5.2 49.4h1.8v2.6l2.4-2.6h2.2l-3.2 3.5 3.3 3.7h-2.3l-2.4-2.8v2.8h-1.8z';

export default { messages: { fr, en }, emblem } satisfies GameMeta;
