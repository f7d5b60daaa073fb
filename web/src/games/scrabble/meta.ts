import type { GameMeta } from '../../core/game';
import en from './en.json';
import fr from './fr.json';

/** Three tiles that cross, each with the notch of its value. */
const emblem =
  'M6 2h16a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4h-16a4 4 0 0 1-4-4v-16a4 4 0 0 1 4-4zM8 21h3.2l1.2-3.6h5.2l1.2 3.6h3.2l-5.2-15h-3.6zM13.3 14.8l1.7-5.4 1.7 5.4zM34 20h16a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4h-16a4 4 0 0 1-4-4v-16a4 4 0 0 1 4-4zM37 39h10.5v-2.7h-7.4v-3.7h6.2v-2.6h-6.2v-3.3h7.2v-2.7h-10.3zM10 34h14a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4h-14a4 4 0 0 1-4-4v-20a4 4 0 0 1 4-4zM11 55.5h12v-2.7h-8.2l8-9.6v-2.4h-11.4v2.7h7.6l-8 9.6zM38 50h20a4 4 0 0 1 4 4v4a4 4 0 0 1-4 4h-20a4 4 0 0 1-4-4v-4a4 4 0 0 1 4-4z';

export default {
  messages: { fr, en },
  emblem,
  needs: { challenge_time: { validation: ['challenge'] } },
  pages: { mots: () => import('./Words.svelte'), 'analyse/scrabble': () => import('./analysis/Analysis.svelte') },
} satisfies GameMeta;
