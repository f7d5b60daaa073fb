import type { GameMeta } from '../../core/game';
import en from './en.json';
import fr from './fr.json';

/** A fan of three cards, the 3 in front, and a kora beside it. */
const emblem =
  'M12.3 28L13.7 25.2L21.4 22.6L21.4 54.4zM48.6 22.6L56.3 25.2L57.7 28L48.6 54.4zM23 22.6q0-2.6 2.6-2.6H44.4q2.6 0 2.6 2.6V54.4q0 2.6-2.6 2.6H25.6q-2.6 0-2.6-2.6zM35 23.4l-3.4 4.6 3.4 4.6 3.4-4.6zM35 33.9l-3.4 4.6 3.4 4.6 3.4-4.6zM35 44.4l-3.4 4.6 3.4 4.6 3.4-4.6zM9 43a9 9 0 0 1 0 18a9 9 0 0 1 0-18zM9 45.4a6.6 6.6 0 0 0 0 13.2a6.6 6.6 0 0 0 0-13.2zM6.6 48.4h1.8v2.6l2.4-2.6h2.2l-3.2 3.5 3.3 3.7h-2.3l-2.4-2.8v2.8h-1.8z';

export default { messages: { fr, en }, emblem } satisfies GameMeta;
