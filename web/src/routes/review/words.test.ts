import { describe, expect, it } from 'vitest';
import type { GameClient } from '../../core/game';
import type { ReviewPage } from '../../core/types.gen';
import { ReviewWatch } from './watch.svelte';
import { isMistake, MARKS, signed } from './words';

const client = {
  amount: (value: number) => `${Math.round(value)} koras`,
} as Partial<GameClient> as GameClient;

describe('signed', () => {
  it('has a sign unless it rounds to nothing', () => {
    expect([3.2, -3.2, 0.2, -0.2].map((value) => signed(client, value))).toEqual([
      '+3 koras',
      '−3 koras',
      '0 koras',
      '0 koras',
    ]);
  });
});

it('calls three of the marks mistakes', () => {
  expect(MARKS.filter(isMistake)).toEqual(['blunder', 'mistake', 'inaccuracy']);
});

describe('ReviewWatch', () => {
  const page = (status: ReviewPage['status'], done = 0): ReviewPage => ({
    id: 'AB-1',
    status,
    done,
    total: 4,
    review: null,
  });

  it('begins nothing by looking', async () => {
    const watch = new ReviewWatch({ ask: () => Promise.reject(new Error('asked')), look: async () => page('none') });
    await watch.look();
    expect([watch.looked, watch.running, watch.problem]).toEqual([true, false, null]);
  });

  it('follows a review, and asks again if its server died', async () => {
    const answers = [page('running', 1), page('none'), page('running', 2), page('done', 4)];
    let asked = 0;
    const seen: number[] = [];
    const watch = new ReviewWatch(
      {
        ask: async () => page('running', asked++),
        look: async () => {
          seen.push(watch.progress);
          return answers.shift()!;
        },
      },
      1,
    );
    await watch.begin();
    await expect.poll(() => watch.page?.status).toBe('done');
    expect([asked, seen]).toEqual([2, [0, 0.25, 0.25, 0.5]]);
  });

  it('says that a review failed', async () => {
    const watch = new ReviewWatch({ ask: async () => page('running'), look: async () => page('failed') }, 1);
    await watch.begin();
    await expect.poll(() => watch.problem?.code).toBe('review_failed');
  });
});
