// Values for the tests of boards.
import type { BoardProps } from './game';
import type { SeatInfo } from './types.gen';

export const person = (name: string, change: Partial<SeatInfo> = {}): SeatInfo => ({
  kind: 'person',
  person: name.toLowerCase(),
  name,
  avatar: 0,
  level: null,
  presence: 'online',
  away: null,
  rematch: false,
  left: false,
  guest: false,
  vacation: false,
  ...change,
});

/** The properties of a board in the middle of a match of two people; the first of them looks at it. */
export function boardProps<View, Action>(
  view: View,
  change: Partial<BoardProps<View, Action>> = {},
): BoardProps<View, Action> {
  return {
    view,
    previous: null,
    step: null,
    history: [],
    ply: 1,
    seat: 0,
    seats: [person('Anne'), person('Paul')],
    turn: { must: [0], stage: 'play' },
    offer: null,
    outcome: null,
    clocks: null,
    pending: false,
    play: () => {},
    preview: () => Promise.resolve(null),
    ...change,
  };
}
