import type { GameClient } from '../../core/game';
import { PACK } from '../../ui/cards/card';
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
} satisfies GameClient<View, Action>;
