import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeSettings, settings } from '../core/settings.svelte';
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

describe('on a wide screen', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    changeSettings({ folded: false });
  });

  function wide() {
    vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: true }));
    const named = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }));
    return render(Panel, {
      latest: '',
      tabs: [
        { key: 'people', label: 'Joueurs', content: named('Anne et Zoé'), wide: 'over' },
        { key: 'moves', label: 'Coups', content: named('32-28') },
        { key: 'score', label: 'Score', content: named('douze') },
        { key: 'chat', label: 'Discussion', content: named('Bonjour'), wide: 'under', unread: 1 },
      ],
    });
  }

  it('people, moves and talk are visible at once, and only the rest are tabs', () => {
    wide();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Coups', 'Score']);
    for (const text of ['Anne et Zoé', '32-28', 'Bonjour']) expect(screen.getByText(text)).toBeTruthy();
  });

  it('can be folded away, which this device remembers, and still counts what is new', async () => {
    wide();
    const button = screen.getByRole('button');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(settings.folded).toBe(true);
    expect(localStorage.getItem('tablee.settings')).toContain('"folded":true');
    expect(text()).toContain('1 nouveau message');
  });
});
