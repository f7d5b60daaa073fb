// Keeps a screen on while its page is visible.

/** Asks the browser not to dim the screen; call it in a component. Browsers without this, or pages without https, dim it
 *  as usual. */
export function stayAwake(): void {
  $effect(() => {
    let lock: WakeLockSentinel | null = null;
    let left = false;
    async function hold() {
      if (left || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      try {
        const held = await navigator.wakeLock.request('screen');
        if (left) void held.release();
        else lock = held;
      } catch {
        // The battery is low, or the page is not visible any more.
      }
    }
    const seen = () => void hold();
    seen();
    // The browser drops the lock when the page is hidden.
    document.addEventListener('visibilitychange', seen);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', seen);
      void lock?.release();
    };
  });
}
