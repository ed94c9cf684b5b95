import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.js';
import type { Entry, Page } from '../../src/store/storage.js';

interface Sample {
  readonly n: number;
}
type Write = readonly [name: number, n: number | 'delete'];

const PREFIXES = ['', '/a/', '/a/1', '/b'];
const keyOf = (name: number): string => `/${name % 2 === 0 ? 'a' : 'b'}/${name}`;
/** There are few names, so that keys are often changed, deleted and created again. */
const write: fc.Arbitrary<Write> = fc.tuple(
  fc.integer({ min: 0, max: 40 }),
  fc.oneof({ weight: 3, arbitrary: fc.integer() }, { weight: 2, arbitrary: fc.constant('delete' as const) }),
);
const writes = fc.array(write, { maxLength: 120 });
const interval = fc.integer({ min: 1, max: 50 });

function apply(store: MemoryStore<Sample>, [name, n]: Write): void {
  void store.guaranteedUpdate(keyOf(name), () =>
    n === 'delete' ? { action: 'delete' } : { action: 'put', value: { n } },
  );
}
const openStore = (snapshotInterval: number, maxEvents = 1000): MemoryStore<Sample> =>
  new MemoryStore<Sample>({ snapshotInterval, history: { maxEvents } });

describe('random histories', () => {
  it('pages at one revision lose and duplicate nothing while others write', () => {
    fc.assert(
      fc.property(
        writes,
        writes,
        interval,
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(...PREFIXES),
        (before, after, every, limit, prefix) => {
          const store = openStore(every);
          for (const one of before) apply(store, one);
          const whole = store.list(prefix);
          const pending = [...after];
          const entries: Entry<Sample>[] = [];
          let page: Page<Sample> = store.list(prefix, { limit });
          for (;;) {
            entries.push(...page.entries);
            expect(page.revision).toBe(whole.revision);
            expect(page.remaining).toBe(whole.entries.length - entries.length);
            const last = page.entries.at(-1);
            if (page.remaining === 0 || last === undefined) break;
            for (const one of pending.splice(0, 10)) apply(store, one);
            page = store.list(prefix, { limit, after: last.key, revision: whole.revision });
          }
          expect(entries).toEqual(whole.entries);
        },
      ),
    );
  });

  it('a cache fed by watch events equals a fresh list, from any start', () => {
    const step = fc.oneof({ weight: 5, arbitrary: write }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(
        writes,
        fc.array(step, { maxLength: 120 }),
        fc.nat(),
        interval,
        fc.constantFrom(...PREFIXES),
        (before, steps, start, every, prefix) => {
          const store = openStore(every);
          const first = store.revision;
          for (const one of before) apply(store, one);
          const from = first + (start % (store.revision - first + 1));
          const cache = new Map(store.list(prefix, { revision: from }).entries.map(({ key, value }) => [key, value]));
          const watch = store.watch(prefix, from);
          let newest = from;
          const take = (max?: number): number => {
            const events = watch.take(max);
            for (const { type, key, value, revision, previous } of events) {
              expect(revision).toBeGreaterThan(newest);
              expect(previous).toBe(cache.get(key));
              newest = revision;
              if (type === 'put') cache.set(key, value);
              else cache.delete(key);
            }
            return events.length;
          };
          for (const one of steps) {
            if (typeof one === 'number') take(one);
            else apply(store, one);
          }
          while (take() > 0);
          expect(watch.state).toBe('live');
          const fresh = store.list(prefix).entries;
          expect(new Map(fresh.map(({ key, value }) => [key, value]))).toEqual(cache);
        },
      ),
    );
  });

  it('an exact list of an older revision equals the list at that time; dropped revisions are refused', () => {
    fc.assert(
      fc.property(
        writes,
        interval,
        fc.integer({ min: 0, max: 150 }),
        fc.constantFrom(...PREFIXES),
        (history, every, maxEvents, prefix) => {
          const store = openStore(every, maxEvents);
          const states = new Map([[store.revision, store.list(prefix)]]);
          for (const one of history) {
            apply(store, one);
            states.set(store.revision, store.list(prefix));
          }
          expect(store.compactRevision).toBe(Math.max(1, store.revision - maxEvents));
          for (const [revision, state] of states) {
            if (revision < store.compactRevision) expect(() => store.list(prefix, { revision })).toThrow('compacted');
            else expect(store.list(prefix, { revision })).toEqual(state);
          }
        },
      ),
    );
  });

  it('the count equals the length of the list, also in large trees', () => {
    const store = openStore(100);
    for (let i = 0; i < 5000; i++) apply(store, [(i * 7919) % 5000, i]);
    for (let i = 0; i < 5000; i += 3) apply(store, [i, 'delete']);
    const prefixes = ['', '/', '/a/', '/a/1', '/a/12', '/a/498', '/b/', '/b/49', '/c', '/A'];
    for (const prefix of prefixes) {
      const { entries } = store.list(prefix);
      expect(store.count(prefix)).toBe(entries.length);
      const sorted = entries.map(({ key }) => key).sort();
      expect(entries.map(({ key }) => key)).toEqual(sorted);
      for (const after of ['/a/2', '/a/3333', '/b/1', '/b/9']) {
        const page = store.list(prefix, { after, limit: 3 });
        const rest = sorted.filter((key) => key > after);
        expect([page.entries.map(({ key }) => key), page.remaining]).toEqual([
          rest.slice(0, 3),
          Math.max(0, rest.length - 3),
        ]);
      }
    }
  });
});
