// What the table says to the person looking, and the score that stands on the board.
import type { Refusal } from '../../core/types.gen';
import { refusalText } from '../../core/labels';
import type { Composed } from './compose';
import { readRef, squareName } from './squares';
import { endOf, gridOf } from './story';
import type { Play, View } from './types.gen';
import { t } from './words';

export interface Asked {
  view: View;
  seat: number | null;
  /** This person may play now. */
  mine: boolean;
  word: Composed;
  /** What the server says of the play under way. */
  verdict: { play: Play | null; refusal: Refusal | null; invalid: string[]; judged: boolean };
  /** Whether the play may be planned for one's own turn, whether it is, and what it would bring. */
  plan: { open: boolean; planned: boolean; score: number | null };
  /** The sentence for an opponent who is not here. */
  awaited?: string;
  nameOf: (seat: number) => string;
}

export interface Prompt {
  text: string;
  mood: 'plain' | 'mine' | 'note' | 'bad';
}

export function waitFor({ view, seat, awaited, nameOf }: Pick<Asked, 'view' | 'seat' | 'awaited' | 'nameOf'>): string {
  if (view.stage === 'over') return t('prompt.over');
  if (view.to_act === null) return '';
  if (view.to_act !== seat) return awaited ?? t('prompt.wait', { name: nameOf(view.to_act) });
  return t(view.pending ? 'prompt.contested' : 'prompt.yours');
}

/** Why the play under way cannot be sent; null if it can. */
export function blockedBy(asked: Asked): string | null {
  const { view, mine, word, verdict, plan } = asked;
  if (view.stage === 'over') return t('prompt.over');
  if (word.kind === 'nothing') return mine ? t('why.nothing') : waitFor(asked);
  if (!mine && !plan.open) return waitFor(asked);
  if (word.kind === 'apart') return t('why.apart');
  if (word.kind === 'gap') return t('why.gap', { square: squareName(word.square) });
  if (word.word.length === 1) return t('refusals.one_letter');
  if (!verdict.refusal) return null;
  const { code, values } = verdict.refusal;
  return refusalText({ code, values: { ...values, words: verdict.invalid.join(', ') } }, 'scrabble');
}

/** The sentence beside the board; `byHand` if the screen is touched and nobody types. */
export function promptFor(asked: Asked, caption: string | undefined, byHand: boolean): Prompt {
  const { view, seat, mine, word } = asked;
  if (caption !== undefined && word.kind === 'nothing') return { text: caption, mood: 'plain' };
  if (view.stage === 'over') return { text: t('prompt.over'), mood: 'plain' };
  if (word.kind !== 'nothing') return composingPrompt(asked);
  if (!mine) return { text: waitFor(asked), mood: 'plain' };
  const knows = view.log.some((move) => move.seat === seat);
  const empty = !/[^.]/.test(gridOf(view)) && !view.pending;
  return {
    text: t(empty ? 'prompt.first' : knows ? 'prompt.yours' : byHand ? 'prompt.how.hand' : 'prompt.how'),
    mood: 'mine',
  };
}

function composingPrompt(asked: Asked): Prompt {
  const { mine, word, verdict, plan } = asked;
  if (plan.planned && word.kind === 'word')
    return { text: t('premove.planned', { word: word.word.toUpperCase() }), mood: 'mine' };
  if (!mine) return { text: t('prompt.planning', { wait: waitFor(asked) }), mood: 'plain' };
  const blocked = blockedBy(asked);
  const begun = word.kind === 'word' && word.word.length === 1;
  if (blocked !== null) return { text: blocked, mood: begun ? 'plain' : 'bad' };
  const values = { word: word.kind === 'word' ? word.word.toUpperCase() : '', count: verdict.play?.score ?? 0 };
  return { text: verdict.play ? t('prompt.brings', values) : t('prompt.composing', values), mood: 'mine' };
}

export interface Badge {
  square: number;
  down: boolean;
  text: string;
  mood: 'open' | 'bad' | 'good' | 'past';
}

/** The score on the board: of the play under way, of one that may be contested, or for a moment of the last one. */
export function badgeOf({ view, word, verdict, plan }: Asked, boasting: boolean): Badge | null {
  if (word.kind === 'word' && verdict.play) {
    const mood = !verdict.judged ? 'open' : verdict.invalid.length ? 'bad' : 'good';
    return { square: word.squares.at(-1)!, down: readRef(word.at).down, text: `${verdict.play.score}`, mood };
  }
  if (word.kind === 'word' && plan.score !== null)
    return { square: word.squares.at(-1)!, down: readRef(word.at).down, text: `≈${plan.score}`, mood: 'open' };
  if (view.pending) return { ...endOf(view.pending.play), text: `${view.pending.play.score}`, mood: 'open' };
  if (!boasting || !view.last || view.last.withdrawn || word.kind !== 'nothing') return null;
  return { ...endOf(view.last.play), text: `+${view.last.play.score}`, mood: 'past' };
}
