import { untrack } from 'svelte';

export type Tone = 'plain' | 'good' | 'warn';

export interface Toast {
  id: number;
  text: string;
  tone: Tone;
}

export const toasts = $state<Toast[]>([]);

const LASTS = 6_000;
const MOST = 3;
let last = 0;

/** Shows a text for a few seconds, and equal texts only once. Returns a function that removes it earlier. */
export function toast(text: string, tone: Tone = 'plain'): () => void {
  const same = toasts.find((one) => one.text === text);
  if (same) dismiss(same.id);
  const id = ++last;
  toasts.push({ id, text, tone });
  if (toasts.length > MOST) toasts.splice(0, toasts.length - MOST);
  setTimeout(() => dismiss(id), LASTS);
  return () => dismiss(id);
}

export function dismiss(id: number): void {
  const at = toasts.findIndex((one) => one.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

const TOP = 64;
let taken = $state.raw<readonly number[]>([]);

/** Where the first toast stands, in pixels from the top: under the bar of the page and what else is there. */
export const toastsTop = () => Math.max(TOP, ...taken);

/** Keeps toasts below a place, in pixels from the top. Returns a function that ends it. */
export function keepToastsBelow(top: number): () => void {
  untrack(() => (taken = [...taken, top]));
  return () => (taken = taken.toSpliced(taken.indexOf(top), 1));
}
