import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openApiToSchema } from '../../src/exports/plugins.js';
import { type ApiServer, configMap, defineResource, type ResourceDefinition } from '../../src/index.js';
import { ask } from '../support/ask.js';
import { startServer } from '../support/servers.js';

const widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  schema: z.object({ spec: z.optional(z.object({ size: z.optional(z.int()) })) }),
});
const at = { namespace: 'default' };
const kindOf = (group: string): ResourceDefinition =>
  defineResource({
    group,
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Cluster',
    schema: openApiToSchema({ type: 'object', properties: { spec: { type: 'object' } } }),
  });

describe('kinds that come and go', () => {
  let server: ApiServer;
  const get = async (path: string, headers = {}) => {
    const [name = '', query = ''] = path.split('?');
    return ask(server, { path: name, query, headers });
  };
  beforeEach(async () => {
    server = await startServer({
      authentication: [
        () => ({
          name: 'everybody',
          authenticate: () => ({
            outcome: 'authenticated',
            user: { username: 'root', groups: ['system:masters', 'system:authenticated'] },
          }),
        }),
      ],
    });
  });
  afterEach(() => server.close());

  it('are served, discovered and described while they are installed', async () => {
    const aggregated = { accept: 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList' };
    const before = {
      apis: await get('/apis', aggregated),
      v2: await get('/openapi/v2'),
      index: await get('/openapi/v3'),
      core: await get('/openapi/v3/api/v1'),
    };
    expect((await get('/apis/example.com/v1/widgets')).status).toBe(404);

    await server.install(widget);
    await server.client().create(widget, { metadata: { name: 'a' }, spec: { size: 1 } }, at);
    expect((await get('/apis/example.com/v1/namespaces/default/widgets/a')).value.spec).toEqual({ size: 1 });
    expect((await get('/apis')).value.groups.map(({ name }: { name: string }) => name)).toContain('example.com');
    expect((await get('/apis/example.com/v1')).value.resources).toMatchObject([{ name: 'widgets', kind: 'Widget' }]);
    const apis = await get('/apis', aggregated);
    expect(apis.headers.ETag).not.toBe(before.apis.headers.ETag);
    expect(JSON.stringify(apis.value)).toContain('widgets');
    expect((await get('/openapi/v2')).value.definitions).toHaveProperty(['com.example.v1.Widget']);
    expect((await get('/openapi/v3')).value.paths).toHaveProperty(['apis/example.com/v1']);
    expect((await get('/openapi/v3/apis/example.com/v1')).value.components.schemas).toHaveProperty([
      'com.example.v1.Widget',
    ]);
    // Documents that do not describe the kind are unchanged.
    expect((await get('/openapi/v3/api/v1')).headers.ETag).toBe(before.core.headers.ETag);

    await server.uninstall(widget);
    // A controller deletes the APIService of the group version.
    await server.settle();
    for (const path of ['/apis/example.com', '/apis/example.com/v1', '/openapi/v3/apis/example.com/v1'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/apis/example.com/v1/namespaces/default/widgets/a')).status).toBe(404);
    expect((await get('/apis', aggregated)).headers.ETag).toBe(before.apis.headers.ETag);
    expect((await get('/openapi/v2')).headers.ETag).toBe(before.v2.headers.ETag);
    expect((await get('/openapi/v3')).value).toEqual(before.index.value);

    // The objects of the kind are still stored.
    await server.install(widget);
    expect((await server.client().get(widget, 'a', at)).spec).toEqual({ size: 1 });
  });

  it('delete their objects if requested, unless finalizers prevent it', async () => {
    await server.install(widget);
    const client = server.client();
    await client.create(widget, { metadata: { name: 'held', finalizers: ['example.com/hold'] } }, at);
    await expect(server.uninstall(widget, { deleteObjects: true })).rejects.toThrow('1 objects still exist');
    await client.patch(widget, 'held', { metadata: { finalizers: null } }, at);
    await server.uninstall(widget, { deleteObjects: true });
    await server.install(widget);
    expect((await client.list(widget)).items).toEqual([]);
  });

  it('end their watches when they are uninstalled, and no others', async () => {
    await server.install(widget);
    const client = server.client();
    const widgets = await client.watch(widget, at).opened();
    const configMaps = await client.watch(configMap, at).opened();
    await server.uninstall(widget);
    expect((await widgets[Symbol.asyncIterator]().next()).done).toBe(true);
    await client.create(configMap, { metadata: { name: 'still' } }, at);
    for await (const { object } of configMaps) if (object.metadata.name === 'still') break;
  });

  it('are refused if their names are taken, without any change', async () => {
    await server.install(widget);
    const other = defineResource({ ...kindFields, schema: openApiToSchema({ type: 'object', properties: {} }) });
    await expect(server.install([kindOf('fresh.example.com'), other])).rejects.toThrow(
      'two definitions of widgets in example.com/v1',
    );
    expect((await get('/apis/fresh.example.com')).status).toBe(404);
    await server.install(widget);
    await expect(server.uninstall(other)).rejects.toThrow('is not installed');
    expect((await get('/apis/example.com/v1')).status).toBe(200);
  });

  it('are refused if a pattern does not compile', async () => {
    const schema = openApiToSchema({ type: 'object', properties: { spec: { type: 'string', pattern: '(' } } });
    await expect(server.install(defineResource({ ...kindFields, schema }))).rejects.toThrow(SyntaxError);
    expect((await get('/apis/example.com')).status).toBe(404);
  });

  it('may be defined by a JSON schema', async () => {
    const schema = openApiToSchema({
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', minimum: 1, default: 3 },
            name: { type: 'string', pattern: '^[a-z]+$' },
          },
        },
      },
    });
    const declared = defineResource({ ...kindFields, schema });
    await server.install(declared);
    const client = server.client();
    const made = await client.create(
      declared,
      { metadata: { name: 'a', labels: { x: 'y' } }, spec: { name: 'b' } },
      at,
    );
    expect(made['spec']).toEqual({ name: 'b', size: 3 });
    expect(made.metadata).toMatchObject({ labels: { x: 'y' }, generation: 1 });
    await expect(
      client.create(declared, { metadata: { name: 'b' }, spec: { size: 0, name: 'B' } }, at),
    ).rejects.toThrow(/spec\.size.*spec\.name/s);
    const applied = await client.apply(
      declared,
      { metadata: { name: 'a', ...at }, spec: { name: 'c' } },
      { ...at, force: true },
    );
    expect(applied['spec']).toMatchObject({ name: 'c' });
  });

  it('are known to listers, the garbage collector, namespaces and save', async () => {
    const client = server.client();
    const owner = await client.create(configMap, { metadata: { name: 'owner' } }, at);
    await server.install(widget);
    const { name = '', uid = '' } = owner.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    await client.create(widget, { metadata: { name: 'owned', ownerReferences } }, at);
    expect(await server.save()).toContain('"kind": "Widget"');
    await client.delete(configMap, name, at);
    await server.settle();
    expect((await client.list(widget, at)).items).toEqual([]);
  });

  it('take time only for their own group', async () => {
    const definitions = Array.from({ length: 500 }, (_, i) => kindOf(`g${i}.example.com`));
    const core = (await get('/openapi/v3/api/v1')).headers.ETag;
    for (const definition of definitions) await server.install(definition);
    expect((await get('/openapi/v3/api/v1')).headers.ETag).toBe(core);
    expect((await get('/apis/g499.example.com/v1/things')).value.items).toEqual([]);
    await server.uninstall(definitions);
    expect((await get('/apis/g499.example.com/v1/things')).status).toBe(404);
  });
});

const kindFields = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
} as const;
