import { describe, expect, it } from 'vitest';
import { memory } from '../../src/store/memory.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { runStorageContract } from '../../src/testing/storage-contract.js';

runStorageContract('MemoryStore', (options) => new MemoryStore(options));
runStorageContract(
  'MemoryStore with many snapshots',
  (options) => new MemoryStore({ ...options, snapshotInterval: 3, firstRevision: 999 }),
);

describe('MemoryStore', () => {
  it('commits synchronously if tryUpdate returns synchronously', () => {
    const store = new MemoryStore<{ n: number }>();
    void store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 1 } }));
    expect(store.get('/a')?.value).toEqual({ n: 1 });
  });
  it('starts at the given first revision', async () => {
    const store = new MemoryStore({ firstRevision: 41 });
    expect(store.revision).toBe(41);
    const { entry } = await store.guaranteedUpdate('/a', () => ({ action: 'put', value: {} }));
    expect(entry?.revision).toBe(42);
  });
  it.each([0, -1, 1.5, Number.NaN])('refuses %s as first revision', (firstRevision) => {
    expect(() => new MemoryStore({ firstRevision })).toThrow(TypeError);
  });
  it('is created by memory() with the values of the server', async () => {
    const stamp = (value: { n: number }, revision: number) => ({ ...value, n: revision });
    const store = memory({ firstRevision: 7 })({ clock: createFakeClock(), stamp, equals: () => false });
    const { entry } = await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 0 } }));
    expect(entry?.value).toEqual({ n: 8 });
  });
  it('writes nothing when stamping or comparing fails', async () => {
    const fail = (): never => {
      throw new RangeError('stamp');
    };
    const store = new MemoryStore<{ n: number }>({ stamp: fail });
    const { revision } = store;
    await expect(store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 1 } }))).rejects.toThrow('stamp');
    expect([store.revision, store.get('/a'), store.count('')]).toEqual([revision, undefined, 0]);
  });
  it('calls tryUpdate again if tryUpdate itself wrote the key', async () => {
    const store = new MemoryStore<{ n: number }>();
    const seen: (number | undefined)[] = [];
    await store.guaranteedUpdate('/a', (current) => {
      seen.push(current?.value.n);
      if (current === undefined) void store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 1 } }));
      return { action: 'put', value: { n: 2 } };
    });
    expect(seen).toEqual([undefined, 1]);
    expect(store.get('/a')?.value.n).toBe(2);
  });
  it('does not wake an up-to-date watch for an event that it does not match', async () => {
    const store = new MemoryStore<{ n: number }>();
    const write = (n: number) => store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n } }));
    const watch = store.watch('/a', store.revision, { concerns: ({ value }) => value.n > 1 });
    let woken = 0;
    watch.onReadable = () => {
      woken++;
    };
    await write(1);
    expect([woken, watch.state, watch.take()]).toEqual([0, 'live', []]);
    await write(2);
    expect([woken, watch.state, watch.take().map(({ value }) => value.n)]).toEqual([1, 'lagging', [2]]);
  });
  it('delivers every event to a reader that writes for each of them', async () => {
    const store = new MemoryStore<{ n: number }>();
    const write = (n: number) => store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n } }));
    const watch = store.watch('/a', store.revision);
    watch.onReadable = () => {
      for (const { value } of watch.take()) if (value.n < 20_000) void write(value.n + 1);
    };
    await write(0);
    expect(store.get('/a')?.value.n).toBe(20_000);
    expect(watch.state).toBe('live');
  });
  it('keeps its history when the time of day is set', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => 0, setTimer: () => () => undefined };
    const store = new MemoryStore<{ n: number }>({ clock, history: { maxAgeMilliseconds: 1000 } });
    const { revision } = store;
    for (const jump of [0, 3_600_000, -7_200_000, 86_400_000]) {
      now += jump;
      await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: now } }));
    }
    expect(store.compactRevision).toBe(revision);
    const { length } = store.watch('/a', revision).take();
    expect(length).toBe(4);
  });
  it('sets one timer for the end of its history, however far that is', async () => {
    const clock = createFakeClock(0);
    const maxAgeMilliseconds = 2 ** 32;
    const store = new MemoryStore<{ n: number }>({ clock, history: { maxAgeMilliseconds } });
    await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 1 } }));
    expect(clock.timers()).toEqual([{ name: 'end of old history', at: maxAgeMilliseconds + 1 }]);
    clock.advance(maxAgeMilliseconds + 1);
    expect(store.compactRevision).toBe(store.revision);
    expect(clock.timers()).toEqual([]);
  });
});
