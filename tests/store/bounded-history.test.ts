import { expect, it } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { reachableBytes } from '../support/collect-garbage.js';

it('keeps a bounded history with a clock that stands still', { timeout: 60_000 }, async () => {
  const store = new MemoryStore<{ n: number; text: string }>({
    clock: createFakeClock(),
    history: { maxEvents: 5000 },
  });
  const write = async (rounds: number) => {
    for (let n = 0; n < rounds; n++) {
      await store.guaranteedUpdate(`/a/${n % 100}`, () => ({ action: 'put', value: { n, text: `some text ${n}` } }));
    }
  };
  await write(20_000);
  const before = reachableBytes();
  await write(200_000);
  // If all these events were kept, they would occupy more than 60 MB.
  expect(reachableBytes() - before).toBeLessThan(20 * 2 ** 20);
  expect(store.revision - store.compactRevision).toBe(5000);
});
