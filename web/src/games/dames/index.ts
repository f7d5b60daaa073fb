import type { GameClient } from '../../core/game';
import { advice, amount, men } from './advice';
import Board from './Board.svelte';
import { describe, event, moment } from './describe';
import Result from './Result.svelte';
import Score from './Score.svelte';
import type { Action, State } from './types.gen';

export default {
  ownPeople: true,
  board: Board,
  describe,
  event,
  moment,
  chanceless: true,
  result: Result,
  score: Score,
  advice,
  amount,
  worth: men,
} satisfies GameClient<State, Action>;
