// What the table says to the person looking: whose turn it is, what to choose next, and why something can't be chosen.
import { figure } from '../../i18n';
import { pickOf, whole, type Aim, type Aimed } from './aim';
import { targetWords, type NameOf } from './target';
import type { Source, ActionName, Moves } from './turns';
import type { View } from './types.gen';
import { capital, list, t } from './words';

/** The choice under way: the targets of a card, or the first two cards. */
export interface Aiming {
  card: ActionName | null;
  aim: Aim<Aimed>;
  /** The seat whose grid is the target, once it is chosen. */
  target: number | null;
}

const waitingNames = (view: View, seat: number | null, nameOf: NameOf) =>
  list(view.waiting.filter((one) => one !== seat).map(nameOf));

export function promptFor(
  view: View,
  seat: number | null,
  moves: Moves,
  aiming: Aiming | null,
  nameOf: NameOf,
): string {
  if (view.stage === 'over') return t('prompt.over');
  if (aiming) return aimPrompt(view, seat, aiming, nameOf);
  const mine = seat !== null && view.waiting.includes(seat);
  const names = waitingNames(view, seat, nameOf);
  if (view.stage === 'choose')
    return t(seat !== null && view.seats[seat]!.ready ? 'prompt.chosen' : 'prompt.choosing', { names });
  if (view.stage === 'vote') return names ? t('prompt.vote', { names }) : t('why.over');
  if (view.stage === 'react') return mine ? t('prompt.react.you') : attackWords(view, seat, nameOf, 'prompt.react');
  if (!mine) return capital(t('prompt.wait', { name: names, state: t.any(`state.${view.stage}`) }));
  return ownPrompt(view, moves);
}

function ownPrompt(view: View, moves: Moves): string {
  const { held, stage } = view;
  if (stage === 'decide' && held && held.card !== null)
    return t(`prompt.decide.${held.source === 'discard' ? 'discard' : 'deck'}`, { value: figure(held.card) });
  if (stage === 'action' && held?.action)
    return t('prompt.action', { card: t(`card.${held.action}`), does: t(`card.${held.action}.does`) });
  if (stage === 'play') return t(moves.throws.length && !moves.end ? 'prompt.throw' : 'prompt.play');
  return t.any(`prompt.${stage}`);
}

function aimPrompt(view: View, seat: number | null, { card, aim, target }: Aiming, nameOf: NameOf): string {
  if (card === null) return t.any(`prompt.choose.${pickOf(aim, 'cells').length}`);
  const name = t(`card.${card}`);
  const action = whole(aim);
  if (action) {
    const words = targetWords({ ...action, seat: seat ?? 0, target }, seat, nameOf);
    return words
      ? t('aim.confirm', { card: name, aim: words })
      : t('aim.confirm.plain', { card: name, does: t(`card.${card}.does`) });
  }
  if (aim.next === 'seat' && view.stage === 'gift' && view.held?.card != null)
    return t('prompt.gift', { value: figure(view.held.card) });
  const key =
    aim.next === 'cells' && aim.picks.length
      ? 'cells.more'
      : aim.next === 'column' && target === null
        ? 'column.own'
        : aim.next;
  return t.any(`aim.step.${key}`, { card: name, name: target === null ? '' : nameOf(target) });
}

/** « Paul joue Malédiction : votre colonne 2. » */
export function attackWords(
  view: View,
  seat: number | null,
  nameOf: NameOf,
  key: 'prompt.react' | 'react.what',
): string {
  const { attack } = view;
  if (!attack) return '';
  const yours = key === 'prompt.react' && attack.seat === seat;
  return capital(
    t(yours ? 'prompt.react.yours' : key, {
      name: nameOf(attack.seat),
      card: t(`card.${attack.card}`),
      aim: targetWords(attack, seat, nameOf),
    }),
  );
}

/** Why touching a place, a pile or a card that is not lit does nothing. */
export function whyNot(
  view: View,
  seat: number | null,
  what: 'cell' | 'stock' | Source,
  card: ActionName | null,
  nameOf: NameOf,
): string {
  if (view.stage === 'over' || view.stage === 'vote') return t('why.over');
  const mine = seat !== null && view.waiting.includes(seat);
  if (card === 'shield' || card === 'mirror') return t('why.react');
  if (!mine)
    return view.stage === 'choose' ? t('why.wait.all') : t('why.wait', { name: waitingNames(view, seat, nameOf) });
  if (what === 'stock' && view.seats[seat]!.frozen) return t('why.frozen');
  if (what === 'stock') return t(view.stage === 'play' ? 'why.none' : 'why.later');
  switch (view.stage) {
    case 'react':
      return t('why.answer');
    case 'decide':
      return t(
        what === 'discard' && view.held?.source === 'discard'
          ? 'why.decide.discard'
          : what === 'cell'
            ? 'why.target'
            : 'why.decide',
      );
    case 'draw':
    case 'turn':
    case 'action':
      return t(`why.${view.stage}`);
    case 'play':
      return t('why.play');
    default:
      return t('why.target');
  }
}
