// What the trick demands, the prompt, and why a card cannot be played, in words. It follows from the view; no rules here.
import { titleOf, partnerOf } from './story';
import type { Moves } from './moves';
import type { Demand, View } from './types.gen';
import { aRank, capital, list, ofRank, rankWord, setWords, t } from './words';

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

/** The sentence above the hand. */
export function promptFor(view: View, seat: number | null, moves: Moves, nameOf: NameOf): string {
  if (view.stage === 'over') return t('prompt.over');
  const mine = seat !== null && view.waiting.includes(seat);
  if (view.stage === 'exchange') return exchangePrompt(view, seat, mine, nameOf);
  if (!mine && moves.close) return t('prompt.close', { all: setWords(moves.close.cards) });
  return mine ? ownPrompt(view, moves) : (afterwards(view, seat) ?? waitPrompt(view, nameOf));
}

function exchangePrompt(view: View, seat: number | null, mine: boolean, nameOf: NameOf): string {
  if (seat !== null && mine) {
    const to = partnerOf(view, seat);
    const title = view.seats[to]!.title!;
    return t('prompt.give', { count: title === 'trouduc' ? 2 : 1, name: nameOf(to), title: t(`title.${title}`) });
  }
  return t(view.gifts.length ? 'prompt.gave' : 'prompt.wait.give', { names: list(view.waiting.map(nameOf)) });
}

function ownPrompt(view: View, moves: Moves): string {
  if (view.stage === 'alone') return t(moves.plays.length ? 'prompt.alone' : 'prompt.alone.none');
  if (moves.pass) return t(moves.plays.length ? 'prompt.declare' : 'prompt.pass');
  return t(view.trick.length ? 'prompt.follow' : 'prompt.lead');
}

/** The prompt of a player who has no cards left. */
function afterwards(view: View, seat: number | null): string | null {
  const own = seat === null ? undefined : view.seats[seat];
  if (own?.sunk) return t('prompt.sunk');
  return own?.place ? t('prompt.out', { title: t(`title.${titleOf(own.place, view.seats.length)}`) }) : null;
}

function waitPrompt(view: View, nameOf: NameOf): string {
  const form = view.stage === 'alone' ? '.alone' : view.trick.length ? '' : '.lead';
  return t(`prompt.wait${form}`, { name: nameOf(view.waiting[0] ?? 0) });
}

/** Why a card of one's hand can't be played now. */
export function whyNot(view: View, seat: number | null, card: string, nameOf: NameOf): string {
  if (view.stage === 'over') return t('prompt.over');
  if (view.stage === 'exchange') return t('why.exchange');
  if (seat === null || !view.waiting.includes(seat)) return t('why.wait', { name: nameOf(view.waiting[0] ?? 0) });
  if (view.demand?.size && view.demand.ranks.includes(card[0]!)) return t('why.number', { count: view.demand.size });
  return t('why.demand', { demand: demandWords(view) });
}
