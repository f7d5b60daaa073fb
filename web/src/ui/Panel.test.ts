import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import Panel from './Panel.svelte';

/** Shows its properties when it was drawn. */
const content = createRawSnippet((seen: () => boolean) => ({ render: () => `<p data-testid="content">${seen()}</p>` }));
const text = () => screen.getByRole('button').textContent;

it('tells what a shut sheet holds that nobody sees it, and counts what is new there', async () => {
  render(Panel, { latest: '', tabs: [{ key: 'chat', label: 'Discussion', content, unread: 2 }] });
  expect(screen.getByTestId('content').textContent).toBe('false');
  expect(text()).toContain('2 nouveaux messages');
  expect(screen.getByRole('tab').textContent).toContain('2 nouveaux messages');
  await fireEvent.click(screen.getByRole('button'));
  expect(text()).not.toContain('nouveaux');
  expect(screen.getByRole('tab').textContent).toBe('Discussion');
});

it('says one message as one', () => {
  render(Panel, { latest: '', tabs: [{ key: 'chat', label: 'Discussion', content, unread: 1 }] });
  expect(text()).toContain('1 nouveau message');
});
