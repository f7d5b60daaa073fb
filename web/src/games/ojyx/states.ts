// What a seat does or waits for, in a few words under its name.
import { figure } from '../../i18n';
import type { View } from './types.gen';
import { t } from './words';

/** « doit jouer », « 5 cartes cachées · 12 points »; a replay says only what lies there. */
export function stateWords(view: View, one: number, seat: number | null, replayed: boolean): string {
  const own = view.seats[one]!;
  if (own.gone) return t('state.gone');
  if (replayed) return hiddenWords(view, one);
  if (view.stage === 'choose') return t(own.ready ? 'state.chosen' : 'state.choose');
  if (view.stage === 'vote') return own.ready ? t('state.voted') : t('state.vote');
  if (view.waiting.includes(one)) return one === seat ? t('state.yours') : t.any(`state.${view.stage}`);
  if (view.ending && own.owed) return t('state.owed');
  return hiddenWords(view, one);
}

function hiddenWords(view: View, one: number): string {
  const own = view.seats[one]!;
  const hidden = t('state.hidden', { count: own.hidden });
  return view.results.length ? `${hidden} · ${t('state.total', { total: figure(own.total) })}` : hidden;
}
