// Parts of a browser that the client needs in its tests and jsdom lacks. Nothing moves, because jsdom has no animations.
import { webcrypto } from 'node:crypto';

if (!globalThis.crypto.subtle) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });

globalThis.matchMedia ??= (media: string) => {
  const matches = media === '(prefers-reduced-motion: reduce)';
  return Object.assign(new EventTarget(), { media, matches }) as unknown as MediaQueryList;
};

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

if (globalThis.Element) {
  Element.prototype.scrollTo ??= () => {};
  Element.prototype.animate ??= () =>
    ({
      cancel: () => {},
      finish: () => {},
      ready: Promise.resolve(),
      finished: Promise.resolve(),
    }) as unknown as Animation;
  Element.prototype.getAnimations ??= () => [];
  // Nothing has a size in jsdom, and a board is drawn only on a cloth that has one.
  Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { configurable: true, get: () => 1024 });
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false;
  };
}
