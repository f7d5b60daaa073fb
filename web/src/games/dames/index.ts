import type { GameClient } from '../../core/game';
import { advice, amount, men } from './advice';
import { fenOf } from './analysis/fen';
import Board from './Board.svelte';
import { describe, event, moment } from './describe';
import Result from './Result.svelte';
import Score from './Score.svelte';
import { piecesOf } from './squares';
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
  analysis: ({ view, id }) =>
    id === null
      ? `/analyse/dames?${new URLSearchParams({ fen: fenOf(piecesOf(view), view.to_move), variant: view.options.variant ?? '' }).toString()}`
      : `/analyse/dames?${new URLSearchParams({ partie: id, coup: String(view.moves) }).toString()}`,
} satisfies GameClient<State, Action>;
