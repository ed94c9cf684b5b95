import { describe, expect, it } from 'vitest';
import { clusterRole, customResourceDefinition } from '../../src/exports/kinds.js';
import {
  ApiServer,
  type ApiServerOptions,
  configMap,
  isInvalid,
  namespace,
  pod,
  secret,
  serviceAccount,
} from '../../src/index.js';
import { MemoryStore } from '../../src/store/memory-store.js';
import { definitionOf } from '../support/definitions.js';
import { startServer } from '../support/servers.js';

const inDefault = { namespace: 'default' };
const everything = async (server: ApiServer) => {
  const objects = new Map<string, unknown>();
  const client = server.client();
  for (const { definition } of client.resources())
    for (const object of (await client.list(definition)).items)
      objects.set(`${definition.kind} ${object.metadata.namespace}/${object.metadata.name}`, object);
  return objects;
};
/** Returns the saved text of a server and the objects in it. */
const savedOf = async (server: ApiServer) => {
  const text = await server.save();
  const objects = text
    .split('\n---\n')
    .slice(1)
    .map((part) => JSON.parse(part));
  return { text, names: objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`), objects };
};

/** Starts a server with objects of all kinds, and returns what was saved of them. */
async function full(options: ApiServerOptions = {}) {
  const server = await startServer(options);
  const client = server.client({ userAgent: 'author' });
  const owner = await client.create(
    configMap,
    { metadata: { name: 'owner' }, data: { text: 'a\u2028b\n---\nc' } },
    inDefault,
  );
  const owners = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' }];
  await client.create(
    secret,
    { metadata: { name: 'a-child', ownerReferences: owners }, data: { key: 'AAEC/w==' } },
    inDefault,
  );
  const account = await client.get(serviceAccount, 'default', inDefault);
  const ofAccount = [{ apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', uid: account.metadata.uid ?? '' }];
  await client.create(configMap, { metadata: { name: 'of-account', ownerReferences: ofAccount } }, inDefault);
  await client.create(namespace, { metadata: { name: 'going' }, spec: {} });
  await client.create(
    configMap,
    { metadata: { name: 'held', finalizers: ['example.com/hold'] } },
    { namespace: 'going' },
  );
  await client.delete(namespace, 'going');
  await client.create(
    pod,
    { metadata: { name: 'pod' }, spec: { containers: [{ name: 'c', image: 'i', resources: {} }] } },
    inDefault,
  );
  await server
    .client({ userAgent: 'other' })
    .patch(pod, 'pod', { status: { phase: 'Running' } }, { ...inDefault, subresource: 'status' });
  await server.settle();
  return server;
}

describe('a saved state', () => {
  it.each(['k8s', 'orch'] as const)('is restored by the next server (%s)', async (dialect) => {
    await using before = await full({ dialect });
    const { text } = await savedOf(before);
    const objects = await everything(before);

    await using after = new ApiServer({ dialect });
    expect(await after.load(text)).toBe(7);
    await after.start();
    await after.settle();
    const restored = await everything(after);
    for (const name of [
      'ConfigMap default/owner',
      'Secret default/a-child',
      'ConfigMap default/of-account',
      'Pod default/pod',
      'ServiceAccount default/default',
      'ConfigMap going/held',
      'Namespace undefined/going',
    ])
      expect(restored.get(name), name).toEqual(objects.get(name));
    // New resourceVersions are higher than all saved ones.
    const made = await after.client().create(configMap, { metadata: { name: 'next' } }, inDefault);
    const versions = [...objects.values()].map((object) => Number((object as typeof made).metadata.resourceVersion));
    expect(Number(made.metadata.resourceVersion)).toBeGreaterThan(Math.max(...versions));
    // The deletion of objects that were being deleted continues.
    await after
      .client()
      .update(configMap, 'held', (draft) => void delete draft.metadata.finalizers, { namespace: 'going' });
    await expect
      .poll(async () => (await everything(after)).has('Namespace undefined/going'), { timeout: 20_000 })
      .toBe(false);
  });

  it('is restored in a running server, with new versions', async () => {
    await using before = await full();
    const objects = await everything(before);
    await using after = await startServer();
    await after.load(await before.save());
    await after.settle();
    const restored = await everything(after);
    const unversioned = (object: unknown) => {
      const { metadata, ...rest } = object as { metadata: { resourceVersion?: string } };
      return { ...rest, metadata: { ...metadata, resourceVersion: '' } };
    };
    for (const name of [
      'Secret default/a-child',
      'ConfigMap default/of-account',
      'ServiceAccount default/default',
      'ConfigMap going/held',
    ])
      expect(unversioned(restored.get(name)), name).toEqual(unversioned(objects.get(name)));
  });

  it('omits objects that every server creates, unless they were changed or are requested', async () => {
    await using server = await startServer({ dialect: 'k8s' });
    expect((await savedOf(server)).names).toEqual([]);
    const client = server.client();
    await client.update(clusterRole, 'view', (draft) => void (draft.metadata.annotations = { mine: 'yes' }), {});
    const { metadata } = await client.get(serviceAccount, 'default', inDefault);
    await client.create(
      configMap,
      { metadata: { name: 'about', annotations: { account: metadata.uid ?? '' } } },
      inDefault,
    );
    expect((await savedOf(server)).names.sort()).toEqual([
      'ClusterRole view',
      'ConfigMap about',
      'ServiceAccount default',
    ]);
  });

  it('is the same when it is saved again', async () => {
    await using before = await full();
    const { objects } = await savedOf(before);
    await using after = new ApiServer();
    await after.load(await before.save());
    await after.start();
    expect((await savedOf(after)).objects).toEqual(objects);
  });

  it('can be loaded into a storage that does not start with it', async () => {
    await using before = await full();
    const objects = await everything(before);
    await using after = new ApiServer({
      storage: ({ clock, stamp, equals }) => new MemoryStore({ clock, stamp, equals }),
    });
    await after.load(await before.save());
    await after.start();
    await after.settle();
    const child = (await everything(after)).get('Secret default/a-child') as { metadata: { uid: string } };
    expect(child.metadata.uid).toBe((objects.get('Secret default/a-child') as typeof child).metadata.uid);
  });

  it('can be mixed with manifests, whose objects are created', async () => {
    await using before = await full();
    await using after = new ApiServer();
    await after.load(await before.save());
    expect(
      await after.load(
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain, namespace: going-2}\ndata: {a: b}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: going-2}\n',
      ),
    ).toBe(2);
    await after.start();
    const made = await after.client().get(configMap, 'plain', { namespace: 'going-2' });
    expect(made.metadata.managedFields?.[0]?.manager).toBe('load');
  });

  describe('with custom resource definitions', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'default' } };
    const saved = async () => {
      await using before = await startServer({ dialect: 'k8s' });
      await before.load([definitionOf('things', 'Thing')]);
      await before.settle();
      await before.load([definitionOf('others', 'Thing'), object]);
      await before.settle();
      return await before.save();
    };

    it('is restored, including definitions whose names were not accepted', async () => {
      const text = await saved();
      for (const runs of [false, true]) {
        await using after = new ApiServer({ dialect: 'k8s' });
        if (runs) await after.start();
        await after.load(text);
        if (!runs) await after.start();
        await after.settle();
        const { items } = await after.client().list(after.kind('example.com/v1', 'Thing'), inDefault);
        expect(items.map(({ metadata }) => metadata.name)).toEqual(['a']);
        const { status } = await after.client().get(customResourceDefinition, 'others.example.com');
        expect(status.conditions?.find(({ type }) => type === 'Established')?.status).toBe('False');
      }
    });

    it('is refused for errors in definitions', async () => {
      const text = await saved();
      const load = async (changed: string) => {
        await using after = new ApiServer({ dialect: 'k8s' });
        await after.load(changed);
        await after.start();
      };
      await expect(load(text.replaceAll('"versions"', '"none"'))).rejects.toSatisfy(isInvalid);
      await expect(load(text.replaceAll('"acceptedNames"', '"none"'))).rejects.toThrow('kind is missing');
    });
  });

  it('is refused if it has a revision that leaves no room for others', async () => {
    const load = (revision: string) => new ApiServer().load(`# Saved by orch-apiserver at revision ${revision}.\n`);
    for (const revision of ['9007199254740991', '99999999999999999999999'])
      await expect(load(revision)).rejects.toThrow(`the saved state has the revision ${revision}, which is too large`);
  });

  it('is refused if it is invalid', async () => {
    await using before = await full();
    const { objects } = await savedOf(before);
    const wrong = async (change: object, metadata: object = {}) => {
      const server = new ApiServer();
      await server.load([{ ...objects[0], ...change, metadata: { ...objects[0].metadata, ...metadata } }]);
      return server.start();
    };
    await expect(wrong({ kind: 'Nothing' })).rejects.toThrow('no kind Nothing in v1 is served');
    await expect(wrong({}, { name: 'Not A Name' })).rejects.toSatisfy(isInvalid);
    await expect(wrong({}, { labels: ['a'] })).rejects.toThrow('cannot unmarshal array');
    await expect(new ApiServer().load('- 1')).rejects.toThrow('a document to load must be an object');
    for (const wrong of [{ kind: 'ConfigMap' }, 42, null, undefined])
      await expect(new ApiServer().load(wrong as never)).rejects.toThrow('a list of objects such as [object]');
    await expect(new ApiServer().load('crd.yaml')).rejects.toThrow("not a string; load(manifests('path')) loads files");
  });
});
