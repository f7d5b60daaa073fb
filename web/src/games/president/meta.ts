import type { GameMeta } from '../../core/game';
import en from './en.json';
import fr from './fr.json';

/** A crown, and under it a hand held in a fan. */
const emblem =
  'M21.6 21.1l6.1 6.5L35.3 17.3l7.6 10.3L49 21.1l-2.3 12.9H23.9zM24.3 35.9h22v2.7h-22zM20.3 44.5L14.4 47.4q-1.4 0.8 -0.8 2.3l4.6 10.2H23.9zM50.4 44.5L56.2 47.4q1.4 0.8 0.8 2.3l-4.6 10.2H46.7zM25.8 43.1q0 -1.9 1.9 -1.9H42.9q1.9 0 1.9 1.9V59.9H25.8zM35.3 45.4l-2.9 4L35.3 53.3l2.9 -4z';

export default { messages: { fr, en }, emblem } satisfies GameMeta;
