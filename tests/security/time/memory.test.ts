import { describe, expect, it } from 'vitest';
import {
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from '../../../src/resources/admissionregistration/index.js';
import { configMap } from '../../../src/resources/core/index.js';
import { memory } from '../../../src/store/memory.js';
import { MemoryStore } from '../../../src/store/memory-store.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';
import { reachableBytes } from '../../support/collect-garbage.js';
import { startServer } from '../../support/servers.js';

const MINUTE = 60_000;

interface Thing {
  readonly n: number;
}

function setUp(history = {}) {
  const clock = createFakeClock();
  const store = new MemoryStore<Thing>({ clock, history });
  const put = (n: number, key = '/a') => store.guaranteedUpdate(key, () => ({ action: 'put', value: { n } }));
  return { clock, store, put };
}

describe('the history releases its memory without further writes', () => {
  it('by a timer of the clock, at most a tenth of the age late', async () => {
    const { clock, store, put } = setUp();
    expect(clock.pendingTimers).toBe(0);
    const watch = store.watch('/', store.revision, { maxBuffered: 1 });
    await put(1);
    await put(2);
    await put(3);
    expect([watch.state, clock.pendingTimers]).toEqual(['replaying', 1]);
    clock.advance(5 * MINUTE);
    expect(watch.state).toBe('replaying');
    clock.advance(MINUTE / 2);
    // The watch was closed by the trimming, not by a request.
    expect([watch.state, watch.error]).toMatchObject(['closed', { code: 'lagging' }]);
    expect(clock.pendingTimers).toBe(0);
  });
  it('together with the versions in it', async () => {
    const clock = createFakeClock();
    const store = new MemoryStore<{ texts: string[] }>({ clock });
    const before = reachableBytes();
    for (let n = 0; n < 200; n++) {
      const texts = Array.from({ length: 1000 }, (_, i) => `text ${i} of ${n}`);
      await store.guaranteedUpdate('/a', () => ({ action: 'put', value: { texts } }));
    }
    const full = reachableBytes() - before;
    expect(full).toBeGreaterThan(4_000_000);
    clock.advance(6 * MINUTE);
    expect(reachableBytes() - before).toBeLessThan(full / 5);
    expect(store.count('/')).toBe(1);
  });
  it('for each of many keys, with few timers', async () => {
    const { clock, store, put } = setUp();
    for (let n = 0; n < 600; n++) {
      await put(n);
      clock.advance(1000);
      expect(clock.pendingTimers).toBe(1);
    }
    expect(store.revision - store.compactRevision).toBe(300);
    clock.advance(6 * MINUTE);
    expect([store.compactRevision, clock.pendingTimers]).toEqual([store.revision, 0]);
    await put(0);
    expect(clock.pendingTimers).toBe(1);
    await store.close();
    expect(clock.pendingTimers).toBe(0);
  });
  it('never if no age is too old', async () => {
    const { clock, store, put } = setUp({ maxAgeMilliseconds: Number.POSITIVE_INFINITY });
    await put(1);
    expect(clock.pendingTimers).toBe(0);
    clock.advance(1e12);
    expect(store.compactRevision).toBe(1);
  });
});

describe('a clock that is set', () => {
  it('back does not make the history keep anything longer than real time', async () => {
    const { clock, store, put } = setUp();
    await put(1);
    clock.advance(MINUTE);
    await put(2);
    clock.set(clock.now() - 60 * MINUTE);
    await put(3);
    clock.advance(4 * MINUTE + 1);
    expect(store.compactRevision).toBe(2);
    clock.advance(2 * MINUTE);
    expect(store.compactRevision).toBe(4);
  });
  it('back again and again does not cause a loop', async () => {
    const { clock, put } = setUp();
    await put(1);
    for (let n = 0; n < 100; n++) {
      clock.advance(1000);
      clock.set(clock.now() - 2000);
      expect(clock.pendingTimers).toBeLessThanOrEqual(1);
    }
  });
});

describe('a store with a limit on bytes', () => {
  it('returns a Status when it is full, and can be emptied', async () => {
    const server = await startServer({ dialect: 'k8s', controllers: [], storage: memory({ maxBytes: 1_600_000 }) });
    await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }]);
    const client = server.client();
    const where = { namespace: 'default' };
    const create = (name: string) =>
      client.create(
        configMap,
        { metadata: { name, finalizers: ['example.com/hold'] }, data: { a: 'x'.repeat(90_000) } },
        where,
      );
    const made: string[] = [];
    const full = { code: 500, message: 'etcdserver: mvcc: database space exceeded' };
    for (let n = 0; n < 20; n++) {
      try {
        await create(`c${n}`);
        made.push(`c${n}`);
      } catch (error) {
        expect(error).toMatchObject(full);
      }
    }
    expect(made.length).toBeGreaterThan(5);
    expect(made.length * 90_000).toBeLessThan(1_600_000);
    await expect(
      client.update(configMap, 'c0', (draft) => void (draft.data = { a: 'x'.repeat(190_000) }), where),
    ).rejects.toMatchObject(full);
    // Deleting an object with a finalizer writes the object first.
    expect(await client.delete(configMap, 'c0', where)).toMatchObject({ metadata: { name: 'c0' } });
    await client.update(configMap, 'c0', (draft) => void (draft.metadata.finalizers = []), where);
    await create('another');
    await server.close();
  });
});

it('policies that are created and deleted leave no compiled programs behind, though the history contains the policies', async () => {
  await using server = await startServer({ clock: createFakeClock() });
  const client = server.client();
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'] as const, resources: ['configmaps'] };
  const use = async (name: string) => {
    const validations = [{ expression: `object.metadata.name != '${name}'` }];
    const spec = { matchConstraints: { resourceRules: [rule] }, validations };
    await client.create(validatingAdmissionPolicy, { metadata: { name }, spec });
    await client.create(validatingAdmissionPolicyBinding, {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    });
    const made = client.create(configMap, { metadata: { name, namespace: 'default' } });
    await expect(made).rejects.toThrow('denied request');
    await client.delete(validatingAdmissionPolicyBinding, name);
    await client.delete(validatingAdmissionPolicy, name);
  };
  for (let i = 0; i < 10; i++) await use(`first-${i}`);
  const before = reachableBytes();
  for (let i = 0; i < 40; i++) await use(`policy-${i}`);
  // A compiled policy takes some 200 kB.
  expect(reachableBytes() - before).toBeLessThan(3_000_000);
});
