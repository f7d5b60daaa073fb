import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Attention } from './attention.svelte';

const hidden = vi.spyOn(document, 'hidden', 'get');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('alternates the title of a hidden page until somebody looks at it', () => {
  hidden.mockReturnValue(true);
  const attention = new Attention();
  attention.call('À vous');
  const titles = [attention.title];
  for (let second = 0; second < 3; second++) {
    vi.advanceTimersByTime(1_000);
    titles.push(attention.title);
  }
  expect(titles).toEqual(['À vous', '', 'À vous', '']);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(5_000);
  expect([attention.title, attention.calling]).toEqual(['', false]);
  attention.close();
});

it('leaves the title of a visible page alone', () => {
  hidden.mockReturnValue(false);
  const attention = new Attention();
  attention.call('À vous');
  expect([attention.title, attention.calling]).toEqual(['', false]);
  attention.close();
});
