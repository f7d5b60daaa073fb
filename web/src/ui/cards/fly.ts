// Animates elements from their old place to the new one. Elements with the same `data-fly` are the same thing. A new thing
// comes from the `data-origin` that its `data-from` names.
import './fly.css';

export const SLOW = 320;
export const STAGGER = 40;
export const EASE = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

export type Place = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>;
export type Places = Map<string, Place>;

const flying = (root: HTMLElement) => root.querySelectorAll<HTMLElement>('[data-fly]');

/** Where an element is, in the pixels of its own styles: a large screen enlarges everything. */
export function placeOf(one: Element): Place {
  const { x, y, width, height } = one.getBoundingClientRect();
  const zoom = (one as { currentCSSZoom?: number }).currentCSSZoom ?? 1;
  return { x: x / zoom, y: y / zoom, width: width / zoom, height: height / zoom };
}

/** Measures where everything is now. */
export function remember(root: HTMLElement): Places {
  return new Map([...flying(root)].map((one) => [one.dataset.fly!, placeOf(one)]));
}

/** Animates everything that has moved since `before`. */
export function fly(root: HTMLElement, before: Places): void {
  // Measure everything before the first animation: each one would force the browser to lay the page out again.
  const ways = [...flying(root)].map((one) => {
    const known = before.get(one.dataset.fly!);
    const from = known ?? origin(root, one.dataset.from);
    return { one, from, to: placeOf(one), delay: known ? 0 : Number(one.dataset.at ?? 0) * STAGGER };
  });
  for (const { one, from, to, delay } of ways) if (from) flyFrom(one, from, to, delay);
}

export interface Timing {
  duration: number;
  delay?: number;
  easing?: string;
}

/** How many milliseconds an animation would stay after its motion if nobody ended it. Shortly before that the page wakes up,
 *  even if the animation has ended by then, so it is long. */
const REST = 60_000;

/**
 * Animates an element and leaves the end to the caller.
 *
 * Chromium moves an element without the main thread, except in the last 40 ms before an animation begins and before it ends:
 * there the main thread draws every frame. So the delay and a rest after the motion are keyframes of one long animation.
 */
export function hold(one: Element, frames: Keyframe[], timing: Timing): Animation {
  const { duration, delay = 0, easing = 'linear' } = timing;
  const length = delay + duration + REST;
  const at = ({ offset }: Keyframe, index: number) => delay + duration * (offset ?? index / (frames.length - 1));
  const steps = frames.map((frame, index) => ({ easing, ...frame, offset: at(frame, index) / length }));
  const before = delay ? [{ ...frames[0], offset: 0 }] : [];
  return one.animate([...before, ...steps, { ...frames.at(-1), offset: 1 }], length);
}

/** The animations whose motion goes on, what else is waited for, and the animations that rest until nothing moves. */
const moving = new Map<Element, Animation>();
const waits = new Set<ReturnType<typeof setTimeout>>();
const resting = new Map<Element, Animation>();

/**
 * Animates an element and ends the animation with a timer.
 *
 * It ends when nothing moves any more, in one frame with all others. The main thread draws every frame of two animations of
 * one element and of one that is no longer on the page, so both are ended here.
 */
export function animate(one: Element, frames: Keyframe[], timing: Timing): Animation {
  for (const other of [...moving.keys(), ...resting.keys()]) if (other === one || !other.isConnected) stop(other);
  const motion = hold(one, frames, timing);
  moving.set(one, motion);
  motion.ready.then(
    () => setTimeout(() => land(one, motion), (timing.delay ?? 0) + timing.duration),
    () => land(one, motion), // cancelled
  );
  return motion;
}

function stop(one: Element): void {
  running(one)?.cancel();
  moving.delete(one);
  resting.delete(one);
}

function land(one: Element, motion: Animation): void {
  if (moving.get(one) !== motion) return;
  moving.delete(one);
  resting.set(one, motion);
  settle();
}

function settle(): void {
  if (moving.size || waits.size) return;
  for (const motion of resting.values()) motion.finish();
  resting.clear();
}

/** Calls `then` after a while, in one frame with the end of what has moved until then; returns how to call that off. */
export function afterMotion(then: () => void, wait: number): () => void {
  const timer = setTimeout(() => {
    waits.delete(timer);
    settle();
    then();
  }, wait);
  waits.add(timer);
  return () => {
    clearTimeout(timer);
    waits.delete(timer);
    settle();
  };
}

const running = (one: Element) => moving.get(one) ?? resting.get(one);

/**
 * Moves an element by its transform alone, which costs the main thread nothing, and keeps it above the others meanwhile.
 *
 * A z-index in the keyframes would bring every frame of the animation back to the main thread.
 */
export function float(one: HTMLElement, frames: Keyframe[], timing: Timing, level: number): void {
  one.style.zIndex = String(level);
  const motion = animate(one, frames, timing);
  motion.onfinish = motion.oncancel = () => {
    if ((running(one) ?? motion) === motion) one.style.zIndex = '';
  };
}

export function origin(root: HTMLElement, name: string | undefined): Place | undefined {
  const found = name && root.querySelector(`[data-origin='${name}']`);
  return found ? placeOf(found) : undefined;
}

function flyFrom(one: HTMLElement, from: Place, to: Place, delay: number): void {
  const { x, y } = between(to, from);
  if (to.width === 0 || Math.hypot(x, y) < 2) return;
  const scale = Math.min(3, Math.max(0.3, from.height / to.height));
  const frames = [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }];
  float(one, frames, { duration: SLOW, delay, easing: EASE }, 2);
}

/** The way from the middle of one place to the middle of another. */
function between(from: Place, to: Place): { x: number; y: number } {
  return { x: to.x + to.width / 2 - from.x - from.width / 2, y: to.y + to.height / 2 - from.y - from.height / 2 };
}

/** Sends a copy of `one` across the table, from one origin to another, and removes it. */
export function cross(root: HTMLElement, one: HTMLElement, from: string, to: string, at: number): void {
  const [start, end] = [origin(root, from), origin(root, to)];
  if (!start || !end) return;
  const table = placeOf(root);
  const { width, height } = placeOf(one);
  const copy = one.cloneNode(true) as HTMLElement;
  copy.setAttribute('aria-hidden', 'true');
  const [left, top] = [
    start.x + start.width / 2 - width / 2 - table.x,
    start.y + start.height / 2 - height / 2 - table.y,
  ];
  copy.style.cssText = `position:absolute;z-index:4;pointer-events:none;inline-size:${width}px;left:${left}px;top:${top}px`;
  root.append(copy);
  const { x, y } = between(start, end);
  const motion = copy.animate([{ transform: 'none' }, { transform: `translate(${x}px, ${y}px)` }], {
    duration: 2 * SLOW,
    delay: at * 3 * STAGGER,
    easing: 'cubic-bezier(0.5, 0, 0.2, 1)',
    fill: 'both',
  });
  motion.onfinish = motion.oncancel = () => copy.remove();
}
