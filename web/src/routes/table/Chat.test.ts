import { render, screen } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TableSession } from '../../core/session.svelte';
import type { ChatLine, TableFrame } from '../../core/types.gen';
import Reacted from './Reacted.svelte';
import Chat from './Chat.svelte';

beforeEach(() => void (Element.prototype.scrollTo ??= () => {}));

const line = (kind: ChatLine['kind'], text: string): ChatLine => ({
  n: 3,
  person: 'zoe',
  name: 'Zoé',
  avatar: 1,
  channel: 'players',
  kind,
  text,
  at: 0,
});
const session = (said: ChatLine, unread: number) =>
  ({ state: { chat: [said], quick: { phrases: [], emoji: [] } }, unread, read: vi.fn() }) as unknown as TableSession;
const table = { code: 'ABC', host: 'anne', watchers: 0 } as TableFrame;

it('marks nothing as read while its sheet is closed', async () => {
  const one = session(line('text', 'Bonjour'), 1);
  const { rerender } = render(Chat, { session: one, table, seen: false });
  expect(one.read).not.toHaveBeenCalled();
  await rerender({ seen: true });
  expect(one.read).toHaveBeenCalled();
});

it('shows a reaction on the cloth if the chat is closed', () => {
  render(Reacted, { session: session(line('emoji', '👍'), 1) });
  expect(screen.getByTestId('reacted').textContent).toContain('Zoé');
});

it.each([
  ['that was seen', session(line('emoji', '👍'), 0)],
  ['that is a message', session(line('text', 'Bonjour'), 1)],
])('shows nothing on the cloth %s', (_, one) => {
  render(Reacted, { session: one });
  expect(screen.queryByTestId('reacted')).toBeNull();
});
