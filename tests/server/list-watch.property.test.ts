import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import type { ConfigMap } from '../../src/resources/core/core-v1.types.js';
import { configMap } from '../../src/resources/core/index.js';
import { memory } from '../../src/store/memory.js';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { createFakeRandom } from '../../src/testing/fake-random.js';
import { propertyRuns } from '../support/property-runs.js';
import { startServer } from '../support/servers.js';

const where = { namespace: 'default' };
/** One random write: the object, and what happens to it. */
const write = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  value: fc.integer({ min: 0, max: 3 }),
  remove: fc.boolean(),
});

async function startDeterministic(): Promise<ApiServer> {
  const server = await startServer({
    dialect: 'k8s',
    controllers: [],
    clock: createFakeClock(),
    random: createFakeRandom(1),
    storage: memory({ snapshotInterval: 7 }),
  });
  // Without controllers, the namespaces are not created automatically.
  await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }]);
  return server;
}

async function perform(
  server: ApiServer,
  { name, value, remove }: { name: string; value: number; remove: boolean },
): Promise<void> {
  const client = server.client();
  const metadata = { name, labels: { value: String(value) } };
  if (remove) await client.delete(configMap, name, where).catch(() => {});
  else
    await client.create(configMap, { metadata, data: { v: String(value) } }, where).catch(() =>
      client.update(
        configMap,
        name,
        (draft) =>
          void Object.assign(draft, {
            data: { v: String(value) },
            metadata: { ...draft.metadata, labels: metadata.labels },
          }),
        where,
      ),
    );
}

const shape = (object: ConfigMap) => [object.metadata.name, object.metadata.resourceVersion, object.data?.['v']];

describe('lists and watches over random histories', () => {
  it('a cache updated by a list and its watch equals a fresh list, with and without selectors', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 12 }),
        fc.array(write, { maxLength: 25 }),
        fc.constantFrom('', 'value=1', 'value in (1,2)', '!value'),
        async (before, after, labelSelector) => {
          await using server = await startDeterministic();
          const client = server.client();
          for (const each of before) await perform(server, each);
          const first = await client.list(configMap, { ...where, labelSelector });
          const cache = new Map(first.items.map((item) => [item.metadata.name, item]));
          const watch = await client
            .watch(configMap, { ...where, labelSelector, resourceVersion: first.metadata.resourceVersion ?? '' })
            .opened();
          for (const each of after) await perform(server, each);
          const end = await client.create(
            configMap,
            {
              metadata: {
                name: 'zz',
                labels: labelSelector.startsWith('!') || labelSelector === '' ? {} : { value: '1' },
              },
            },
            where,
          );
          for await (const event of watch) {
            if (event.type === 'DELETED') expect(cache.delete(event.object.metadata.name)).toBe(true);
            else {
              expect(cache.has(event.object.metadata.name)).toBe(event.type === 'MODIFIED');
              cache.set(event.object.metadata.name, event.object);
            }
            if (event.object.metadata.resourceVersion === end.metadata.resourceVersion) break;
          }
          const fresh = await client.list(configMap, { ...where, labelSelector });
          const sorted = [...cache.values()].sort((a, b) =>
            (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
          );
          expect(sorted.map(shape)).toEqual(fresh.items.map(shape));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  it('all pages show the state of the first page, whatever is written in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 3, maxLength: 15 }),
        fc.array(write, { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (before, between, limit) => {
          await using server = await startDeterministic();
          const client = server.client();
          for (const each of before) await perform(server, each);
          const whole = await client.list(configMap, where);
          const paged: ConfigMap[] = [];
          let token: string | undefined;
          let writes = 0;
          do {
            const page = await client.list(configMap, {
              ...where,
              limit,
              ...(token === undefined ? {} : { continue: token }),
            });
            expect(page.metadata.resourceVersion).toBe(whole.metadata.resourceVersion);
            expect(page.items.length).toBeLessThanOrEqual(limit);
            paged.push(...page.items);
            token = page.metadata.continue;
            for (const each of between.slice(writes, writes + 4)) await perform(server, each);
            writes += 4;
          } while (token !== undefined);
          expect(paged.map(shape)).toEqual(whole.items.map(shape));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });
});

describe('servers in one process', () => {
  it('are independent', async () => {
    await using one = await startDeterministic();
    await using two = await startDeterministic();
    const made = await one.client().create(configMap, { metadata: { name: 'mine' } }, where);
    await expect(two.client().get(configMap, 'mine', where)).rejects.toMatchObject({ code: 404 });
    // The same calls with the same time and random values produce the same bytes.
    expect(await two.client().create(configMap, { metadata: { name: 'mine' } }, where)).toEqual(made);
  });
});
