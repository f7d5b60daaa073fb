// A game without a folder in the client is still played: its view as a list, its actions as buttons.
import type { Describe, GameClient } from '../core/game';
import { t } from '../i18n';
import GenericBoard from './GenericBoard.svelte';
import { actionWords } from './words';

/** Describes a step of any game with the words of its meta file, if it has one. */
const describeIn =
  (game: string): Describe =>
  ({ step, who }) => {
    if (!step.action) return t('generic.hidden', { name: who(step.seat) });
    return t('generic.played', { name: who(step.seat), action: actionWords(step.action, { game, seats: [] }) });
  };

export const genericClient = (game: string): GameClient => ({ board: GenericBoard, describe: describeIn(game) });
