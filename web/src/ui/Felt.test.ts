import { render } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import { person } from '../core/examples';
import Felt from './Felt.svelte';

it('keeps its classes when the turn changes, so that nothing on it is styled again', async () => {
  const children = createRawSnippet(() => ({ render: () => '<p></p>' }));
  const props = { seats: [person('Ada'), person('Bea')], you: 0, must: [0], children };
  const { getByTestId, rerender } = render(Felt, props);
  const felt = getByTestId('felt');
  const [classes, light] = [felt.className, felt.querySelector('.light')!];
  expect(light).toHaveProperty('className', expect.stringContaining('lit'));
  await rerender({ ...props, must: [1] });
  expect(light).toHaveProperty('className', expect.not.stringContaining('lit'));
  expect(felt.className).toBe(classes);
});
