import { expect, it } from 'vitest';
import { WorkQueue } from '../../src/client/work-queue.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';

it.each([
  ['a longer delay does not postpone a delayed key', [1000, 5000], 1000],
  ['a shorter delay brings a delayed key forward', [5000, 1000], 1000],
])('%s', (_, delays, expected) => {
  const clock = createFakeClock();
  const queue = new WorkQueue(clock);
  for (const delay of delays) queue.addAfter('key', delay);
  clock.advance(expected - 1);
  expect(queue.queued).toEqual([]);
  clock.advance(1);
  expect(queue.queued).toEqual(['key']);
  expect(queue.take()).toBe('key');
  clock.advance(10_000);
  expect(queue.queued).toEqual([]);
});
