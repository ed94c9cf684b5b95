import { expect } from 'vitest';
import { failure, gate, keysOf, put, remove, type Test } from './context.js';

/** Tests what a write does and returns. */
export function writing(test: Test): void {
  test('an empty store has a revision that is not 0', async ({ store }) => {
    expect(store.revision).toBeGreaterThan(0);
    expect(store.compactRevision).toBe(store.revision);
    expect(store.list('')).toEqual({ entries: [], revision: store.revision, remaining: 0 });
    expect(store.get('/a')).toBeUndefined();
  });
  test('creates an entry at the next revision, which is stamped into the value', async ({ store }) => {
    const revision = store.revision + 1;
    const result = await put(store, '/a', 7);
    expect(result).toEqual({
      outcome: 'created',
      entry: { key: '/a', value: { n: 7, revision }, revision, createRevision: revision },
    });
    expect(store.revision).toBe(revision);
    expect(store.get('/a')).toBe(result.entry);
  });
  test('updates an entry with a new revision, and keeps that of the creation', async ({ store }) => {
    const created = await put(store, '/a', 1);
    const updated = await store.guaranteedUpdate('/a', (current) => ({
      action: 'put',
      value: { n: (current?.value.n ?? 0) + 1 },
    }));
    expect(updated.outcome).toBe('updated');
    expect(updated.entry?.value.n).toBe(2);
    expect(updated.entry?.revision).toBe((created.entry?.revision ?? 0) + 1);
    expect(updated.entry?.createRevision).toBe(created.entry?.revision);
  });
  test('all keys share one counter', async ({ store }) => {
    const { revision } = store;
    const results = [await put(store, '/a'), await put(store, '/b'), await remove(store, '/a'), await put(store, '/a')];
    expect(results.map(({ entry }) => (entry?.revision ?? 0) - revision)).toEqual([1, 2, 3, 4]);
    expect(results[3]?.entry?.createRevision).toBe(store.revision);
  });
  test('deletes an entry, and returns it with the revision of the deletion', async ({ store }) => {
    const created = await put(store, '/a', 3);
    const { outcome, entry } = await remove(store, '/a');
    expect(outcome).toBe('deleted');
    expect(entry?.value).toEqual({ n: 3, revision: store.revision });
    expect(entry).toMatchObject({ revision: store.revision, createRevision: created.entry?.revision });
    expect(store.get('/a')).toBeUndefined();
    expect(store.count('')).toBe(0);
  });
  test('deletes an entry with a given last state', async ({ store }) => {
    await put(store, '/a', 3);
    const watch = store.watch('/a', store.revision);
    const { entry } = await store.guaranteedUpdate('/a', () => ({ action: 'delete', value: { n: 4 } }));
    expect(entry?.value).toEqual({ n: 4, revision: store.revision });
    expect(watch.take()).toMatchObject([{ type: 'delete', value: { n: 4 }, previous: { n: 3 } }]);
  });
  test('writes nothing for keep, for an equal value, or for the deletion of an absent key', async ({ store }) => {
    const { entry } = await put(store, '/a', 1);
    const { revision } = store;
    const watch = store.watch('', revision);
    expect(await store.guaranteedUpdate('/a', () => ({ action: 'keep' }))).toEqual({ outcome: 'unchanged', entry });
    expect(await store.guaranteedUpdate('/b', () => ({ action: 'keep' }))).toEqual({
      outcome: 'unchanged',
      entry: undefined,
    });
    const same = await put(store, '/a', 1);
    expect(same.outcome).toBe('unchanged');
    expect(same.entry).toBe(entry);
    expect(await remove(store, '/b')).toEqual({ outcome: 'unchanged', entry: undefined });
    expect(store.revision).toBe(revision);
    expect(watch.take()).toEqual([]);
  });
  test('throws the error of tryUpdate, and writes nothing', async ({ store }) => {
    const { revision } = store;
    const wrong = new Error('no');
    const throwing = (): never => {
      throw wrong;
    };
    await expect(store.guaranteedUpdate('/a', throwing)).rejects.toBe(wrong);
    await expect(store.guaranteedUpdate('/a', () => Promise.reject(wrong))).rejects.toBe(wrong);
    expect(store.revision).toBe(revision);
  });
  test('freezes values deeply and shares them with every reader', async ({ store }) => {
    await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n: 1, tags: ['x'] } }));
    const value = store.get('/a')?.value;
    expect(Object.isFrozen(value) && Object.isFrozen(value?.tags)).toBe(true);
    expect(store.list('').entries[0]?.value).toBe(value);
    const watch = store.watch('', store.revision - 1);
    expect(watch.take()[0]?.value).toBe(value);
    const { entry } = await remove(store, '/a');
    expect(Object.isFrozen(entry?.value)).toBe(true);
    expect(watch.take()[0]?.previous).toBe(value);
  });
  test("distinguishes keys that are names of JavaScript's object members", async ({ store }) => {
    for (const key of ['__proto__', 'constructor', 'toString']) await put(store, key, 1);
    expect(keysOf(store.list('').entries)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(store.get('hasOwnProperty')).toBeUndefined();
  });
}

/** Tests what happens when another write intervenes. */
export function races(test: Test): void {
  test('calls an asynchronous tryUpdate again with the newest entry if that changed meanwhile', async ({ store }) => {
    await put(store, '/a', 1);
    const { opened, open } = gate();
    const seen: (number | undefined)[] = [];
    const slow = store.guaranteedUpdate('/a', async (current) => {
      seen.push(current?.value.n);
      await opened;
      return { action: 'put', value: { n: (current?.value.n ?? 0) + 100 } };
    });
    await put(store, '/a', 2);
    open();
    expect((await slow).entry?.value.n).toBe(102);
    expect(seen).toEqual([1, 2]);
  });
  test('does not call tryUpdate again for a write to another key', async ({ store }) => {
    let calls = 0;
    const slow = store.guaranteedUpdate('/a', async () => {
      calls++;
      await put(store, '/b');
      return { action: 'put', value: { n: 1 } };
    });
    expect((await slow).outcome).toBe('created');
    expect(calls).toBe(1);
  });
  test('treats a key that was deleted and created again as another entry', async ({ store }) => {
    await put(store, '/a', 1);
    const seen: (number | undefined)[] = [];
    await store.guaranteedUpdate('/a', async (current) => {
      seen.push(current?.createRevision);
      if (seen.length === 1) {
        await remove(store, '/a');
        await put(store, '/a', 1);
      }
      return { action: 'put', value: { n: 2 } };
    });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBeGreaterThan(seen[0] ?? Number.POSITIVE_INFINITY);
  });
  test('concurrent increments are not lost', async ({ store }) => {
    await put(store, '/a', 0);
    const step = (waits: number) =>
      store.guaranteedUpdate('/a', async (current) => {
        for (let turn = 0; turn < waits; turn++) await undefined;
        return { action: 'put', value: { n: (current?.value.n ?? 0) + 1 } };
      });
    await Promise.all(Array.from({ length: 20 }, (_, index) => step(index % 4)));
    expect(store.get('/a')?.value.n).toBe(20);
  });
  test('an aborted signal stops the update while tryUpdate is pending', async ({ store }) => {
    const before = store.guaranteedUpdate('/a', async () => ({ action: 'put', value: { n: 1 } }), {
      signal: AbortSignal.abort(),
    });
    await expect(before).rejects.toEqual(failure('aborted'));
    const controller = new AbortController();
    const waiting = store.guaranteedUpdate('/a', () => new Promise(() => {}), { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toEqual(failure('aborted'));
    expect(store.count('')).toBe(0);
  });
}
