import { describe, expect, it } from 'vitest';
import { DiscoveryDocuments } from '../../../src/discovery/discovery.js';
import { orch } from '../../../src/meta/dialect.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { OpenApiDocuments } from '../../../src/openapi/documents.js';
import { withRevision } from '../../../src/registry/edit.js';
import { StoreListers } from '../../../src/registry/reads/store-listers.js';
import { defineResource } from '../../../src/registry/resource-definition.js';
import { ResourceRegistry } from '../../../src/registry/resource-registry.js';
import { configMap, coreEvent } from '../../../src/resources/core/index.js';
import { event } from '../../../src/resources/events/index.js';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { memory } from '../../../src/store/memory.js';
import { createFakeClock } from '../../../src/testing/fake-clock.js';

const kindOf = (group: string, version = 'v1') =>
  defineResource({
    group,
    version,
    kind: 'Thing',
    plural: 'things',
    scope: 'Cluster',
    schema: openApiToSchema({ type: 'object', properties: {} }),
  });
const openStorage = () =>
  memory()<ApiObject>({
    clock: createFakeClock(),
    stamp: withRevision,
    equals: () => false,
  });

describe('a snapshot', () => {
  it('never changes, and the next one shares the unchanged parts', async () => {
    const registry = new ResourceRegistry([configMap], orch, await openStorage(), { plugins: [] });
    const before = registry.current;
    const core = before.groupVersion('', 'v1');
    for (let i = 0; i < 500; i++) registry.install(kindOf(`g${i}.example.com`));
    const after = registry.current;
    expect(after.revision).toBe(before.revision + 500);
    expect(before.groups.size).toBe(1);
    expect(before.find('g0.example.com', 'v1', 'things')).toBeUndefined();
    expect(after.groups.size).toBe(501);
    expect(after.groupVersion('', 'v1')).toBe(core);
    expect(after.find('', 'v1', 'configmaps')).toBe(before.find('', 'v1', 'configmaps'));
    expect(after.stored()).toHaveLength(501);
    expect(registry.install([])).toBe(after);
  });

  it('orders versions as clients do, and drops groups without versions', async () => {
    const registry = new ResourceRegistry([], orch, await openStorage(), { plugins: [] });
    const beta = kindOf('example.com', 'v1beta1');
    registry.install(beta);
    registry.install(kindOf('example.com'));
    expect(registry.current.groups.get('example.com')).toEqual(['v1', 'v1beta1']);
    registry.change({ install: [kindOf('other.example.com')], uninstall: [beta] });
    expect([...registry.current.groups]).toEqual([
      ['example.com', ['v1']],
      ['other.example.com', ['v1']],
    ]);
  });

  it('converts between the versions of a stored object while there are several', async () => {
    const registry = new ResourceRegistry([coreEvent, configMap], orch, await openStorage(), { plugins: [] });
    const convert = () => registry.current.find('', 'v1', 'events')?.resource.convert;
    const maps = registry.current.find('', 'v1', 'configmaps');
    expect(convert()).toBeUndefined();
    registry.install(event);
    expect(convert()).toBeDefined();
    registry.uninstall(event);
    expect(convert()).toBeUndefined();
    expect(registry.current.find('', 'v1', 'configmaps')).toBe(maps);
  });

  it('stores documents by group version', async () => {
    const registry = new ResourceRegistry([configMap, kindOf('example.com')], orch, await openStorage(), {
      plugins: [],
    });
    const openApi = new OpenApiDocuments(registry);
    const discovery = new DiscoveryDocuments();
    const made = () => [
      openApi.v3('api/v1', 0),
      openApi.v3('apis/example.com/v1', 0),
      discovery.resourceList('', 'v1', registry.current),
    ];
    const before = made();
    const whole = await openApi.v2(0);
    registry.install(kindOf('other.example.com'));
    for (const [i, document] of made().entries()) expect(document).toBe(before[i]);
    expect((await openApi.v2(0)).json.hash).not.toBe(whole.json.hash);
  });
});

describe('a lister', () => {
  it('lists, indexes and calls back once its kind is served, and until it is not', async () => {
    const storage = await openStorage();
    const registry = new ResourceRegistry([], orch, storage, { plugins: [] });
    const listers = new StoreListers(storage, registry);
    const things = listers.lister('example.com', 'things');
    const value = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', labels: { x: 'y' } } };
    await storage.guaranteedUpdate('/registry/example.com/things/a', () => ({ action: 'put', value }));
    const labels = ({ metadata }: ApiObject) => Object.keys(metadata.labels ?? {});
    const calls: string[] = [];
    things.onChange((next, previous) => calls.push(`${previous?.metadata.name} -> ${next?.metadata.name}`));
    expect([...things.byIndex(labels, 'x')]).toEqual([]);

    const kind = kindOf('example.com');
    registry.install(kind);
    expect([...things.byIndex(labels, 'x')]).toHaveLength(1);
    await storage.guaranteedUpdate('/registry/example.com/things/b', () => ({
      action: 'put',
      value: { ...value, metadata: { name: 'b' } },
    }));
    expect(calls).toEqual(['undefined -> a', 'undefined -> b']);

    // Another definition of the same objects neither adds nor removes them.
    const next = kindOf('example.com');
    registry.change({ uninstall: [kind], install: [next] });
    expect(calls).toHaveLength(2);
    expect([...things.byIndex(labels, 'x')]).toHaveLength(1);

    registry.uninstall(next);
    expect(calls.slice(2)).toEqual(['a -> undefined', 'b -> undefined']);
    expect(things.list()).toEqual([]);
    expect([...things.byIndex(labels, 'x')]).toEqual([]);
  });
});
