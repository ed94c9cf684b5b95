import { expect } from 'vitest';
import type { HistoryBounds } from '../../store/history.js';
import type { Entry, Page, StoreEvent } from '../../store/storage.js';
import type { InitialState } from '../../store/storage-factory.js';
import type { FakeClock } from '../fake-clock.js';
import { failure, put, remove, type Store, type StoredSample, shown, thrownBy } from './context.js';

/** The arguments of a test case about a storage that outlives its process. */
export interface DurableContext {
  readonly clock: FakeClock;
  /** The storage that the first process has opened. */
  readonly store: Store;
  /** Ends the process, by closing the storage or by a crash, and opens the storage again. */
  restart(initial?: InitialState<StoredSample>): Promise<Store>;
}

/** Declares a test case that runs once with processes that close their storage, and once with processes that crash. */
export type DurableTest = (
  title: string,
  body: (context: DurableContext) => Promise<void>,
  options?: { readonly history?: HistoryBounds; readonly initial?: InitialState<StoredSample> },
) => void;

const MINUTE = 60_000;

/** Returns the members of an entry that must survive a restart. Entries of an earlier process may have additional members. */
const contentOf = ({ key, value, revision, createRevision }: Entry<StoredSample>) => ({
  key,
  value,
  revision,
  createRevision,
});
const pageOf = ({ entries, ...page }: Page<StoredSample>) => ({ ...page, entries: entries.map(contentOf) });
const eventOf = ({ type, key, revision, value, previous }: StoreEvent<StoredSample>) => ({
  type,
  key,
  revision,
  value,
  previous,
});

/** Returns everything that a reader can learn from a store: a list and a watch at every revision that has not been compacted. */
function everythingOf(store: Store) {
  const revisions = Array.from(
    { length: store.revision - store.compactRevision + 1 },
    (_, index) => store.compactRevision + index,
  );
  return {
    revision: store.revision,
    compactRevision: store.compactRevision,
    lists: revisions.map((revision) => pageOf(store.list('', { revision }))),
    watches: revisions.map((revision) => {
      const watch = store.watch('', revision);
      const events = watch.take(10_000).map(eventOf);
      watch.close();
      return events;
    }),
  };
}

/** Writes 40 times to a few keys, which are created, updated, deleted and created again. */
async function history(store: Store, first = 0): Promise<void> {
  for (let n = first; n < first + 40; n++) {
    if (n % 4 === 3) await remove(store, `/${(n - 3) % 7}`);
    else await put(store, `/${n % 7}`, n);
  }
}

/** Tests which entries, events and revisions the next process finds. */
export function surviving(test: DurableTest): void {
  test('restores every version: the newest, exact lists, and watches', async ({ store, restart }) => {
    await history(store);
    await put(store, '/watched/é', 1);
    await store.guaranteedUpdate('/watched/é', () => ({ action: 'delete', value: { n: 2, tags: ['last'] } }));
    const before = everythingOf(store);
    expect(everythingOf(await restart())).toEqual(before);
    expect(everythingOf(await restart())).toEqual(before);
  });
  test('continues with the next revision', async ({ store, restart }) => {
    await history(store);
    const { revision } = store;
    const next = await restart();
    const watch = next.watch('', revision - 1);
    await history(next, 40);
    expect(watch.take().map((event) => event.revision)).toEqual(
      Array.from({ length: next.revision - revision + 1 }, (_, index) => revision + index),
    );
    const before = everythingOf(next);
    expect(everythingOf(await restart())).toEqual(before);
  });
  test('updates, keeps and deletes entries of an earlier process', async ({ store, restart }) => {
    const { entry } = await put(store, '/a', 1);
    await put(store, '/b', 1);
    const next = await restart();
    expect((await put(next, '/a', 1)).outcome).toBe('unchanged');
    expect((await put(next, '/a', 2)).entry?.createRevision).toBe(entry?.createRevision);
    expect((await remove(next, '/b')).entry?.value).toEqual({ n: 1, revision: next.revision });
    const { createRevision } = (await put(next, '/b', 3)).entry ?? {};
    expect(createRevision).toBe(next.revision);
    const last = await restart();
    expect([last.get('/a')?.value.n, last.get('/b')?.createRevision]).toEqual([2, createRevision]);
  });
  test('shares frozen values with every reader', async ({ store, restart }) => {
    await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 1, tags: ['x'] } }));
    const next = await restart();
    const value = next.get('/a')?.value;
    expect(Object.isFrozen(value) && Object.isFrozen(value?.tags)).toBe(true);
    expect(next.list('').entries[0]?.value).toBe(value);
    expect(next.watch('', next.revision - 1).take()[0]?.value).toBe(value);
    expect(next.get('/a')).toBe(next.list('').entries[0]);
  });
  test('knows the times of the writes of an earlier process', async ({ store, clock, restart }) => {
    const time = clock.now();
    await put(store, '/a', 1);
    clock.advance(MINUTE);
    expect((await restart()).get('/a')?.writtenAt).toBe(time);
  });
}

/** Tests that old history is dropped, whether a process runs or not. */
export function forgetting(test: DurableTest): void {
  test('keeps five minutes of history across processes', async ({ store, clock, restart }) => {
    await put(store, '/a', 1);
    clock.advance(3 * MINUTE);
    await put(store, '/a', 2);
    const { revision } = store;
    clock.advance(MINUTE);
    const next = await restart();
    expect(shown(next.watch('', revision - 2).take())).toEqual(['put /a 1', 'put /a 2']);
    clock.advance(2 * MINUTE);
    expect(thrownBy(() => next.watch('', revision - 2))).toEqual(failure('compacted'));
    expect(shown(next.watch('', revision - 1).take())).toEqual(['put /a 2']);
  });
  test('drops versions that expired while no process ran', async ({ store, clock, restart }) => {
    await history(store);
    const { revision } = store;
    const newest = pageOf(store.list(''));
    clock.advance(6 * MINUTE);
    const next = await restart();
    expect(thrownBy(() => next.list('', { revision: revision - 1 }))).toEqual(failure('compacted'));
    expect([next.revision, next.compactRevision, pageOf(next.list(''))]).toEqual([revision, revision, newest]);
    expect(next.watch('', revision).state).toBe('live');
  });
  test(
    'is complete after many versions were dropped',
    async ({ store, restart }) => {
      let current = store;
      for (let round = 0; round < 3; round++) {
        await Promise.all(Array.from({ length: 900 }, (_, n) => put(current, `/${n % 150}`, 1000 * round + n)));
        for (let n = 0; n < 50; n++) await remove(current, `/${n}`);
        const before = pageOf(current.list(''));
        const held = current.watch('', current.compactRevision).take(1000).map(eventOf);
        expect(current.revision - current.compactRevision).toBe(100);
        current = await restart();
        expect(pageOf(current.list(''))).toEqual(before);
        const from = current.revision - 100;
        expect(current.watch('', from).take(1000).map(eventOf)).toEqual(held);
      }
    },
    { history: { maxEvents: 100 } },
  );
}

/** Tests which writes survive a crash that happens while many are under way. */
export function interrupted(test: DurableTest): void {
  test('loses no acknowledged write, and shows no partial write', async ({ store, restart }) => {
    let current = store;
    const acknowledged = new Map<string, number>();
    const asked = new Map<string, number>();
    for (let round = 0; round < 5; round++) {
      const writer = current;
      const writes = Array.from({ length: 200 }, async (_, index) => {
        const [key, n] = [`/${index % 40}`, 1000 * round + index];
        asked.set(key, n);
        const { entry } = await put(writer, key, n);
        acknowledged.set(key, Math.max(acknowledged.get(key) ?? 0, entry?.value.n ?? 0));
      });
      const settled = Promise.allSettled(writes);
      await Promise.all(writes.slice(0, 20));
      // Writes that are acknowledged from here on may come too late for the next process, so they are not expected to survive.
      const known = new Map(acknowledged);
      current = await restart();
      await settled;
      for (const [key, n] of known) {
        const { value, revision } = current.get(key) ?? {};
        expect(value?.n, key).toBeGreaterThanOrEqual(n);
        expect(value, key).toEqual({ n: value?.n, revision });
      }
      expect(current.count('')).toBeLessThanOrEqual(asked.size);
      const cache = new Map<string, unknown>();
      for (const { type, key, value } of current.watch('', current.compactRevision).take(10_000)) {
        if (type === 'put') cache.set(key, value);
        else cache.delete(key);
      }
      expect(Object.fromEntries(cache)).toEqual(
        Object.fromEntries(current.list('').entries.map(({ key, value }) => [key, value])),
      );
    }
  });
}

const INITIAL: InitialState<StoredSample> = {
  revision: 70,
  entries: [
    { key: '/a', value: { n: 1, revision: 60 }, revision: 60, createRevision: 50 },
    { key: '/b', value: { n: 2, revision: 65 }, revision: 65, createRevision: 65 },
  ],
};

/** Tests the initial state of a storage. */
export function beginning(test: DurableTest): void {
  test(
    'starts with a given state, and stores it',
    async ({ store, restart }) => {
      expect([store.revision, store.compactRevision]).toEqual([70, 70]);
      expect(store.list('').entries.map(contentOf)).toEqual(INITIAL.entries);
      await put(store, '/a', 3);
      const before = everythingOf(store);
      expect(before.revision).toBe(71);
      expect(everythingOf(await restart())).toEqual(before);
    },
    { initial: INITIAL },
  );
  test('ignores a given state if it contains data', async ({ store, restart }) => {
    await put(store, '/c', 1);
    const before = everythingOf(store);
    expect(everythingOf(await restart(INITIAL))).toEqual(before);
  });
}
