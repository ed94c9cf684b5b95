import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { ResourceWatch, type WatchEvent } from '../../../src/registry/reads/resource-watch.js';
import type { Selection } from '../../../src/registry/reads/selection.js';
import { MemoryStore } from '../../../src/store/memory-store.js';
import type { Storage } from '../../../src/store/storage.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { propertyRuns } from '../../support/property-runs.js';

const START = Date.parse('2024-01-01T00:00:00Z');
const all: Selection = { everything: true, name: undefined, matches: () => true };
const red: Selection = {
  everything: false,
  name: undefined,
  matches: ({ metadata }) => metadata.labels?.['color'] === 'red',
};

interface Opening {
  readonly selection?: Selection;
  readonly initialEventsEnd?: boolean;
  readonly timeout?: number;
  readonly maxBuffered?: number;
  readonly maxEvents?: number;
}

/** A store of objects under /things/ and one watch on it. */
function setUp({ selection = all, initialEventsEnd = false, timeout = 3_600_000, ...bounds }: Opening = {}) {
  const clock = createFakeClock(START);
  const store = new MemoryStore<ApiObject>({
    clock,
    stamp: (value, revision) => ({ ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } }),
    // These watches are compared for the duration of a test.
    history: { maxAgeMilliseconds: Number.POSITIVE_INFINITY, maxEvents: bounds.maxEvents ?? 100_000 },
  });
  const storage = {
    get revision() {
      return store.revision;
    },
    get compactRevision() {
      return store.compactRevision;
    },
    watch: (prefix, from, options) =>
      store.watch(prefix, from, {
        ...options,
        ...(bounds.maxBuffered === undefined ? {} : { maxBuffered: bounds.maxBuffered }),
      }),
  } satisfies Pick<Storage<ApiObject>, 'revision' | 'compactRevision' | 'watch'> as Storage<ApiObject>;
  const open = (fromRevision = store.revision, initial?: readonly ApiObject[]) =>
    new ResourceWatch({
      storage,
      form: { fromStorage: (object) => object, toStorage: (object) => object },
      clock,
      selection,
      prefix: '/things/',
      exact: false,
      initial: initial ?? [],
      fromRevision,
      initialEventsEnd: initialEventsEnd && initial !== undefined,
      bookmarks: true,
      bookmark: (revision, isInitialEnd) => ({
        kind: 'Thing',
        apiVersion: 'v1',
        metadata: { resourceVersion: String(revision), ...(isInitialEnd ? { annotations: { end: 'true' } } : {}) },
      }),
      timeout,
      hasOwnTimeout: false,
    });
  const put = (key: string, color = 'red') =>
    store.guaranteedUpdate(key, () => ({
      action: 'put',
      value: { kind: 'Thing', apiVersion: 'v1', metadata: { name: key, labels: { color } } },
    }));
  const remove = (key: string) => store.guaranteedUpdate(key, () => ({ action: 'delete' }));
  return { clock, store, open, put, remove };
}

const versionOf = ({ object }: WatchEvent) => Number((object as ApiObject).metadata.resourceVersion);
const brief = (event: WatchEvent) => `${event.type} ${versionOf(event)}`;

/** Returns all waiting events. */
function drain(watch: ResourceWatch, max?: number): WatchEvent[] {
  const events: WatchEvent[] = [];
  for (let part = watch.take(max); part.length > 0; part = watch.take(max)) events.push(...part);
  return events;
}

type Step =
  | { readonly do: 'put'; readonly key: string; readonly color: string }
  | { readonly do: 'remove'; readonly key: string }
  | { readonly do: 'take'; readonly max: number }
  | { readonly do: 'advance'; readonly milliseconds: number }
  | { readonly do: 'jump'; readonly milliseconds: number };

const key = fc.constantFrom('/things/a', '/things/b', '/things/c', '/others/a');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), key, color: fc.constantFrom('red', 'blue') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), max: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      milliseconds: fc.constantFrom(1, 30_000, 60_000, 130_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), milliseconds: fc.constantFrom(-3_600_000, -61_000) }),
  },
);

describe('bookmarks', () => {
  it.each([
    ['for all objects', all, undefined],
    ['for all objects and a slow reader', all, 2],
    ['for a selector', red, undefined],
    ['for a selector and a slow reader', red, 2],
  ] as const)('never go back and never claim undelivered changes: %s', async (_, selection, maxBuffered) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, initialEventsEnd) => {
        const world = setUp({ selection, initialEventsEnd, ...(maxBuffered ? { maxBuffered } : {}) });
        const { clock, store, put, remove, open } = world;
        for (const name of ['a', 'b', 'c']) await put(`/things/${name}`);
        const from = store.revision;
        const watch = open(
          from,
          store.list('/things/').entries.map(({ value }) => value),
        );
        // These are all events that a watch from the start would send.
        const told: WatchEvent[] = [];
        for (const each of steps) {
          if (each.do === 'put') await put(each.key, each.color);
          else if (each.do === 'remove') await remove(each.key);
          else if (each.do === 'take') told.push(...watch.take(each.max));
          else if (each.do === 'advance') clock.advance(each.milliseconds);
          else clock.set(clock.now() + each.milliseconds);
        }
        told.push(...drain(watch));
        const changes = drain(open(from)).map(brief);
        const live = told.slice(3);
        let version = 0;
        for (const [index, event] of live.entries()) {
          expect(versionOf(event)).toBeGreaterThanOrEqual(version);
          version = versionOf(event);
          if (event.type !== 'BOOKMARK') continue;
          const before = live.slice(0, index).filter(({ type }) => type !== 'BOOKMARK');
          // A watch that continues from here sends each of the remaining changes once.
          expect([...before.map(brief), ...drain(open(version)).map(brief)]).toEqual(changes);
        }
        expect(live.filter(({ type }) => type !== 'BOOKMARK').map(brief)).toEqual(changes);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('are sent every minute, and two seconds before the end', async () => {
    const { clock, open } = setUp({ timeout: 150_000 });
    const watch = open();
    const at: number[] = [];
    for (let second = 1; second <= 160; second++) {
      clock.advance(1000);
      if (drain(watch).length > 0) at.push(second);
    }
    expect(at).toEqual([60, 120, 148]);
    expect(watch.ended).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });
  it('are sent as often when the clock jumps', () => {
    const { clock, open } = setUp();
    const watch = open();
    clock.advance(59_000);
    clock.set(START - 600_000);
    expect(drain(watch)).toEqual([]);
    expect(clock.pendingTimers).toBe(2);
    clock.set(START + 60_000);
    expect(drain(watch)).toHaveLength(1);
    clock.advance(60_000);
    expect(drain(watch)).toHaveLength(1);
  });
  it('are sent between changes that never pause', async () => {
    const { clock, open, put } = setUp();
    const watch = open();
    const told: string[] = [];
    for (let n = 0; n < 8; n++) {
      await put('/things/a', String(n));
      await put('/things/b', String(n));
      clock.advance(30_000);
      told.push(...watch.take(1).map(brief));
    }
    expect(told.filter((event) => event.startsWith('BOOKMARK'))).toEqual([
      'BOOKMARK 3',
      'BOOKMARK 5',
      'BOOKMARK 7',
      'BOOKMARK 9',
    ]);
  });
  it('are sent only after the initial events', async () => {
    const { clock, store, open, put } = setUp({ initialEventsEnd: true });
    for (const name of ['a', 'b', 'c']) await put(`/things/${name}`);
    const watch = open(
      store.revision,
      store.list('/things/').entries.map(({ value }) => value),
    );
    clock.advance(60_000);
    await put('/things/d');
    expect(watch.take(2).map(brief)).toEqual(['ADDED 2', 'ADDED 3']);
    expect(drain(watch, 2).map(brief)).toEqual(['ADDED 4', 'BOOKMARK 4', 'BOOKMARK 4', 'ADDED 5']);
  });
});

describe('ResourceWatch', () => {
  it('ends with its error, once, when its version is no longer in the history', async () => {
    const { open, put } = setUp({ maxEvents: 2 });
    for (let n = 0; n < 5; n++) await put('/things/a', String(n));
    const watch = open(1);
    expect(drain(watch)).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    expect(watch.ended).toBe(true);
  });
  it('sends nothing after close, and leaves no timer', async () => {
    const { clock, open, put } = setUp();
    const watch = open();
    await put('/things/a');
    clock.advance(60_000);
    watch.close();
    expect([watch.take(), watch.ended, clock.pendingTimers]).toEqual([[], true, 0]);
  });
  it('lasts as long as requested, even beyond the maximum of a timer', () => {
    const { clock, open } = setUp({ timeout: 2 ** 31 + 1000 });
    const watch = open();
    clock.advance(2 ** 31);
    expect(watch.ended).toBe(false);
    clock.advance(1000);
    expect(watch.ended).toBe(true);
  });
});
