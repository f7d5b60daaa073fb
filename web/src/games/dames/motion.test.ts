import { expect, it, vi } from 'vitest';
import { pop } from './motion';

it('ends the animation of points that leave the board: it would keep the main thread busy', () => {
  const points = document.createElement('span');
  const cancel = vi.fn();
  points.animate = () => ({ cancel }) as unknown as Animation;
  const leave = pop(200, -0.45)(points) as () => void;
  expect(cancel).not.toHaveBeenCalled();
  leave();
  expect(cancel).toHaveBeenCalledOnce();
});
