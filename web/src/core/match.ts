// Reduces the frames of a table to its state. A pure function: no socket, no clock, nothing on screen.
import type { Clocks, PlayedStep } from './game';
import type {
  ChatLine,
  ClockReading,
  Offer,
  Outcome,
  PlannedAction,
  ServerFrame,
  StateFrame,
  Step,
  TableFrame,
  TurnInfo,
} from './types.gen';

export interface MatchState {
  match: number;
  ply: number;
  view: unknown;
  previous: unknown;
  step: Step | null;
  turn: TurnInfo;
  offer: Offer | null;
  outcome: Outcome | null;
  clocks: Clocks | null;
  /** How often moves were taken back. */
  rewinds: number;
  /** The last steps, oldest first. */
  history: PlayedStep[];
  /** One's own planned lines, from here on. */
  plans: PlannedAction[][];
  /** The last step is answered by one's own planned reply, which comes with the next frame: nobody has to act now. */
  answered: boolean;
}

export interface TableState {
  table: TableFrame | null;
  match: MatchState | null;
  /** The last request for missing steps, so that it is sent only once. */
  asked: { match: number; ply: number } | null;
  chat: ChatLine[];
  /** The messages that can be sent with one touch. */
  quick: { phrases: string[]; emoji: string[] };
}

/** The next state, and the ply from which to ask the server for the missing steps, if any are missing. */
export interface Reduced {
  state: TableState;
  sync: { match: number; ply: number } | null;
}

export const EMPTY: TableState = { table: null, match: null, asked: null, chat: [], quick: { phrases: [], emoji: [] } };

/** How many steps and messages are kept: more would slow a phone, and nobody reads them. */
export const MOST_STEPS = 200;
const MOST_SAID = 200;

export function reduce(state: TableState, frame: ServerFrame, now = performance.now()): Reduced {
  const { state: next, sync } = step(state, frame, now);
  return { state: following(next), sync };
}

/** If several people play at this device, the reader is the one whose turn it is. */
function following(state: TableState): TableState {
  const { table, match } = state;
  if (!table || !match || table.yours.length < 2 || match.outcome) return state;
  const you = table.yours.find((seat) => match.turn.must.includes(seat)) ?? table.yours[0]!;
  return table.you === you && table.view_seat === you ? state : { ...state, table: { ...table, you, view_seat: you } };
}

function step(state: TableState, frame: ServerFrame, now: number): Reduced {
  switch (frame.type) {
    case 'table':
      // Do not show a finished match with the players of the next one.
      return {
        state: { ...state, table: frame, match: state.match?.match === frame.match ? state.match : null },
        sync: null,
      };
    case 'watchers':
      return {
        state: state.table ? { ...state, table: { ...state.table, watchers: frame.count } } : state,
        sync: null,
      };
    case 'state':
      return take(state, frame, now);
    case 'moved': {
      const known = state.match;
      if (!known || known.match !== frame.match) return { state, sync: { match: frame.match, ply: 0 } };
      // A frame may arrive twice around a resync.
      if (frame.step.ply <= known.ply) return { state, sync: null };
      if (frame.step.ply !== known.ply + 1) return { state, sync: { match: known.match, ply: known.ply } };
      const rest = followed(known.plans, frame.step);
      // A line ends with an action of its owner.
      const answered = rest.length > 0 && rest[0]![0]!.seat === rest[0]!.at(-1)!.seat && !frame.outcome;
      const played: PlayedStep = { step: frame.step, view: frame.view, previous: known.view };
      const match: MatchState = {
        match: frame.match,
        ply: frame.step.ply,
        view: frame.view,
        previous: known.view,
        step: frame.step,
        turn: answered ? { ...frame.turn, must: [] } : frame.turn,
        offer: answered ? null : frame.offer,
        outcome: frame.outcome,
        clocks: timed(frame.clocks, now),
        rewinds: known.rewinds,
        history: [...known.history, played].slice(-MOST_STEPS),
        plans: rest,
        answered,
      };
      return { state: { ...state, match }, sync: null };
    }
    case 'plans': {
      const known = state.match?.match === frame.match ? state.match : null;
      if (!known) return { state, sync: null };
      // The list comes after the reply. If the reply is missing, ask what the position is.
      const sync = known.answered ? { match: known.match, ply: known.ply } : null;
      return { state: { ...state, match: { ...known, plans: frame.lines } }, sync };
    }
    case 'chat':
      return {
        state: { ...state, chat: frame.lines, quick: { phrases: frame.phrases, emoji: frame.emoji } },
        sync: null,
      };
    case 'said':
      return { state: { ...state, chat: [...state.chat, frame.line].slice(-MOST_SAID) }, sync: null };
    case 'unsaid':
      return { state: { ...state, chat: state.chat.filter((line) => line.n !== frame.n) }, sync: null };
    case 'refused':
      if (frame.code !== 'stale_offer' || !state.match) return { state, sync: null };
      return { state, sync: { match: state.match.match, ply: state.match.ply } };
    case 'preview':
    case 'advice':
    case 'notice':
    case 'settled':
    case 'storage':
    case 'bot_failed':
    case 'done':
    case 'beat':
      return { state, sync: null };
  }
}

/** What is left of planned lines after a step. */
function followed(lines: PlannedAction[][], step: Step): PlannedAction[][] {
  const same = (one: PlannedAction) =>
    one.seat === step.seat && JSON.stringify(one.action) === JSON.stringify(step.action);
  return lines.flatMap((line) => (line.length > 1 && same(line[0]!) ? [line.slice(1)] : []));
}

function timed(reading: ClockReading | null, at: number): Clocks | null {
  return reading && { ...reading, at };
}

/** Takes a snapshot, adds its missed steps to the history, and asks once for those that are still missing. */
function take(state: TableState, frame: StateFrame, now: number): Reduced {
  const known = state.match?.match === frame.match ? state.match : null;
  const rewound = known !== null && frame.rewinds > known.rewinds;
  if (known && !rewound && frame.ply < known.ply) return { state, sync: null };
  // Known moves may have been taken back and replaced: ask for them again.
  const before = rewound ? [] : (known?.history ?? []);
  const last = before.at(-1)?.step.ply ?? 0;
  const missed = frame.missed.filter((step) => step.ply > last);
  const history = [...before, ...missed.map((step): PlayedStep => ({ step, view: frame.view, previous: null }))];
  const match: MatchState = {
    match: frame.match,
    ply: frame.ply,
    view: frame.view,
    previous: null,
    step: null,
    turn: frame.turn,
    offer: frame.offer,
    outcome: frame.outcome,
    clocks: timed(frame.clocks, now),
    rewinds: frame.rewinds,
    history: history.slice(-MOST_STEPS),
    plans: known?.plans ?? [],
    answered: false,
  };
  const from = Math.max(history.at(-1)?.step.ply ?? 0, frame.ply - MOST_STEPS);
  const complete = from >= frame.ply;
  const again = state.asked?.match === frame.match && state.asked.ply === frame.ply;
  if (complete || again) return { state: { ...state, match }, sync: null };
  return {
    state: { ...state, match, asked: { match: frame.match, ply: frame.ply } },
    sync: { match: frame.match, ply: from },
  };
}

/** Why a match was stopped before its end; its places and scores mean nothing then. Null if it was played to its end. */
export function stopped(outcome: Outcome): 'ended' | 'closed' | null {
  return outcome.reason === 'ended' || outcome.reason === 'closed' ? outcome.reason : null;
}
