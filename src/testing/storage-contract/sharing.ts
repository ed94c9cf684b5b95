import { expect } from 'vitest';
import type { StoreEvent, UpdateOptions } from '../../store/storage.js';
import { put, remove, type Store, type StoredSample } from './context.js';

/** Declares a test case with two stores of one new backend. */
export type SharedTest = (title: string, body: (one: Store, other: Store) => Promise<void>) => void;

/**
 * Writes the number of keys below `/a/` to the key `/count`; `meanwhile` runs while the first attempt is in progress.
 * @returns the number of attempts.
 */
async function counted(store: Store, meanwhile: () => Promise<unknown>, options: UpdateOptions): Promise<number> {
  let calls = 0;
  await store.guaranteedUpdate(
    '/count',
    async () => {
      const n = store.count('/a/');
      if (++calls === 1) await meanwhile();
      return { action: 'put', value: { n } };
    },
    options,
  );
  return calls;
}

/** Tests what a write guarantees while another process writes. */
export function sharing(test: SharedTest): void {
  test('a consistent read of one sees the commits of the other', async (one, other) => {
    const { entry } = await put(one, '/a', 1);
    await other.waitFor();
    expect(other.get('/a')).toEqual(entry);
    expect(other.revision).toBe(one.revision);
    await remove(other, '/a');
    await one.waitFor();
    expect(one.get('/a')).toBeUndefined();
  });
  test('concurrent increments by both are not lost', async (one, other) => {
    await put(one, '/n', 0);
    await other.waitFor();
    const step = (store: Store) =>
      store.guaranteedUpdate('/n', async (current) => {
        await undefined;
        return { action: 'put', value: { n: (current?.value.n ?? 0) + 1 } };
      });
    await Promise.all(Array.from({ length: 20 }, (_, i) => step(i % 2 === 0 ? one : other)));
    for (const store of [one, other]) {
      await store.waitFor();
      expect(store.get('/n')?.value.n).toBe(20);
    }
  });
  test('a key that the other has created is not created again', async (one, other) => {
    await put(one, '/made', 1);
    const make = await other.guaranteedUpdate('/made', (current) =>
      current ? { action: 'keep' } : { action: 'put', value: { n: 2 } },
    );
    expect([make.outcome, make.entry?.value.n]).toEqual(['unchanged', 1]);
  });
  test('watches of both send the writes of both, once and in the same order', async (one, other) => {
    const watches = [one, other].map((store) => store.watch('/', store.revision));
    for (let n = 0; n < 6; n++) await put(n % 2 === 0 ? one : other, `/${n % 3}`, n);
    await remove(other, '/0');
    for (const store of [one, other]) await store.waitFor();
    const printEvent = ({ type, key, revision, value }: StoreEvent<StoredSample>) =>
      `${revision} ${type} ${key} ${value.n}`;
    const [mine = [], others = []] = watches.map((watch) => watch.take().map(printEvent));
    expect(mine).toHaveLength(7);
    expect(others).toEqual(mine);
  });
  test('tryUpdate is called again if the other changed an entry that its result depends on', async (one, other) => {
    const dependsOn = ['/nothing/', '/a/'];
    expect(await counted(one, () => put(other, '/a/1'), { dependsOn })).toBe(2);
    expect(one.get('/count')?.value.n).toBe(1);
    await other.waitFor();
    expect(await counted(one, () => remove(other, '/a/1'), { dependsOn })).toBe(2);
    expect(one.get('/count')?.value.n).toBe(0);
    expect(await counted(one, () => put(one, '/a/2'), { dependsOn })).toBe(2);
    expect(one.get('/count')?.value.n).toBe(1);
  });
  test('tryUpdate is called again for a new key, and if it is synchronous', async (one, other) => {
    await put(one, '/a/1');
    await put(other, '/a/2');
    const count = () => ({ action: 'put', value: { n: one.count('/a/') } }) as const;
    await one.guaranteedUpdate('/count', count, { dependsOn: ['/a/'] });
    expect(one.get('/count')?.value.n).toBe(2);
  });
  test('tryUpdate is not called again for other writes', async (one, other) => {
    await put(other, '/a/1');
    await one.waitFor();
    for (const [options, key] of [
      [{ dependsOn: ['/a/'] }, '/ab'],
      [{ dependsOn: [] }, '/a/2'],
      [{}, '/a/3'],
    ] as const)
      expect(await counted(one, () => put(other, key), options)).toBe(1);
  });
  test('the dependencies of a result are checked when it is returned', async (one, other) => {
    let dependsOn: readonly string[] = [];
    const options = {
      get dependsOn() {
        return dependsOn;
      },
    };
    const meanwhile = async () => {
      await put(other, '/a/1');
      dependsOn = ['/a/'];
    };
    expect(await counted(one, meanwhile, options)).toBe(2);
  });
}
