// The prompt, and why a card cannot be played, in words. It follows from the view; no rules here.
import { lang } from '../../i18n';
import { suitName, suitOf, theCard } from '../../ui/cards/card';
import type { View } from './types.gen';
import { koras, t } from './words';

type NameOf = (seat: number) => string;

const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
const suitWords = (card: string) => suitName(suitOf(card), lang.current);

/** The sentence above the hand. */
export function promptFor(view: View, seat: number | null, nameOf: NameOf): string {
  if (view.left !== null)
    return t(view.left === seat ? 'say.leave.you' : 'say.leave.other', { name: nameOf(view.left) });
  if (view.to_act === null) return t('prompt.over');
  const values = { name: nameOf(view.to_act), koras: koras(view.stake) };
  const mine = view.to_act === seat;
  if (view.stage === 'bet') return t(mine ? 'prompt.bet' : 'prompt.wait_bet', values);
  if (view.stage === 'answer') {
    return mine ? t('prompt.answer', { ...values, name: nameOf(view.leader) }) : t('prompt.wait_answer', values);
  }
  if (!mine) return t(view.led ? 'prompt.wait_reply' : 'prompt.wait_lead', values);
  if (!view.led) return t('prompt.lead');
  const led = suitOf(view.led);
  const follows = view.hand.some((held) => held.playable && suitOf(held.card) === led);
  return t(follows ? 'prompt.follow' : 'prompt.free', { suit: suitWords(view.led) });
}

/** Why a card of one's hand can't be played now. */
export function whyNot(view: View, seat: number | null, nameOf: NameOf): string {
  if (view.to_act === seat && view.led) {
    return t('why.follow', { led: capital(theCard(view.led, lang.current)), suit: suitWords(view.led) });
  }
  return view.to_act === null ? t('prompt.over') : t('why.wait', { name: nameOf(view.to_act) });
}
