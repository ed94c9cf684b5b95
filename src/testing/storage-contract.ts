import { describe, it } from 'vitest';
import type { HistoryBounds } from '../store/history.js';
import type { Storage } from '../store/storage.js';
import type { StorageWiring } from '../store/storage-factory.js';
import { createFakeClock } from './fake-clock.js';
import type { Context, StoredSample } from './storage-contract/context.js';
import { closing, waiting } from './storage-contract/life.js';
import { listing, past } from './storage-contract/reading.js';
import { fallingBehind, watching } from './storage-contract/watching.js';
import { races, writing } from './storage-contract/writing.js';

export type { StoredSample } from './storage-contract/context.js';

/** What a store under test must be made with. */
export interface StorageContractOptions extends StorageWiring<StoredSample> {
  readonly history: HistoryBounds;
}

/**
 * The whole behaviour of `Storage` as test cases, for any backend. `makeStore` opens a new, empty store each time; its
 * first revision may be any. Example: `runStorageContract('MemoryStore', (options) => new MemoryStore(options))`.
 */
export function runStorageContract(
  name: string,
  makeStore: (options: StorageContractOptions) => Storage<StoredSample> | Promise<Storage<StoredSample>>,
): void {
  /** A case gets a new store, which is closed after it. */
  function test(title: string, body: (context: Context) => Promise<void>, history: HistoryBounds = {}): void {
    it(title, async () => {
      const clock = createFakeClock();
      const store = await makeStore({
        clock,
        history,
        stamp: (value, revision) => ({ ...value, revision }),
        equals: (a, b) => a.n === b.n && JSON.stringify(a.tags) === JSON.stringify(b.tags),
      });
      try {
        await body({ store, clock });
      } finally {
        await store.close();
      }
    });
  }

  describe(`${name}: the storage contract`, () => {
    describe('writing', () => writing(test));
    describe('lost races', () => races(test));
    describe('listing', () => listing(test));
    describe('the past', () => past(test));
    describe('watching', () => watching(test));
    describe('falling behind', () => fallingBehind(test));
    describe('waiting for a revision', () => waiting(test));
    describe('closing', () => closing(test));
  });
}
