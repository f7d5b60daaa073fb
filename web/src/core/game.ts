// The contract between a game and the client. A game draws only its cloth. The table page draws seats, panel, connection,
// result and rematch. The client finds games by their folders, `games/<key>/`; no list names them.
import type { Component } from 'svelte';
import type { Messages } from '../i18n';
import type { Reason } from './advice';
import type { Packs } from './fairness';
import type { Moment } from './moments';
import type { ClockReading, Offer, Outcome, PreviewFrame, SeatInfo, Step, TurnInfo } from './types.gen';

/** A step and the views around it, for the list of moves. */
export interface PlayedStep<View = unknown> {
  step: Step;
  view: View;
  previous: View | null;
}

/** Seconds left at the time `at`: `performance.now()` when the frame arrived. */
export type Clocks = ClockReading & { at: number };

/** The planned lines that the server keeps for the reader: actions of the others, and answers to them. */
export interface Plans<Action = unknown> {
  lines: { seat: number; action: Action }[][];
  /** Adds a line for the present position; resolves to whether the server took it. A refusal has been shown by then. */
  add: (line: Action[]) => Promise<boolean>;
  remove: (line: number) => Promise<boolean>;
}

/** The properties of a board. A board holds no rules: `offer` says what may be done, and two views show what happened. */
export interface BoardProps<View = unknown, Action = unknown> {
  /** The key of the game, for boards that serve several games. */
  game?: string;
  view: View;
  /** The view before the last frame, to animate from; null on arrival or after a gap. */
  previous: View | null;
  /** The action that led from `previous` to `view`. */
  step: Step | null;
  /** The last steps of the match that this page knows, oldest first; those before it arrived come without their views. */
  history: PlayedStep[];
  /** Grows by one with every frame of the match: two equal views in a row are still two moments. */
  ply: number;
  /** The seat of the person looking; null for a spectator. */
  seat: number | null;
  /** The seat at the bottom of the board if it is not `seat`: people who share a device may keep the board as it lies. */
  bottom?: number;
  seats: SeatInfo[];
  turn: TurnInfo;
  offer: Offer | null;
  outcome: Outcome | null;
  /** Null if nothing is timed. */
  clocks: Clocks | null;
  /** Shown instead of the turn if nobody is to move: the move in a replay, or « pause ». */
  caption?: string;
  /** Said instead of « Paul réfléchit » in a game over days whose next player is not here. */
  awaited?: string;
  /** This is a replay: there are no buttons for actions. */
  replayed?: boolean;
  /** An action was sent and its answer has not come yet. */
  pending: boolean;
  /** The action that the coach advises; the board highlights it. */
  advice?: Action | null;
  /** A move may be planned while somebody else is to act. Not in a replay, a lesson or a puzzle. */
  premoves?: boolean;
  /** The reader's conditional moves; undefined if the game or the moment has none. */
  plans?: Plans<Action>;
  play: (action: Action) => void;
  /** Asks the server what an action would do; null if it cannot answer now. Only with an offer. */
  preview: (action: Action) => Promise<PreviewFrame | null>;
  /** Gives the match up, at any moment; the board asks first. */
  resign?: () => void;
}

/** The properties of what a game adds to a player's row of the result. */
export interface RankedProps<View = unknown> {
  view: View;
  /** The seat of that player. */
  ranked: number;
}

/** A sentence about a step for the live region and the list of moves; `null` says nothing. */
export type Describe<View = unknown> = (played: {
  step: Step;
  view: View;
  previous: View | null;
  /** The name of a seat as the reader knows it; « vous » if it is their own. */
  who: (seat: number) => string;
  seat: number | null;
}) => string | null;

/** Something that players should notice at once, in a sentence. `warn`: bad news for the reader; `good`: good news. */
export interface GameEvent {
  text: string;
  tone: 'plain' | 'good' | 'warn';
}

/** `games/<key>/index.ts` exports one of these as default; it is loaded when the game is opened. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the frame handles every game's views without looking into them
export interface GameClient<View = any, Action = any> {
  /** The board draws the players itself: the frame seats nobody around it. */
  ownPeople?: true;
  board: Component<BoardProps<View, Action>>;
  describe: Describe<View>;
  /** The event to show on the cloth for a few seconds after a step, such as a lost turn, a declined draw or the verdict of a
   *  contest; null for an ordinary move, which the board shows itself. A `plain` event of a step that the reader chose is
   *  not shown. The live region has the sentence of `describe` already. Without this hook, only steps that a clock played are shown. */
  event?: (played: Parameters<Describe<View>>[0]) => GameEvent | null;
  /** A few words for a step that people look for in a replay, such as a capture or a révolution, and its weight from 1 to
   *  10; otherwise null. The replay lists the three to eight heaviest. */
  moment?: (played: Parameters<Describe<View>>[0]) => Moment | null;
  /** The game draws nothing by chance, so there is no deal to check. */
  chanceless?: true;
  /** What can be drawn, as docs/fairness.md publishes it. The check of a deal uses these packs rather than those that the
   *  server sends, so that a server cannot change them. Without them it uses the server's. */
  packs?: Packs;
  /** The name of a drawn thing for players, if it differs from the one in docs/fairness.md. */
  drawn?: (pack: string, item: string) => string | undefined;
  /** Shown on the result in the row of a player, under the name. */
  ranked?: Component<RankedProps<View>>;
  /** Shown on the result under the places and scores. */
  result?: Component<BoardProps<View, Action>>;
  /** Shown in the side panel under « Score ». */
  score?: Component<BoardProps<View, Action>>;
  /** The address of the game's analysis page for a position of a replay, such as `/analyse/<key>?…`. `id` is the match; null
   *  for an uploaded file. `seat` is the seat whose view it is. */
  analysis?: (shown: { view: View; ply: number; seat: number | null; id: string | null }) => string;
  /** What an action is called before it is played, such as « Pioche »; without this, its sentence is that of `describe`. Call
   *  `actionText` instead. */
  option?: (
    action: Action,
    context: { view: View; actor: number; seat: number | null; who: (seat: number) => string },
  ) => string | null;
  /** The sentence of the coach for why an action is best; null if the game has no words for it. Call `adviceText` instead. */
  advice?: (reason: Reason) => string | null;
  /** A number of the coach's unit, without a sign, such as « 12 koras ». Call `amountText` instead. */
  amount?: (value: number) => string;
  /** The same for `Judged.worth`, if the coach has it: « 0,8 pion ». */
  worth?: (value: number) => string;
}

/** `games/<key>/meta.ts` exports one of these as default; all of them are part of the first load, so it stays small. */
export interface GameMeta {
  /** Flat keys: `name`, `name.<variant>` if an option `variant` renames it, `tagline`, `options.<field>`, `options.<field>.<value>`, `refusals.<code>`, `reasons.<reason>`, `file_rules.<rule>` for the score in another program’s file, `leave.text` if leaving has another effect than the usual text says, `seats` and `seats.<seat>` for a choice of seats that differ, such as colours; and for the generic board `actions.<type>`, `fields.<name>`, `values.<value>`. */
  messages: Messages;
  /** Options that have an effect only if others have one of these values: `{ field: { other: values } }`. */
  needs?: Record<string, Record<string, unknown[]>>;
  /** Path data drawn on the game's tile, in a box of 64 by 64; without it the tile bears the first letter of the name. */
  emblem?: string;
  /** Pages of its own, by their path on the site, of one or two parts; `pages.<path>` is what a link to one says. */
  pages?: Record<string, () => Promise<{ default: Component }>>;
}

/** What a board from another distribution receives. It can be written with any framework, or none. */
export interface BoardState extends Pick<
  BoardProps,
  'view' | 'previous' | 'step' | 'ply' | 'seat' | 'seats' | 'turn' | 'offer' | 'outcome' | 'play'
> {
  locale: 'fr' | 'en';
}

export interface MountedBoard {
  /** Called with every new state, and when the language changes. */
  update(board: BoardState): void;
  /** Called when the page leaves the board; the element is removed after it. */
  destroy(): void;
}

/** What `board.js` of a game from another distribution exports. If `mount`, `update` or `destroy` throws, the generic board
 *  takes its place. */
export interface ExternalModule {
  meta: {
    names: Record<'fr' | 'en', string>;
    /** Path data, as `emblem` of GameMeta. */
    icon?: string;
    /** Flat keys, as `messages` of GameMeta. */
    words?: Record<'fr' | 'en', Record<string, string>>;
  };
  mount(target: HTMLElement, board: BoardState): MountedBoard;
}
