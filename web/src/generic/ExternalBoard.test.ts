import { render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { boardProps } from '../core/examples';
import { loadExternal, metaFrom } from '../core/external';
import type { BoardState, ExternalModule } from '../core/game';
import type { GameCard } from '../core/types.gen';
import { lang } from '../i18n';
import ExternalBoard from './ExternalBoard.svelte';

const card = (key: string) => ({ key, board: `/boards/${key}/board.js` }) as GameCard;
const props = (game: string) => boardProps<unknown, unknown>({ coins: 3 }, { game, ply: 0, seats: [], play: vi.fn() });

const mounted = { update: vi.fn<(board: BoardState) => void>(), destroy: vi.fn() };
const mount = vi.fn((target: HTMLElement, board: BoardState) => {
  target.textContent = `ply ${board.ply}`;
  return mounted;
});
const module: ExternalModule = { meta: { names: { fr: 'Pièces', en: 'Coins' } }, mount };

beforeEach(() => {
  vi.resetAllMocks();
  lang.current = 'fr';
  mount.mockImplementation((target, board) => {
    target.textContent = `ply ${board.ply}`;
    return mounted;
  });
});

describe('a board from another distribution', () => {
  it('is mounted, gets every state, and is destroyed', async () => {
    expect(await loadExternal(card('coins'), async () => module)).toBe(module);
    const given = props('coins');
    const { rerender, unmount } = render(ExternalBoard, given);
    expect(screen.getByTestId('external').textContent).toBe('ply 0');
    mount.mock.calls[0]![1].play({ type: 'take' });
    expect(given.play).toHaveBeenCalledWith({ type: 'take' });
    await rerender({ ply: 1 });
    expect(mount).toHaveBeenCalledTimes(1);
    expect(mounted.update.mock.lastCall![0]).toMatchObject({ ply: 1, locale: 'fr', view: { coins: 3 } });
    unmount();
    expect(mounted.destroy).toHaveBeenCalledTimes(1);
  });

  it('gives the page its name and words', () => {
    const words = { fr: { 'actions.take': 'Prendre' }, en: { 'actions.take': 'Take' } };
    expect(metaFrom({ ...module, meta: { ...module.meta, words } })).toEqual({
      messages: { fr: { name: 'Pièces', 'actions.take': 'Prendre' }, en: { name: 'Coins', 'actions.take': 'Take' } },
    });
  });

  it.each([
    ['cannot be loaded', () => Promise.reject(new Error('404'))],
    ['is no board', () => Promise.resolve({ hello: 1 })],
  ])('that %s leaves the game to the generic board', async (_, load) => {
    expect(await loadExternal(card('absent'), load)).toBeUndefined();
    render(ExternalBoard, props('absent'));
    expect(screen.getByTestId('external-failed')).toBeTruthy();
    expect(screen.getByText('coins')).toBeTruthy();
  });

  it('that throws while it mounts leaves the game to the generic board', async () => {
    await loadExternal(card('bad'), async () => module);
    mount.mockImplementation(() => {
      throw new Error('no canvas');
    });
    render(ExternalBoard, props('bad'));
    expect(await screen.findByTestId('external-failed')).toBeTruthy();
    expect(screen.getByText('coins')).toBeTruthy();
  });

  it('that throws on a new state leaves the game to the generic board', async () => {
    await loadExternal(card('late'), async () => module);
    const { rerender } = render(ExternalBoard, props('late'));
    mounted.update.mockImplementation(() => {
      throw new Error('unknown view');
    });
    await rerender({ ply: 1 });
    expect(await screen.findByTestId('external-failed')).toBeTruthy();
  });
});
