import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterMotion, animate, float, hold, type Timing } from './fly';

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

/** An element whose animations are recorded. */
function element(ready = Promise.resolve()) {
  const one = document.createElement('div');
  const motions: { finish: () => void; cancel: () => void }[] = [];
  const asked = vi.fn((...given: [Keyframe[], number]) => {
    const motion = {
      ready,
      finish: vi.fn(() => queueMicrotask(() => motion.onfinish?.())),
      cancel: vi.fn(() => queueMicrotask(() => motion.oncancel?.())),
      onfinish: null as (() => void) | null,
      oncancel: null as (() => void) | null,
    };
    motions.push(motion);
    return given && (motion as unknown as Animation);
  });
  one.animate = asked;
  document.body.append(one);
  const times = () =>
    asked.mock.calls[0]![0].map(({ offset, opacity }) => [offset! * asked.mock.calls[0]![1], opacity]);
  return { one, motions, times };
}

const FRAMES = [{ opacity: 0 }, { opacity: 1 }];
const moved = (timing: Timing) => {
  const found = element();
  animate(found.one, FRAMES, timing);
  return found;
};

it('ends with a timer, long before the animation would end by itself', async () => {
  const { motions, times } = moved({ duration: 300, easing: 'ease-out' });
  const [start, end, last] = times();
  expect([start, end]).toEqual([
    [0, 0],
    [300, 1],
  ]);
  expect(last![0]).toBeGreaterThan(600);
  await vi.advanceTimersByTimeAsync(299);
  expect(motions[0]!.finish).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(motions[0]!.finish).toHaveBeenCalledOnce();
});

it('waits within the animation, and keeps the times of its keyframes', () => {
  const { one, times } = element();
  hold(one, [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 0 }], { duration: 300, delay: 40 });
  expect(
    times()
      .slice(0, 4)
      .map(([at, opacity]) => [Math.round(Number(at)), opacity]),
  ).toEqual([
    [0, 0],
    [40, 0],
    [100, 1],
    [340, 0],
  ]);
});

it('ends with everything else that moves', async () => {
  const [short, long] = [moved({ duration: 200 }), moved({ duration: 300, delay: 40 })];
  await vi.advanceTimersByTimeAsync(339);
  expect(short.motions[0]!.finish).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(short.motions[0]!.finish).toHaveBeenCalledOnce();
  expect(long.motions[0]!.finish).toHaveBeenCalledOnce();
});

it('replaces the animation of its element and ends those that left the page', async () => {
  const [gone, again] = [moved({ duration: 300 }), moved({ duration: 300 })];
  gone.one.remove();
  await vi.advanceTimersByTimeAsync(100);
  animate(again.one, FRAMES, { duration: 300 });
  expect(gone.motions[0]!.cancel).toHaveBeenCalledOnce();
  expect(again.motions[0]!.cancel).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(299);
  expect(again.motions[1]!.finish).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(again.motions[1]!.finish).toHaveBeenCalledOnce();
});

it('stays above the others until the last animation of the element ends', async () => {
  const { one } = element();
  float(one, FRAMES, { duration: 300 }, 2);
  await vi.advanceTimersByTimeAsync(100);
  float(one, FRAMES, { duration: 300 }, 3);
  await vi.advanceTimersByTimeAsync(1);
  expect(one.style.zIndex).toBe('3');
  await vi.advanceTimersByTimeAsync(300);
  expect(one.style.zIndex).toBe('');
});

it('ends with what follows it, or without it if that is called off', async () => {
  const then = vi.fn();
  const [first, second] = [moved({ duration: 200 }), moved({ duration: 300 })];
  afterMotion(then, 400);
  const off = afterMotion(() => expect.unreachable(), 500);
  await vi.advanceTimersByTimeAsync(400);
  expect(then).toHaveBeenCalledOnce();
  expect(first.motions[0]!.finish).not.toHaveBeenCalled();
  off();
  expect(first.motions[0]!.finish).toHaveBeenCalledOnce();
  expect(second.motions[0]!.finish).toHaveBeenCalledOnce();
  const third = moved({ duration: 200 });
  afterMotion(() => expect(third.motions[0]!.finish).toHaveBeenCalledOnce(), 300);
  await vi.advanceTimersByTimeAsync(300);
  expect.assertions(5);
});

it('does not wait for an animation that somebody has cancelled before it began', async () => {
  const cancelled = element(Promise.reject(new Error('AbortError')));
  animate(cancelled.one, FRAMES, { duration: 900 });
  const other = moved({ duration: 200 });
  await vi.advanceTimersByTimeAsync(200);
  expect(other.motions[0]!.finish).toHaveBeenCalledOnce();
});
