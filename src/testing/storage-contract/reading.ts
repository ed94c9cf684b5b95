import { expect } from 'vitest';
import type { ListOptions } from '../../store/storage.js';
import { failure, keysOf, put, remove, type Store, type Test, thrownBy } from './context.js';

const KEYS = ['/a/1', '/a/2', '/a/3', '/ab/1', '/b/1'];

/** Writes the keys in another order than the sorted one. */
async function fill(store: Store): Promise<void> {
  for (const key of [...KEYS].reverse()) await put(store, key);
}

/** Expected pages of the prefix `/a/`. */
const PAGES: readonly (readonly [options: ListOptions, keys: readonly string[], remaining: number])[] = [
  [{ limit: 0 }, [], 3],
  [{ limit: 2 }, ['/a/1', '/a/2'], 1],
  [{ limit: 3 }, ['/a/1', '/a/2', '/a/3'], 0],
  [{ limit: 9 }, ['/a/1', '/a/2', '/a/3'], 0],
  [{ after: '/a/1' }, ['/a/2', '/a/3'], 0],
  [{ after: '/a/1', limit: 1 }, ['/a/2'], 1],
  [{ after: '/a/15', limit: 1 }, ['/a/2'], 1],
  [{ after: '/a/3' }, [], 0],
  [{ after: '/b' }, [], 0],
  [{ after: '/b', limit: 1 }, [], 0],
  [{ after: '/A', limit: 1 }, ['/a/1'], 2],
];

/** Tests what a list contains and how it is split into pages. */
export function listing(test: Test): void {
  test('lists by prefix, in key order', async ({ store }) => {
    await fill(store);
    expect(keysOf(store.list('').entries)).toEqual(KEYS);
    expect(keysOf(store.list('/a/').entries)).toEqual(['/a/1', '/a/2', '/a/3']);
    expect(keysOf(store.list('/a').entries)).toEqual(['/a/1', '/a/2', '/a/3', '/ab/1']);
    expect(store.list('/c/')).toEqual({ entries: [], revision: store.revision, remaining: 0 });
    expect(['', '/a/', '/a', '/c/'].map((prefix) => store.count(prefix))).toEqual([5, 3, 4, 0]);
  });
  test('orders by code unit', async ({ store }) => {
    for (const key of ['/é', '/z', '/Z', '/a\uffff', '/ab', '/a']) await put(store, key);
    expect(keysOf(store.list('').entries)).toEqual(['/Z', '/a', '/ab', '/a\uffff', '/z', '/é']);
    expect(keysOf(store.list('/a\uffff').entries)).toEqual(['/a\uffff']);
  });
  test('lists in pages with the number of remaining entries', async ({ store }) => {
    await fill(store);
    for (const [options, keys, remaining] of PAGES) {
      const page = store.list('/a/', options);
      expect([options, keysOf(page.entries), page.remaining]).toEqual([options, keys, remaining]);
    }
  });
  test('returns the same entries as get', async ({ store }) => {
    await fill(store);
    for (const entry of store.list('').entries) expect(store.get(entry.key)).toBe(entry);
  });
}

/** Tests how older revisions are read. */
export function past(test: Test): void {
  test('a list does not change when the store does', async ({ store }) => {
    await fill(store);
    const { entries, revision } = store.list('/a/');
    const copy = [...entries];
    await remove(store, '/a/2');
    await put(store, '/a/1', 5);
    expect(entries).toEqual(copy);
    expect(store.list('/a/', { revision })).toEqual({ entries: copy, revision, remaining: 0 });
  });
  test('pages at one revision contain no later writes', async ({ store }) => {
    await fill(store);
    const first = store.list('/a/', { limit: 1 });
    await remove(store, '/a/2');
    await put(store, '/a/1', 9);
    await put(store, '/a/0');
    await put(store, '/a/9');
    const { revision } = first;
    const second = store.list('/a/', { limit: 1, revision, after: '/a/1' });
    expect([keysOf(second.entries), second.remaining, second.revision]).toEqual([['/a/2'], 1, revision]);
    const third = store.list('/a/', { limit: 1, revision, after: '/a/2' });
    expect([keysOf(third.entries), third.remaining, third.revision]).toEqual([['/a/3'], 0, revision]);
  });
  test('lists every revision in the history exactly, from first to last', async ({ store }) => {
    const states = [store.list('')];
    for (let n = 1; n <= 30; n++) {
      if (n % 3 === 0) await remove(store, `/${(n - 3) % 7}`);
      else await put(store, `/${n % 7}`, n);
      states.push(store.list(''));
    }
    for (const state of states) expect(store.list('', { revision: state.revision })).toEqual(state);
  });
  test('refuses compacted and future revisions', async ({ store }) => {
    await fill(store);
    const { revision } = store;
    const future = { requested: revision + 1, current: revision };
    expect(thrownBy(() => store.list('', { revision: revision + 1 }))).toEqual(failure('futureRevision', future));
    const requested = store.compactRevision - 1;
    expect(thrownBy(() => store.list('', { revision: requested }))).toEqual(
      failure('compacted', { requested, current: revision }),
    );
    expect(thrownBy(() => store.watch('', requested))).toEqual(failure('compacted', { requested, current: revision }));
  });
  test(
    'drops events beyond the maximum number, also while the clock stands still',
    async ({ store }) => {
      await fill(store);
      await put(store, '/a/1', 1);
      expect(store.compactRevision).toBe(store.revision - 3);
      expect(keysOf(store.list('', { revision: store.revision - 3 }).entries)).toEqual(['/a/3', '/ab/1', '/b/1']);
      expect(thrownBy(() => store.list('', { revision: store.revision - 4 }))).toEqual(failure('compacted'));
      expect(store.watch('', store.revision - 3).take()).toHaveLength(3);
    },
    { maxEvents: 3 },
  );
  test(
    'drops expired events without a write',
    async ({ store, clock }) => {
      await put(store, '/a');
      clock.advance(600);
      await put(store, '/b');
      expect(store.compactRevision).toBe(store.revision - 2);
      clock.advance(600);
      expect(store.compactRevision).toBe(store.revision - 1);
      clock.advance(600);
      expect(store.compactRevision).toBe(store.revision);
      expect(thrownBy(() => store.watch('', store.revision - 1))).toEqual(failure('compacted'));
      expect(keysOf(store.list('', { revision: store.revision }).entries)).toEqual(['/a', '/b']);
      expect(store.watch('', store.revision).state).toBe('live');
    },
    { maxAgeMilliseconds: 1000 },
  );
  test(
    'drops events beyond the maximum size',
    async ({ store }) => {
      const tags = ['x'.repeat(10_000)];
      for (let n = 0; n < 20; n++)
        await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { n, tags: [`${tags[0]}${n}`] } }));
      expect(store.revision - store.compactRevision).toBeGreaterThan(0);
      expect(store.revision - store.compactRevision).toBeLessThan(11);
    },
    { maxBytes: 100_000 },
  );
}
