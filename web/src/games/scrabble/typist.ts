// Laying tiles from the keyboard: letters at the cursor, and the keys that move, turn and take back.
import { announce } from '../../ui/announcer.svelte';
import type { Composition } from './composition.svelte';
import { JOKER } from './composition.svelte';
import { typedLetter } from './letters';
import { along, CENTRE, squareName } from './squares';
import type { Tile } from './compose';
import { t } from './words';

const ARROWS: Record<string, [down: boolean, by: number]> = {
  ArrowLeft: [false, -1],
  ArrowRight: [false, 1],
  ArrowUp: [true, -1],
  ArrowDown: [true, 1],
};

export interface Hands {
  composition: Composition;
  boardIsEmpty: () => boolean;
  /** Move the focus to a square of the board. */
  focus: (square: number) => void;
  /** Lay a tile at the cursor. */
  lay: (tile: Tile) => void;
  recall: () => void;
  /** Handle Enter, on a square of the board or elsewhere. */
  enter: (square: number | null) => void;
  explain: (why: string) => void;
  /** Called after a letter was laid, to clear the note. */
  calm: () => void;
}

/** Handle a key pressed on a square (its number), elsewhere on the board's page (null), or on a button (undefined). */
export function press(event: KeyboardEvent, square: number | null | undefined, hands: Hands): boolean {
  const { composition } = hands;
  const letter = typedLetter(event);
  if (letter) type(letter, event.shiftKey, hands);
  else if (event.key === '?') askJoker(hands);
  else if (event.key === 'Backspace' || event.key === 'Delete') back(hands);
  else if (event.key === 'Escape') hands.recall();
  else if (square === undefined) return false;
  else if (event.key === 'Enter') hands.enter(square);
  else if (event.key === ' ' && composition.cursor) turn(composition);
  else if (ARROWS[event.key]) move(...ARROWS[event.key]!, square, hands);
  else return false;
  return true;
}

function type(letter: string, asJoker: boolean, { composition, boardIsEmpty, explain, calm, focus }: Hands): void {
  if (!composition.cursor) {
    if (!boardIsEmpty()) return explain(t('why.cursor'));
    composition.cursor = { square: CENTRE, down: false };
  }
  const square = composition.next;
  const typed = composition.type(letter, asJoker);
  if (typed === 'missing') return explain(t('why.missing', { letter }));
  if (typed === 'full') return explain(t('why.full'));
  calm();
  const key = typed === 'joker' ? 'laid.joker' : 'laid';
  if (typed !== 'passed' && square !== null) announce(t(key, { letter, square: squareName(square) }));
  if (composition.cursor) focus(composition.cursor.square);
}

function askJoker({ composition, explain, lay }: Hands): void {
  const joker = composition.free.find((tile) => tile.letter === JOKER);
  if (!joker) explain(t('why.no_joker'));
  else if (!composition.cursor) explain(t('why.cursor'));
  else lay(joker);
}

function back({ composition, focus }: Hands): void {
  const taken = composition.back();
  if (!taken) return;
  announce(t('taken_back', { letter: taken.as.toUpperCase() }));
  if (composition.cursor) focus(composition.cursor.square);
}

function turn(composition: Composition): void {
  const { square, down } = composition.cursor!;
  composition.cursor = { square, down: !down };
  announce(t(down ? 'across' : 'down'));
}

function move(down: boolean, by: number, focused: number | null, { composition, focus }: Hands): void {
  const from = composition.cursor?.square ?? focused ?? CENTRE;
  const square = composition.cursor || focused !== null ? along(from, down, by) : from;
  if (square === null) return;
  composition.cursor = { square, down };
  focus(square);
}
