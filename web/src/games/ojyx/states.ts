// What a seat does or waits for, in a few words under its name.
import { figure } from '../../i18n';
import type { View } from './types.gen';
import { t } from './words';

/** « choisit », « avez choisi » under « Vous », « 5 cachées · total 12 »; a replay says only what lies there. */
export function stateWords(view: View, one: number, seat: number | null, replayed: boolean): string {
  const own = view.seats[one]!;
  const you = one === seat ? '.you' : '';
  if (own.gone) return t(`state.gone${you}`);
  if (replayed) return hiddenWords(view, one);
  if (view.stage === 'choose') return t(`state.${own.ready ? 'chosen' : 'choose'}${you}`);
  if (view.stage === 'vote') return t(`state.${own.ready ? 'voted' : 'vote'}${you}`);
  if (view.waiting.includes(one)) return one === seat ? t('state.yours') : t.any(`state.${view.stage}`);
  if (view.ending && own.owed) return t('state.owed');
  return hiddenWords(view, one);
}

function hiddenWords(view: View, one: number): string {
  const own = view.seats[one]!;
  const hidden = t('state.hidden', { count: own.hidden });
  return view.results.length ? `${hidden} · ${t('state.total', { total: figure(own.total) })}` : hidden;
}
