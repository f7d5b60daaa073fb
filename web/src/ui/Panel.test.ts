import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import Panel from './Panel.svelte';

/** Shows the properties that it was first drawn with. */
const content = createRawSnippet((seen: () => boolean) => ({ render: () => `<p data-testid="content">${seen()}</p>` }));
const text = () => screen.getByRole('button').textContent;

it('says to the content of a closed sheet that it is hidden, and counts what is new there', async () => {
  render(Panel, { latest: '', tabs: [{ key: 'chat', label: 'Discussion', content, unread: 2 }] });
  expect(screen.getByTestId('content').textContent).toBe('false');
  expect(text()).toContain('2 nouveaux messages');
  expect(screen.getByRole('tab').textContent).toContain('2 nouveaux messages');
  await fireEvent.click(screen.getByRole('button'));
  expect(text()).not.toContain('nouveaux');
  expect(screen.getByRole('tab').textContent).toBe('Discussion');
});

it('uses the singular for one message', () => {
  render(Panel, { latest: '', tabs: [{ key: 'chat', label: 'Discussion', content, unread: 1 }] });
  expect(text()).toContain('1 nouveau message');
});
