import type { GameClient } from '../../core/game';
import { advice, amount } from './advice';
import { linkFrom } from './analysis/position';
import Board from './Board.svelte';
import { describe, event, moment } from './describe';
import { packs } from './packs';
import Result from './Result.svelte';
import Score from './Score.svelte';
import type { Action, View } from './types.gen';

export default {
  board: Board,
  ownPeople: true,
  packs,
  describe,
  event,
  moment,
  result: Result,
  score: Score,
  advice,
  amount,
  analysis: linkFrom,
} satisfies GameClient<View, Action>;
