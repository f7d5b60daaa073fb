// Things fly from where they were to where they are. An element with `data-fly` is one thing wherever it stands;
// a thing that was nowhere yet comes from the `data-origin` that its `data-from` names.
const SLOW = 320;
const STAGGER = 40;
const EASE = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

export type Places = Map<string, DOMRect>;

const flying = (root: HTMLElement) => root.querySelectorAll<HTMLElement>('[data-fly]');

/** Where everything stands now. */
export function remember(root: HTMLElement): Places {
  return new Map([...flying(root)].map((one) => [one.dataset.fly!, one.getBoundingClientRect()]));
}

/** Moves everything that has another place than in `before`. */
export function fly(root: HTMLElement, before: Places): void {
  for (const one of flying(root)) {
    const known = before.get(one.dataset.fly!);
    const from = known ?? origin(root, one.dataset.from);
    if (from) flyFrom(one, from, known ? 0 : Number(one.dataset.at ?? 0) * STAGGER);
  }
}

function origin(root: HTMLElement, name: string | undefined): DOMRect | undefined {
  return name ? root.querySelector(`[data-origin='${name}']`)?.getBoundingClientRect() : undefined;
}

function flyFrom(one: HTMLElement, from: DOMRect, delay: number): void {
  const to = one.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  if (to.width === 0 || Math.hypot(x, y) < 2) return;
  const scale = Math.min(3, Math.max(0.3, from.height / to.height));
  one.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 2 }, { transform: 'none', zIndex: 2 }], {
    duration: SLOW,
    delay,
    easing: EASE,
    fill: 'backwards',
  });
}

const COINS = 5;

/** A few coins cross the table from one bank to the other. */
export function pay(root: HTMLElement, from: number, to: number): void {
  const [source, target] = [from, to].map((seat) => root.querySelector(`[data-purse='${seat}'] svg`));
  if (!source || !target) return;
  const start = source.getBoundingClientRect();
  const end = target.getBoundingClientRect();
  const table = root.getBoundingClientRect();
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
