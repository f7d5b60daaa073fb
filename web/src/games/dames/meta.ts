import type { GameMeta } from '../../core/game';
import en from './en.json';
import fr from './fr.json';

/** A corner of the board, and two draughts on it, one crowned. */
const emblem =
  'M18 2h12v12h-12zM42 2h12v12h-12zM6 14h12v12h-12zM30 14h12v12h-12zM54 14h8v12h-8zM18 26h12v12h-12zM42 26h12v12h-12zM27 46a14 14 0 1 1 0 .1zM30.5 46a10.5 10.5 0 1 0 0-.1zM33.5 41.5l4 3.2 3.5-6 3.5 6 4-3.2-1.6 9h-11.8zM2 44a11 11 0 1 1 0 .1zM5 44a8 8 0 1 0 0-.1zM9 44a4 4 0 1 1 0 .1z';

const clocked = ['competitive', 'international'];

export default {
  messages: { fr, en },
  emblem,
  needs: {
    move_time: { variant: clocked },
    match_time: { variant: ['competitive'] },
    player_time: { variant: clocked },
  },
  pages: { 'analyse/dames': () => import('./analysis/Analysis.svelte') },
} satisfies GameMeta;
