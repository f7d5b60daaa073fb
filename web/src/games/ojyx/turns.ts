// What the offer lets this seat do, sorted by kind. The server makes the list; no rules here.
import type { Offer } from '../../core/types.gen';
import type { Action, Choose, Draw, Place, Play, React, Throw, TurnUp, View, Vote } from './types.gen';

export type Source = Draw['source'];
export type ActionName = Play['card'];

export interface Moves {
  chooses: Choose[];
  draws: ReadonlySet<Source>;
  places: Place[];
  turns: TurnUp[];
  discard: boolean;
  store: boolean;
  plays: Play[];
  throws: Throw[];
  reacts: React[];
  votes: Vote[];
  end: boolean;
}

export function movesOf(offer: Offer | null): Moves {
  const legal = (offer?.legal ?? []) as Action[];
  const only = <T extends Action['type']>(type: T) =>
    legal.filter((one): one is Extract<Action, { type: T }> => one.type === type);
  return {
    chooses: only('choose'),
    draws: new Set(only('draw').map((one) => one.source)),
    places: only('place'),
    turns: only('turn'),
    discard: only('discard').length > 0,
    store: only('store').length > 0,
    plays: only('action'),
    throws: only('throw'),
    reacts: only('react'),
    votes: only('vote'),
    end: only('end_turn').length > 0,
  };
}

export const playsOf = (moves: Moves, card: ActionName) => moves.plays.filter((one) => one.card === card);
export const throwOf = (moves: Moves, card: ActionName) => moves.throws.find((one) => one.card === card);
export const mirrorsOf = (moves: Moves) => moves.reacts.filter((one) => one.answer === 'mirror');

/** The places where one touch is a whole action: the card in hand goes there, or the card there is turned. */
export const placesOf = (moves: Moves): Map<number, Place | TurnUp> =>
  new Map([...moves.places, ...moves.turns].map((one) => [one.cell, one]));

/** Whether touching this place turns one's last hidden card. That ends the manche, so the board asks for a confirmation. */
export function closes(view: View, seat: number, cell: number): boolean {
  if (view.ending) return false;
  return view.seats[seat]!.cells.every((one, at) => one !== 'hidden' || at === cell);
}
