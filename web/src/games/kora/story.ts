// What happened between two views, and nothing about what may happen next.
import type { Step } from '../../core/types.gen';
import type { Action, DealResult, Trick, View } from './types.gen';

export const DEAL_TRICKS = 5;

/** A deal that ended. Only the last one comes with its details. */
export interface FinishedDeal {
  deal: number;
  winner: number;
  paid: number;
  result: DealResult | null;
}

export const actionOf = (step: Step) => step.action as Action | null;

/** The card that took or kept the lead. */
export const takenWith = (trick: Trick) => (trick.winner === trick.leader ? trick.led : trick.reply);

/** The card that a seat put on a trick. */
export const cardOf = (trick: Trick, seat: number) => (seat === trick.leader ? trick.led : trick.reply);

/** The deals of `view` that `before` deals did not contain yet, oldest first. */
export function finishedDeals(before: number, view: View): FinishedDeal[] {
  return view.won.slice(before).map((gain, at) => {
    const deal = before + at + 1;
    const result = view.last_deal?.deal === deal ? view.last_deal : null;
    return { deal, winner: gain > 0 ? 0 : 1, paid: Math.abs(gain), result };
  });
}

/** The deals to announce with this view. On arrival that is the last deal, if nothing has been played since. */
export function dealsToTell(previous: View | null, view: View, ply: number): FinishedDeal[] {
  if (previous) return finishedDeals(previous.won.length, view);
  if (ply === 0) return finishedDeals(0, view);
  const fresh = view.tricks.length === 0 && view.led === null && view.left === null;
  return fresh ? finishedDeals(0, view).slice(-1) : [];
}

/** The trick that the step completed; the fifth one is no longer among the view's own. */
export function finishedTrick(previous: View | null, view: View, step: Step | null): Trick | null {
  const action = step && actionOf(step);
  if (!previous || previous.led === null || action?.type !== 'play') return null;
  const [deal] = finishedDeals(previous.won.length, view);
  if (!deal) return view.tricks.at(-1) ?? null;
  return (
    deal.result?.tricks.at(-1) ?? {
      leader: previous.leader,
      led: previous.led,
      reply: action.card,
      winner: deal.winner,
    }
  );
}

/** For each trick, whether a 3 won it, and whether the same player won the trick before with a 3 too. */
export function threes(tricks: Trick[]): { three: boolean; linked: boolean }[] {
  return tricks.map((trick, at) => {
    const three = takenWith(trick)[0] === '3';
    const before = tricks[at - 1];
    return { three, linked: three && before?.winner === trick.winner && takenWith(before)[0] === '3' };
  });
}

/** Both banks after each finished deal. */
export function runningBanks(bank: number, won: number[]): [number, number][] {
  let mine = bank;
  return won.map((gain) => {
    mine += gain;
    return [mine, 2 * bank - mine];
  });
}

/** What a hand is worth: as 1, roi 13. */
export const points = (hand: string[]) => hand.reduce((sum, card) => sum + 'A23456789TJQK'.indexOf(card[0]!) + 1, 0);
