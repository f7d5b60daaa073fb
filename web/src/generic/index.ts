// A game without a folder in the client is still played: its view as a list, its actions as buttons.
import type { GameClient } from '../core/game';
import { t } from '../i18n';
import { readable } from '../core/labels';
import GenericBoard from './GenericBoard.svelte';
import { actionWords } from './words';

const generic: GameClient = {
  board: GenericBoard,
  describe: ({ step, who }) => {
    const action = step.action as { type?: string } | null;
    if (!action) return t('generic.hidden', { name: who(step.seat) });
    return t('generic.played', { name: who(step.seat), action: actionWords(action) || readable(String(action.type)) });
  },
};

export const loadGeneric = () => Promise.resolve(generic);
