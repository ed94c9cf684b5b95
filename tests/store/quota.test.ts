import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.js';
import { StoreError } from '../../src/store/storage.js';

interface Thing {
  readonly text: string;
}
const put = (store: MemoryStore<Thing>, key: string, bytes: number) =>
  store.guaranteedUpdate(key, () => ({ action: 'put', value: { text: 'x'.repeat(bytes) } }));
const remove = (store: MemoryStore<Thing>, key: string) => store.guaranteedUpdate(key, () => ({ action: 'delete' }));

describe('maxBytes', () => {
  it('refuses a write beyond it, and writes nothing', async () => {
    const store = new MemoryStore<Thing>({ maxBytes: 10_000 });
    await put(store, '/a', 4000);
    await put(store, '/b', 4000);
    const { revision } = store;
    await expect(put(store, '/c', 4000)).rejects.toMatchObject({ code: 'storageFull' });
    await expect(put(store, '/a', 8000)).rejects.toBeInstanceOf(StoreError);
    expect([store.revision, store.count('/'), store.get('/a')?.value.text.length]).toEqual([revision, 2, 4000]);
  });
  it('allows writes that shrink, keep or delete, or that are marked as necessary', async () => {
    const store = new MemoryStore<Thing>({ maxBytes: 10_000 });
    await put(store, '/a', 9000);
    expect(await put(store, '/a', 9000)).toMatchObject({ outcome: 'updated' });
    expect(await put(store, '/a', 8000)).toMatchObject({ outcome: 'updated' });
    await store.guaranteedUpdate('/a', () => ({
      action: 'put',
      value: { text: 'x'.repeat(20_000) },
      beyondQuota: true,
    }));
    expect(await put(store, '/a', 19_000)).toMatchObject({ outcome: 'updated' });
    await expect(put(store, '/b', 1)).rejects.toMatchObject({ code: 'storageFull' });
    expect(await remove(store, '/a')).toMatchObject({ outcome: 'deleted' });
    expect(await put(store, '/b', 9000)).toMatchObject({ outcome: 'created' });
  });
  it('counts the initial objects, and is optional', async () => {
    await expect(put(new MemoryStore<Thing>({ maxBytes: 100 }), '/a', 1000)).rejects.toThrow('at most 100 bytes');
    expect(await put(new MemoryStore<Thing>(), '/a', 1_000_000)).toMatchObject({ outcome: 'created' });
  });
  it.each([0, -1, Number.NaN])('refuses %s as a limit', (maxBytes) => {
    expect(() => new MemoryStore({ maxBytes })).toThrow(TypeError);
  });
  it('depends only on the state: an emptied store has all its room again', async () => {
    const write = fc.record({ key: fc.constantFrom('/a', '/b', '/c'), bytes: fc.integer({ min: 0, max: 5000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
        const store = new MemoryStore<Thing>({ maxBytes: 12_000 });
        for (const { key, bytes } of writes) await put(store, key, bytes).catch(() => {});
        const held = store.list('/').entries.reduce((sum, { value }) => sum + value.text.length, 0);
        expect(held).toBeLessThan(12_000);
        for (const key of ['/a', '/b', '/c']) await remove(store, key);
        expect(await put(store, '/a', 11_000)).toMatchObject({ outcome: 'created' });
      }),
    );
  });
});
