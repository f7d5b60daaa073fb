import { EASE, placeOf, SLOW, STAGGER } from '../../ui/cards/fly';

const COINS = 5;

/** A few coins cross the table from one bank to the other. */
export function pay(root: HTMLElement, from: number, to: number): void {
  const [source, target] = [from, to].map((seat) => root.querySelector(`[data-purse='${seat}'] svg`));
  if (!source || !target) return;
  const start = placeOf(source);
  const end = placeOf(target);
  const table = placeOf(root);
  for (let at = 0; at < COINS; at++) {
    const coin = source.cloneNode(true) as SVGElement;
    coin.style.cssText = `position:absolute;z-index:4;pointer-events:none;left:${start.x - table.x}px;top:${start.y - table.y}px`;
    root.append(coin);
    const bend = (at - (COINS - 1) / 2) * 14;
    const motion = coin.animate(
      [
        { transform: 'none' },
        { transform: `translate(${(end.x - start.x) / 2 + bend}px, ${(end.y - start.y) / 2}px) scale(1.2)` },
        { transform: `translate(${end.x - start.x}px, ${end.y - start.y}px)` },
      ],
      { duration: 2 * SLOW, delay: at * 1.5 * STAGGER, easing: EASE, fill: 'both' },
    );
    motion.onfinish = motion.oncancel = () => coin.remove();
  }
}
