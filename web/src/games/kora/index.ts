import type { GameClient } from '../../core/game';
import { PACK } from '../../ui/cards/card';
import { advice, amount } from './advice';
import Board from './Board.svelte';
import { describe, event, moment } from './describe';
import Result from './Result.svelte';
import Score from './Score.svelte';
import type { Action, View } from './types.gen';

export default {
  board: Board,
  packs: { cards: { row: PACK } },
  describe,
  event,
  moment,
  result: Result,
  score: Score,
  advice,
  amount,
} satisfies GameClient<View, Action>;
