import type { GameClient } from '../../core/game';
import Board from './Board.svelte';
import { describe, moment } from './describe';
import Result from './Result.svelte';
import Score from './Score.svelte';
import type { Action, View } from './types.gen';

export default { board: Board, describe, moment, result: Result, score: Score } satisfies GameClient<View, Action>;
