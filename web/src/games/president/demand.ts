// What the trick demands, and why a card cannot be played, in words. It follows from the view; no rules here.
import type { Demand, View } from './types.gen';
import { aRank, capital, ofRank, rankWord, t } from './words';

type NameOf = (seat: number) => string;

/** What the next play must be; always shown on the table. */
export function demandWords(view: View): string {
  if (view.demand) return capital(asked(view.demand));
  return t(view.stage === 'over' ? 'demand.over' : 'demand.exchange');
}

function asked({ size, ranks, direction, ou_rien }: Demand): string {
  if (size === null) return t('demand.free');
  const [rank] = ranks;
  if (rank === undefined) return t.any(`demand.${direction}.end`);
  const values = { rank: rankWord(rank), of: ofRank(rank), a: aRank(rank) };
  if (ou_rien) return t('demand.ou_rien', values);
  if (direction) return t.any(`demand.${direction}.${size}`, values);
  return t.any(`demand.${ranks.length === 1 ? 'only.' : ''}${size}`, values);
}

/** What the next player may declare: « suite au 8 ». */
export function declarations({ demand }: View): string[] {
  return (['suite', 'reverse'] as const).flatMap((one) => {
    const rank = demand?.[one];
    return rank ? [t(`demand.may.${one}`, { at: t.any(`rank.${rank}.at`) })] : [];
  });
}

/** Why a card of one's hand can't be played now. */
export function whyNot(view: View, seat: number | null, card: string, nameOf: NameOf): string {
  if (view.stage === 'over') return t('prompt.over');
  if (view.stage === 'exchange') return t('why.exchange');
  if (seat === null || !view.waiting.includes(seat)) return t('why.wait', { name: nameOf(view.waiting[0] ?? 0) });
  if (view.demand?.size && view.demand.ranks.includes(card[0]!)) return t('why.number', { count: view.demand.size });
  return t('why.demand', { demand: demandWords(view) });
}
