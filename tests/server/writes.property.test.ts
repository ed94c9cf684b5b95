import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { tokenFile } from '../../src/authentication/tokens/token-file.js';
import { isConflict } from '../../src/meta/api-error.js';
import type { ConfigMap } from '../../src/resources/core/core-v1.types.js';
import { configMap } from '../../src/resources/core/index.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';
import { fetchFrom } from '../support/ask.js';
import { propertyRuns } from '../support/property-runs.js';
import { startServer } from '../support/servers.js';

const where = { namespace: 'default' };
const KEYS = ['a', 'b', 'c', 'd'] as const;
type Data = Readonly<Record<string, string>>;

const data = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom('0', '1')), { selector: ([key]) => key })
  .map((entries): Data => Object.fromEntries(entries));
const operation = fc.oneof(
  fc.record({
    type: fc.constant('apply' as const),
    manager: fc.constantFrom('m1', 'm2', 'm3'),
    data,
    force: fc.boolean(),
  }),
  fc.record({ type: fc.constant('replace' as const), manager: fc.constantFrom('u1', 'u2'), data }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function startDeterministic(clock = createFakeClock()): Promise<ApiServer> {
  const server = await startServer({
    dialect: 'k8s',
    controllers: [],
    clock,
    random: createFakeRandom(1),
    authentication: [tokenFile('admin,admin,1,"system:masters"')],
  });
  await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }]);
  return server;
}

/** Applies values. An empty map is left out, because it would get an owner but would not be stored. */
function apply(server: ApiServer, fieldManager: string, values: Data, force = false): Promise<ConfigMap> {
  const object = { metadata: { name: 'shared' }, ...(Object.keys(values).length > 0 ? { data: values } : {}) };
  return server.client().apply(configMap, object, { ...where, fieldManager, force });
}

// The server does not track fields of an object without owners, so a manager owns this field from the start.
const labels = { base: '1' };
const start = (server: ApiServer) =>
  server.client().apply(configMap, { metadata: { name: 'shared', labels } }, { ...where, fieldManager: 'base' });

/** Computes for each key what the object should contain and who should own it. */
class Model {
  readonly values = new Map<string, string>();
  readonly owners = new Map<string, Set<string>>();
  /**
   * The manager whose update created the map. An apply that empties the map of this manager keeps it; an apply to an object without the map
   * adds it again.
   */
  #maker: string | undefined;

  /** Applies values to the model, and returns whether the server should accept the apply. */
  apply(manager: string, given: Data, force: boolean): boolean {
    const addsMap = this.values.size === 0 && Object.keys(given).length > 0;
    if (!force && addsMap && this.#maker !== undefined) return false;
    const others = (key: string) => [...(this.owners.get(key) ?? [])].some((owner) => owner !== manager);
    const differs = (key: string) => this.values.has(key) && this.values.get(key) !== given[key];
    if (!force && Object.keys(given).some((key) => differs(key) && others(key))) return false;
    for (const [key, owners] of [...this.owners]) {
      if (key in given || !owners.delete(manager)) continue;
      if (owners.size === 0) this.#remove(key);
    }
    for (const [key, value] of Object.entries(given)) {
      if (differs(key)) this.owners.set(key, new Set());
      this.#set(key, value, manager);
    }
    if (addsMap) this.#maker = undefined;
    return true;
  }

  replace(manager: string, given: Data): void {
    const [had, has] = [this.values.size > 0, Object.keys(given).length > 0];
    if (had !== has) this.#maker = has ? manager : undefined;
    for (const key of [...this.values.keys()]) if (!(key in given)) this.#remove(key);
    for (const [key, value] of Object.entries(given)) {
      if (this.values.get(key) === value) continue;
      this.owners.set(key, new Set());
      this.#set(key, value, manager);
    }
  }

  #set(key: string, value: string, manager: string): void {
    this.values.set(key, value);
    this.owners.set(key, (this.owners.get(key) ?? new Set()).add(manager));
  }
  #remove(key: string): void {
    this.values.delete(key);
    this.owners.delete(key);
  }
}

/** Returns the owners of each key, as managedFields record them. */
function ownersIn({ metadata }: ConfigMap): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { manager = '', fieldsV1 } of metadata.managedFields ?? []) {
    const fields = (fieldsV1?.['f:data'] ?? {}) as object; // a set of fields is an object, so the cast is safe
    for (const element of Object.keys(fields)) if (element !== '.') (found[element.slice(2)] ??= []).push(manager);
  }
  for (const managers of Object.values(found)) managers.sort();
  return found;
}

describe('writes of many managers', () => {
  it('have exactly the owned fields, with exactly their owners, in any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
        const clock = createFakeClock();
        await using server = await startDeterministic(clock);
        const model = new Model();
        await start(server);
        for (const each of operations) {
          clock.advance(1000);
          await perform(server, model, each);
          const live = await server.client().get(configMap, 'shared', where);
          expect(live.data ?? {}).toEqual(Object.fromEntries([...model.values].sort()));
          expect(ownersIn(live)).toEqual(
            Object.fromEntries([...model.owners].map(([key, owners]) => [key, [...owners].sort()])),
          );
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('have no effect when repeated: no new version, no event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 5 }), data, async (operations, values) => {
        const clock = createFakeClock();
        await using server = await startDeterministic(clock);
        await start(server);
        for (const each of operations) await perform(server, new Model(), each, false);
        await apply(server, 'm2', values, true);
        const before = await server.client().list(configMap, where);
        // The server renews its own Lease every ten seconds, which increases the revision of the storage.
        clock.advance(5_000);
        await apply(server, 'm2', values, true);
        const after = await server.client().list(configMap, where);
        expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
        expect(after.items[0]).toBe(before.items[0]);
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

async function perform(server: ApiServer, model: Model, each: Operation, check = true): Promise<void> {
  if (each.type === 'replace') {
    const live = await server.client().get(configMap, 'shared', where);
    await server.client().replace(configMap, { ...live, data: each.data }, { ...where, fieldManager: each.manager });
    model.replace(each.manager, each.data);
    return;
  }
  const accepted = model.apply(each.manager, each.data, each.force);
  const done = await apply(server, each.manager, each.data, each.force).then(
    () => true,
    (error: unknown) => {
      if (!isConflict(error)) throw error;
      return false;
    },
  );
  if (check) expect(done).toBe(accepted);
}

describe('a failed write', () => {
  const base = '/api/v1/namespaces/default/configmaps';
  const merge = 'application/merge-patch+json';
  const failing: readonly (readonly [
    what: string,
    method: string,
    path: string,
    body: object | string,
    type?: string,
  ])[] = [
    ['a taken name', 'POST', base, { metadata: { name: 'kept' } }],
    ['a bad name', 'POST', base, { metadata: { name: 'Not A Name' } }],
    ['a dry run', 'POST', `${base}?dryRun=All`, { metadata: { name: 'new' } }],
    ['a missing namespace', 'POST', '/api/v1/namespaces/none/configmaps', { metadata: { name: 'x' } }],
    ['no JSON', 'POST', base, '{"metadata":'],
    ['an unknown field, strictly', 'POST', `${base}?fieldValidation=Strict`, { metadata: { name: 'x' }, spec: {} }],
    ['a stale version', 'PUT', `${base}/kept`, { metadata: { name: 'kept', resourceVersion: '1' } }],
    ['another uid', 'PUT', `${base}/kept`, { metadata: { name: 'kept', uid: 'other' } }],
    [
      'a change of what is immutable',
      'PUT',
      `${base}/locked`,
      { metadata: { name: 'locked' }, data: { a: '2' }, immutable: true },
    ],
    ['a bad label', 'PATCH', `${base}/kept`, { metadata: { labels: { a: 'b c' } } }, merge],
    ['a wrong type', 'PATCH', `${base}/kept`, { data: ['x'] }, merge],
    [
      'a failed test',
      'PATCH',
      `${base}/kept`,
      [
        { op: 'add', path: '/data/z', value: '1' },
        { op: 'test', path: '/kind', value: 'x' },
      ],
      'application/json-patch+json',
    ],
    [
      'an unknown directive',
      'PATCH',
      `${base}/kept`,
      { data: { $patch: 'erase' } },
      'application/strategic-merge-patch+json',
    ],
    [
      'a conflict',
      'PATCH',
      `${base}/kept?fieldManager=other`,
      { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '9' } },
      'application/apply-patch+yaml',
    ],
    [
      'an unknown field in an apply',
      'PATCH',
      `${base}/kept?fieldManager=other`,
      { apiVersion: 'v1', kind: 'ConfigMap', spec: {} },
      'application/apply-patch+yaml',
    ],
    ['another uid to delete', 'DELETE', `${base}/kept`, { preconditions: { uid: 'other' } }],
    ['a bad policy', 'DELETE', `${base}/kept`, { propagationPolicy: 'Sometimes' }],
    ['a dry run of a deletion', 'DELETE', `${base}/kept`, { dryRun: ['All'] }],
    ['a protected namespace', 'DELETE', '/api/v1/namespaces/default', {}],
  ];

  it('leaves the store unchanged, byte for byte, whatever precedes and follows it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...failing], { minLength: 1 }), async (writes) => {
        await using server = await startDeterministic();
        const client = server.client();
        await apply(server, 'm1', { a: '1' });
        await client.create(configMap, { metadata: { name: 'kept' }, data: { a: '1' } }, where);
        await client.create(configMap, { metadata: { name: 'locked' }, data: { a: '1' }, immutable: true }, where);
        const before = [await server.save(), (await client.list(configMap, where)).metadata.resourceVersion];
        for (const [what, method, path, body, type = 'application/json'] of writes) {
          const text = typeof body === 'string' ? body : JSON.stringify(body);
          const status = await statusOf(server, method, path, text, type);
          if (!what.includes('dry run')) expect(status, what).toBeGreaterThanOrEqual(400);
          expect([await server.save(), (await client.list(configMap, where)).metadata.resourceVersion], what).toEqual(
            before,
          );
        }
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});

/** Sends a request as a client of the network would, as a user who may do everything, and returns the status. */
async function statusOf(server: ApiServer, method: string, path: string, body: string, type: string): Promise<number> {
  const response = await fetchFrom(server, path, {
    method,
    body,
    headers: { 'content-type': type, authorization: 'Bearer admin' },
  });
  return response.status;
}
