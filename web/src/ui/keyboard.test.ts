import { expect, it } from 'vitest';
import { isShortcut } from './keyboard';

function pressed(element: Element, modifiers: KeyboardEventInit = {}): KeyboardEvent {
  document.body.append(element);
  const event = new KeyboardEvent('keydown', { key: 'p', bubbles: true, ...modifiers });
  element.dispatchEvent(event);
  return event;
}

it('takes keys from buttons and from the page', () => {
  expect(isShortcut(pressed(document.createElement('button')))).toBe(true);
  expect(isShortcut(new KeyboardEvent('keydown', { key: 'p' }))).toBe(true);
});

it('leaves keys to fields and to dialogs', () => {
  expect(isShortcut(pressed(document.createElement('input')))).toBe(false);
  const dialog = document.createElement('dialog');
  const button = document.createElement('button');
  document.body.append(dialog);
  dialog.append(button);
  const event = new KeyboardEvent('keydown', { key: 'p', bubbles: true });
  button.dispatchEvent(event);
  expect(isShortcut(event)).toBe(false);
});

it.each(['ctrlKey', 'metaKey', 'altKey'])('leaves keys with %s to the browser', (modifier) => {
  expect(isShortcut(pressed(document.createElement('button'), { [modifier]: true }))).toBe(false);
});
