// Shortcuts that work anywhere on the page.

/** Return whether a key press can be a shortcut: it goes to no field or dialog, and no modifier is held. */
export function isShortcut(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  const field = target?.closest?.('input, textarea, select, dialog, [contenteditable]');
  return !field && !event.ctrlKey && !event.metaKey && !event.altKey;
}
