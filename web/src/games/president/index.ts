import type { GameClient } from '../../core/game';
import { PACK } from '../../ui/cards/card';
import { advice, amount } from './advice';
import Board from './Board.svelte';
import { describe, event, moment } from './describe';
import Result from './Result.svelte';
import Score from './Score.svelte';
import Titles from './Titles.svelte';
import type { Action, View } from './types.gen';

export default {
  board: Board,
  ownPeople: true,
  packs: { cards: { row: PACK } },
  describe,
  event,
  moment,
  ranked: Titles,
  result: Result,
  score: Score,
  advice,
  amount,
} satisfies GameClient<View, Action>;
