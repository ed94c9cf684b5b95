import { describe, it } from 'vitest';
import type { HistoryBounds } from '../store/history.js';
import type { Storage } from '../store/storage.js';
import type { InitialState, StorageWiring } from '../store/storage-factory.js';
import { createFakeClock, type FakeClock } from './fake-clock.js';
import type { Context, StoredSample } from './storage-contract/context.js';
import { beginning, type DurableTest, forgetting, interrupted, surviving } from './storage-contract/durability.js';
import { closing, waiting } from './storage-contract/life.js';
import { listing, past } from './storage-contract/reading.js';
import { sharing } from './storage-contract/sharing.js';
import { fallingBehind, watching } from './storage-contract/watching.js';
import { races, writing } from './storage-contract/writing.js';

export type { StoredSample } from './storage-contract/context.js';

/** The options for a store under test. */
export interface StorageContractOptions extends StorageWiring<StoredSample> {
  /** The limits of the history of the tested storage. */
  readonly history: HistoryBounds;
}

/**
 * Declares, as vitest tests, the complete behavior of `Storage`, for any backend. `makeStore` opens a new, empty store for each test. The
 * store may begin at any revision. Example: `runStorageContract('MemoryStore', (options) => new MemoryStore(options))`.
 */
export function runStorageContract(
  name: string,
  makeStore: (options: StorageContractOptions) => Storage<StoredSample> | Promise<Storage<StoredSample>>,
): void {
  /** Declares a test case with its own store, which is closed at the end of the case. */
  function test(title: string, body: (context: Context) => Promise<void>, history: HistoryBounds = {}): void {
    it(title, async () => {
      const clock = createFakeClock();
      const store = await makeStore(optionsOf(clock, history));
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
    describe('watchers that fall behind', () => fallingBehind(test));
    describe('waiting for a revision', () => waiting(test));
    describe('closing', () => closing(test));
  });
}

/** A place, such as a folder, in which a storage keeps data that outlives the process. */
export interface DurablePlace {
  /** Opens the storage of this place, as the next process would. */
  open(options: StorageContractOptions): Storage<StoredSample> | Promise<Storage<StoredSample>>;
  /**
   * Cuts the storage off from its process without closing it, as a killed process would leave it: the next `open` finds the writes that
   * were durable at this moment. Whatever the old process does afterwards must not reach the storage.
   */
  crash(): Promise<void>;
}

/**
 * Declares, as vitest tests, the behavior that a storage must have besides {@link runStorageContract} when its data outlives the process.
 * Every case runs once with processes that close their storage and once with processes that crash. `makePlace` creates a new, empty place.
 */
export function runDurableStorageContract(name: string, makePlace: () => DurablePlace | Promise<DurablePlace>): void {
  for (const end of ['closed', 'crashed'] as const) {
    const test: DurableTest = (title, body, { history = {}, initial } = {}) => {
      it(title, async () => {
        const clock = createFakeClock();
        const place = await makePlace();
        const open = (state = initial) =>
          place.open({ ...optionsOf(clock, history), ...(state ? { initial: state } : {}) });
        let store = await open();
        const restart = async (state?: InitialState<StoredSample>) => {
          await (end === 'closed' ? store.close() : place.crash());
          store = await open(state);
          return store;
        };
        try {
          await body({ clock, store, restart });
        } finally {
          await store.close();
        }
      });
    };
    describe(`${name}: the contract of durable storages, ${end}`, () => {
      describe('after a restart', () => surviving(test));
      describe('the expired history', () => forgetting(test));
      describe('interrupted writes', () => interrupted(test));
      describe('the initial state', () => beginning(test));
    });
  }
}

/**
 * Declares, as vitest tests, the behavior that a storage must have besides {@link runStorageContract} when several processes write to one
 * backend. `openTwo` opens two stores of a new, empty backend, as two processes would.
 */
export function runSharedStorageContract(
  name: string,
  openTwo: (options: StorageContractOptions) => SharedStores | Promise<SharedStores>,
): void {
  describe(`${name}: the contract of shared storages`, () => {
    sharing((title, body) => {
      it(title, async () => {
        const [one, other] = await openTwo(optionsOf(createFakeClock(), {}));
        try {
          await body(one, other);
        } finally {
          await one.close();
          await other.close();
        }
      });
    });
  });
}
type SharedStores = readonly [Storage<StoredSample>, Storage<StoredSample>];

const optionsOf = (clock: FakeClock, history: HistoryBounds): StorageContractOptions => ({
  clock,
  history,
  stamp: (value, revision) => ({ ...value, revision }),
  equals: (a, b) => a.n === b.n && JSON.stringify(a.tags) === JSON.stringify(b.tags),
});
