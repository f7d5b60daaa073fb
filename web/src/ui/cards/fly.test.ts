import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { animate } from './fly';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function moved(timing: Parameters<typeof animate>[2]) {
  const motion = { ready: Promise.resolve(), finish: vi.fn() };
  const one = document.createElement('div');
  const asked = vi.fn((...given: [Keyframe[], number]) => given && (motion as unknown as Animation));
  one.animate = asked;
  animate(one, [{ opacity: 0 }, { opacity: 1 }], timing);
  const [frames, length] = asked.mock.calls[0]!;
  return { motion, times: frames.map(({ offset, opacity }) => [Math.round(offset! * length), opacity]), length };
}

it('ends with a timer, long before the animation would end by itself', async () => {
  const { motion, times, length } = moved({ duration: 300, easing: 'ease-out' });
  expect(times.slice(0, 2)).toEqual([
    [0, 0],
    [300, 1],
  ]);
  expect(times.at(-1)).toEqual([length, 1]);
  expect(length).toBeGreaterThan(600);
  await vi.advanceTimersByTimeAsync(299);
  expect(motion.finish).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(motion.finish).toHaveBeenCalledOnce();
});

it('waits and rests within the same animation', async () => {
  const { motion, times } = moved({ duration: 300, delay: 40, rest: 80 });
  expect(times.slice(0, 3)).toEqual([
    [0, 0],
    [40, 0],
    [340, 1],
  ]);
  await vi.advanceTimersByTimeAsync(419);
  expect(motion.finish).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(motion.finish).toHaveBeenCalledOnce();
});
