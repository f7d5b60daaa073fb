import type { GameClient } from '../../core/game';
import { figure } from '../../i18n';
import { advice, amount } from './advice';
import Board from './Board.svelte';
import { describe, event, moment } from './describe';
import { packs } from './packs';
import { option } from './option';
import Result from './Result.svelte';
import Score from './Score.svelte';
import type { Action, View } from './types.gen';
import { t } from './words';

const drawn: GameClient['drawn'] = (pack, item) =>
  pack === 'numbers'
    ? figure(Number(item))
    : pack === 'actions' || pack === 'stock'
      ? t.any(`card.${item}`)
      : undefined;

export default {
  board: Board,
  ownPeople: true,
  packs,
  describe,
  option,
  event,
  moment,
  drawn,
  result: Result,
  score: Score,
  advice,
  amount,
} satisfies GameClient<View, Action>;
