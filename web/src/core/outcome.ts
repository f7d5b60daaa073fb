// How a match ended for the person who looks at it, in words.
import { lang, t } from '../i18n';
import { gameText } from './games';
import { stopped } from './match';
import type { Outcome } from './types.gen';

export interface Ending {
  /** « Vous gagnez », « Égalité », … */
  words: string;
  /** Why it ended; empty if there is nothing to say. */
  reason: string;
  /** The seats in the first place; none if the match was stopped. */
  winners: number[];
  /** `won`: the reader has won, alone or with others, but not everybody has. */
  mood: 'won' | 'lost' | 'drawn' | 'stopped' | 'watched';
}

export function endingOf(
  { game, view_seat: seat }: { game: string; view_seat: number | null },
  outcome: Outcome,
  who: (seat: number) => string,
): Ending {
  const halted = stopped(outcome);
  if (halted) return { words: t(`result.${halted}`), reason: '', winners: [], mood: 'stopped' };
  const winners = outcome.places.flatMap((place, one) => (place === 1 ? [one] : []));
  const names = new Intl.ListFormat(lang.current).format(winners.map(who));
  const reason =
    gameText(game, `reasons.${outcome.reason}`, { name: names }) ?? t.find(`reasons.${outcome.reason}`) ?? '';
  if (winners.length === outcome.places.length) return { words: t('result.draw'), reason, winners, mood: 'drawn' };
  const mine = seat !== null && winners.includes(seat);
  const words =
    winners.length > 1 ? t('result.shared', { names }) : mine ? t('result.you') : t('result.one', { name: names });
  return { words, reason, winners, mood: mine ? 'won' : seat === null ? 'watched' : 'lost' };
}
