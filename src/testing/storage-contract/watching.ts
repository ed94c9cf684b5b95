import { expect } from 'vitest';
import type { StoreEvent, Watch } from '../../store/storage.js';
import { failure, put, remove, type StoredSample, shown, type Test } from './context.js';

/** Returns all waiting events, taken in portions of `max`. */
function drain(watch: Watch<StoredSample>, max = 1000): string[] {
  const all: string[] = [];
  for (let events = watch.take(max); events.length > 0; events = watch.take(max)) {
    expect(events.length).toBeLessThanOrEqual(max);
    all.push(...shown(events));
  }
  return all;
}

/** Tests which events a watch returns, and when it signals them. */
export function watching(test: Test): void {
  test('sends events with the previous value', async ({ store }) => {
    const watch = store.watch('/a/', store.revision);
    const first = (await put(store, '/a/1', 1)).entry;
    const second = (await put(store, '/a/1', 2)).entry;
    await put(store, '/b/1');
    const last = (await remove(store, '/a/1')).entry;
    const events: readonly StoreEvent<StoredSample>[] = watch.take();
    expect(events).toEqual([
      { type: 'put', key: '/a/1', revision: first?.revision, value: first?.value, previous: undefined },
      { type: 'put', key: '/a/1', revision: second?.revision, value: second?.value, previous: first?.value },
      { type: 'delete', key: '/a/1', revision: last?.revision, value: last?.value, previous: second?.value },
    ]);
  });
  test('every watch gets the same event object, past or live', async ({ store }) => {
    const watches = [
      store.watch('', store.revision),
      store.watch('/a', store.revision),
      store.watch('/a', store.revision, { exact: true }),
    ];
    await put(store, '/a');
    watches.push(store.watch('', store.revision - 1));
    const events = watches.map((watch) => watch.take()[0]);
    expect(events[0]).toBeDefined();
    for (const event of events) expect(event).toBe(events[0]);
  });
  test('matches a prefix or one key', async ({ store }) => {
    const from = store.revision;
    const keys = ['/a', '/a/', '/a/1', '/a/1/x', '/ab', '/b'];
    const open = (): Watch<StoredSample>[] => [
      store.watch('', from),
      store.watch('/a', from),
      store.watch('/a/', from),
      store.watch('/a', from, { exact: true }),
      store.watch('/a/', from, { exact: true }),
      store.watch('/a/1', from, { exact: true }),
      store.watch('/none/', from),
    ];
    const live = open();
    for (const key of keys) await put(store, key);
    const expected = [keys, keys.slice(0, 5), keys.slice(1, 4), ['/a'], ['/a/'], ['/a/1'], []];
    for (const watches of [live, open()]) {
      expect(watches.map((watch) => watch.take().map(({ key }) => key))).toEqual(expected);
    }
  });
  test('replays in bounded batches, then sends live events, during writes', async ({ store }) => {
    const from = store.revision;
    for (let n = 0; n < 5; n++) await put(store, '/a', n);
    const watch = store.watch('/a', from);
    expect(watch.state).toBe('replaying');
    expect(shown(watch.take(2))).toEqual(['put /a 0', 'put /a 1']);
    await put(store, '/a', 5);
    await put(store, '/b', 0);
    expect(watch.state).toBe('replaying');
    expect(shown(watch.take(3))).toEqual(['put /a 2', 'put /a 3', 'put /a 4']);
    expect(watch.state).toBe('replaying');
    expect(shown(watch.take(3))).toEqual(['put /a 5']);
    expect(watch.state).toBe('live');
    await put(store, '/a', 6);
    expect(watch.state).toBe('lagging');
    expect(drain(watch)).toEqual(['put /a 6']);
    expect(watch.state).toBe('live');
    expect(watch.take()).toEqual([]);
  });
  test('starts with live events if the history has none for it', async ({ store }) => {
    const from = store.revision;
    await put(store, '/b');
    const watch = store.watch('/a', from);
    expect(watch.state).toBe('live');
    let notifications = 0;
    watch.onReadable = () => notifications++;
    await put(store, '/a', 1);
    expect(notifications).toBe(1);
    expect(drain(watch)).toEqual(['put /a 1']);
  });
  test('sends nothing before a future revision is reached', async ({ store }) => {
    const watch = store.watch('', store.revision + 2);
    expect(watch.state).toBe('live');
    for (const key of ['/a', '/b', '/c']) await put(store, key);
    expect(drain(watch)).toEqual(['put /c 0']);
  });
  test('notifies the reader once when events are available, at the commit', async ({ store }) => {
    const watch = store.watch('', store.revision);
    let notifications = 0;
    watch.onReadable = () => notifications++;
    await put(store, '/a', 1);
    await put(store, '/a', 2);
    expect(notifications).toBe(1);
    expect(shown(watch.take(1))).toEqual(['put /a 1']);
    await put(store, '/a', 3);
    expect([notifications, watch.state]).toEqual([1, 'lagging']);
    expect(drain(watch, 1)).toEqual(['put /a 2', 'put /a 3']);
    await put(store, '/a', 4);
    expect(notifications).toBe(2);
  });
  test('a reader may write when it is notified, and all readers see the same order', async ({ store }) => {
    const writer = store.watch('/a', store.revision);
    const reader = store.watch('', store.revision);
    const seen: string[] = [];
    writer.onReadable = () => {
      for (const event of writer.take()) if (event.value.n < 3) void put(store, '/a', event.value.n + 1);
    };
    reader.onReadable = () => seen.push(...shown(reader.take()));
    const { revision } = store;
    await put(store, '/a', 0);
    // A durable store commits the reader's writes asynchronously, so the test waits for the last one.
    await store.waitFor(revision + 4);
    expect(seen).toEqual(['put /a 0', 'put /a 1', 'put /a 2', 'put /a 3']);
  });
  test('a reader that throws affects neither the write nor other readers', async ({ store }) => {
    const wrong = new Error('reader');
    const throwing = store.watch('', store.revision);
    throwing.onReadable = () => {
      throw wrong;
    };
    const other = store.watch('', store.revision);
    expect((await put(store, '/a')).outcome).toBe('created');
    expect([throwing.state, throwing.error]).toEqual(['closed', wrong]);
    expect(drain(other)).toEqual(['put /a 0']);
  });
  test('iterates over past and live events until the loop ends', async ({ store }) => {
    const from = store.revision;
    await put(store, '/a', 0);
    const watch = store.watch('/a', from);
    const seen: number[] = [];
    const loop = (async () => {
      for await (const { value } of watch) {
        seen.push(value.n);
        if (value.n === 3) break;
      }
    })();
    for (const n of [1, 2, 3, 4]) {
      await put(store, '/a', n);
      if (n === 2) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await loop;
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(watch.state).toBe('closed');
  });
  test('sends nothing after the reader has closed it', async ({ store }) => {
    const watch = store.watch('', store.revision);
    await put(store, '/a');
    watch.close();
    watch.close();
    await put(store, '/b');
    expect([watch.state, watch.error, watch.take()]).toEqual(['closed', undefined, []]);
  });
}

/** Tests what a slow reader receives. */
export function fallingBehind(test: Test): void {
  test('loses nothing when its buffer is full: the reader continues from the history', async ({ store }) => {
    const slow = store.watch('', store.revision, { maxBuffered: 2 });
    const patient = store.watch('', store.revision, { maxBuffered: 9 });
    for (const key of ['/a', '/b', '/c', '/d']) await put(store, key);
    expect([slow.state, patient.state]).toEqual(['replaying', 'lagging']);
    const all = ['put /a 0', 'put /b 0', 'put /c 0', 'put /d 0'];
    expect([drain(slow), drain(patient)]).toEqual([all, all]);
    await put(store, '/e');
    expect([drain(slow), drain(patient)]).toEqual([['put /e 0'], ['put /e 0']]);
  });
  test('buffers 1000 events by default', async ({ store }) => {
    const watch = store.watch('', store.revision);
    for (let n = 0; n < 1000; n++) await put(store, '/a', n);
    expect(watch.state).toBe('lagging');
    await put(store, '/a', 1000);
    expect(watch.state).toBe('replaying');
    expect(drain(watch)).toHaveLength(1001);
  });
  test(
    'closes a watch when the history drops unread events, and its iterator throws the reason',
    async ({ store }) => {
      const watch = store.watch('', store.revision, { maxBuffered: 1 });
      for (const key of ['/a', '/b', '/c', '/d']) await put(store, key);
      expect([watch.state, watch.error, watch.take()]).toEqual(['closed', failure('lagging'), []]);
      const loop = (async () => {
        for await (const _ of watch);
      })();
      await expect(loop).rejects.toEqual(failure('lagging'));
    },
    { maxEvents: 3 },
  );
  test(
    'closes a replay whose events the history drops',
    async ({ store }) => {
      const from = store.revision;
      for (const key of ['/a', '/b', '/c']) await put(store, key);
      const slow = store.watch('', from);
      const quick = store.watch('', from);
      let notifications = 0;
      slow.onReadable = () => notifications++;
      expect(shown(quick.take(2))).toEqual(['put /a 0', 'put /b 0']);
      await put(store, '/d');
      expect([slow.state, slow.error, notifications]).toEqual(['closed', failure('lagging'), 1]);
      expect(drain(quick)).toEqual(['put /c 0', 'put /d 0']);
    },
    { maxEvents: 3 },
  );
}
