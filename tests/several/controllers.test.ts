import { expect, it } from 'vitest';
import {
  clusterRole,
  clusterRoleBinding,
  customResourceDefinition,
  resourceQuota,
  serviceAccount,
} from '../../src/exports/kinds.js';
import { ApiServer, configMap, namespace, secret } from '../../src/index.js';
import { definitionOf } from '../support/definitions.js';
import { SharedBackend as Backend, type SharedBackend } from '../support/shared-storage.js';
import { openWorld, serverOf, type World } from './world.js';

const inDefault = { namespace: 'default' };
const widgets = definitionOf('widgets', 'Widget');
const writesOf = ({ log }: SharedBackend, part: string) =>
  log.filter(({ key }) => key.includes(part)).map(({ type, key }) => `${type} ${key.slice(key.lastIndexOf('/') + 1)}`);
const statuses = async (all: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map(({ status }) => status);

it('servers that start at the same time create the initial objects once', async () => {
  const backend = new Backend();
  const servers = [0, 1, 2].map(() => new ApiServer({ dialect: 'k8s', storage: backend.storage }));
  try {
    await Promise.all(servers.map((server) => server.start()));
    for (const server of servers) await server.client().list(clusterRole);
    backend.catchUp();
    for (const server of servers) await server.settle();
    const made = writesOf(backend, '/registry/namespaces/');
    expect(made.sort()).toEqual(['put default', 'put kube-node-lease', 'put kube-public', 'put kube-system']);
    const roles = writesOf(backend, '/registry/clusterroles/system:');
    expect(new Set(roles).size).toBe(roles.length);
  } finally {
    for (const server of servers) await server.close();
  }
});

it('a kind installed in one server is served by the others, and is deleted with the objects of all of them', async () => {
  await using world = await openWorld(2);
  const [one, other] = [serverOf(world, 0), serverOf(world, 1)];
  await one.install(widgets);
  await world.rest();
  const widget = other.kind('example.com/v1', 'Widget');
  for (const name of ['a', 'b']) await other.client().create(widget, { metadata: { name } }, inDefault);
  await world.rest();
  world.hold();
  await one.client().delete(customResourceDefinition, 'widgets.example.com');
  const late = other.client().create(widget, { metadata: { name: 'late' } }, inDefault);
  await expect(late).rejects.toThrow('create not allowed while custom resource definition is terminating');
  await world.rest();
  expect(writesOf(world.backend, '/example.com/')).toEqual(['put a', 'put b', 'delete a', 'delete b']);
  for (const server of world.servers) {
    expect((await server.client().list(customResourceDefinition)).items).toEqual([]);
    expect(() => server.kind('example.com/v1', 'Widget')).toThrow('no kind Widget');
  }
});

it.each(['Background', 'Foreground', 'Orphan'] as const)(
  'an owner is deleted as requested, whichever server collects: %s',
  async (how) => {
    await using world = await openWorld(3);
    await world.rest();
    const { uid = '' } = (
      await serverOf(world, 0)
        .client()
        .create(configMap, { metadata: { name: 'owner' } }, inDefault)
    ).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true }];
    for (let i = 0; i < 6; i++)
      await serverOf(world, i)
        .client()
        .create(secret, { metadata: { name: `s${i}`, ownerReferences } }, inDefault);
    world.hold();
    await serverOf(world, 1)
      .client()
      .delete(configMap, 'owner', { ...inDefault, propagationPolicy: how });
    await world.rest();
    const { items } = await serverOf(world, 2).client().list(secret, inDefault);
    expect(items.map(({ metadata }) => metadata.ownerReferences)).toEqual(
      how === 'Orphan' ? Array(6).fill(undefined) : [],
    );
    expect(writesOf(world.backend, '/configmaps/default/owner').at(-1)).toBe('delete owner');
  },
);

it('a quota holds for all servers together', async () => {
  await using world = await openWorld(2);
  await world.rest();
  const spec = { hard: { 'count/secrets': '5' } };
  await serverOf(world, 0)
    .client()
    .create(resourceQuota, { metadata: { name: 'q' }, spec }, inDefault);
  await world.rest();
  world.hold();
  const make = (i: number) =>
    serverOf(world, i)
      .client()
      .create(secret, { metadata: { name: `s${i}` } }, inDefault);
  const made = await statuses(Array.from({ length: 12 }, (_, i) => make(i)));
  expect(made.filter((status) => status === 'fulfilled')).toHaveLength(5);
  await world.rest();
  const { status } = await serverOf(world, 1).client().get(resourceQuota, 'q', inDefault);
  expect(status?.used).toEqual({ 'count/secrets': '5' });
});

it('no update is lost, and each watch sends all of them once, in order', async () => {
  await using world = await openWorld(3);
  await serverOf(world, 0)
    .client()
    .create(configMap, { metadata: { name: 'c' } }, inDefault);
  await world.rest();
  world.hold();
  const watches = await Promise.all(
    world.servers.map(async (server) => {
      const { resourceVersion = '' } = (await server.client().list(configMap, inDefault)).metadata;
      return await server.client().watch(configMap, { ...inDefault, resourceVersion });
    }),
  );
  const write = (i: number) =>
    serverOf(world, i)
      .client()
      .patch(configMap, 'c', { data: { [`k${i}`]: 'x' } }, inDefault);
  await Promise.all(Array.from({ length: 60 }, (_, i) => write(i)));
  world.backend.catchUp();
  const { data } = await serverOf(world, 0).client().get(configMap, 'c', inDefault);
  expect(Object.keys(data ?? {})).toHaveLength(60);
  const seen = await Promise.all(
    watches.map(async (watch) => {
      const versions: (string | undefined)[] = [];
      for await (const { object } of watch) {
        versions.push(object.metadata.resourceVersion);
        if (versions.length === 60) break;
      }
      return versions;
    }),
  );
  const first = world.backend.revision - 59;
  for (const versions of seen) expect(versions).toEqual(Array.from({ length: 60 }, (_, i) => String(first + i)));
});

it('a Secret for a token is filled once, with the CAs of all servers', async () => {
  await using world = await openWorld(2);
  await world.rest();
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  const type = 'kubernetes.io/service-account-token';
  await serverOf(world, 0)
    .client()
    .create(secret, { metadata: { name: 't', annotations }, type }, inDefault);
  await world.rest();
  expect(writesOf(world.backend, '/secrets/default/t')).toHaveLength(3);
  const { data } = await serverOf(world, 1).client().get(secret, 't', inDefault);
  const root = Buffer.from(data?.['ca.crt'] ?? '', 'base64').toString();
  for (const server of world.servers) expect(root).toContain((await server.certificateAuthority()).certificate);
});

it('a Secret for a token waits for an account that another server has created', async () => {
  await using world = await openWorld(2);
  await world.rest();
  world.hold();
  const [one, other] = [serverOf(world, 0), serverOf(world, 1)];
  await one.client().create(serviceAccount, { metadata: { name: 'fresh' } }, inDefault);
  const annotations = { 'kubernetes.io/service-account.name': 'fresh' };
  const type = 'kubernetes.io/service-account-token';
  await other.client().create(secret, { metadata: { name: 't', annotations }, type }, inDefault);
  await world.rest();
  expect((await one.client().get(secret, 't', inDefault)).data?.['token']).toBeDefined();
});

it('roles created at one server take effect at another when it has received them', async () => {
  await using world = await openWorld(2);
  const [one, other] = [serverOf(world, 0), serverOf(world, 1)];
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
  const alice = other.client({ user: { username: 'alice', groups: [] } });
  await expect(alice.list(configMap, inDefault)).rejects.toThrow('forbidden');
  await one.client().create(clusterRole, { metadata: { name: 'reader' }, rules });
  const subjects = [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }];
  const roleRef = { kind: 'ClusterRole', name: 'reader', apiGroup: 'rbac.authorization.k8s.io' };
  await one.client().create(clusterRoleBinding, { metadata: { name: 'readers' }, subjects, roleRef });
  await world.rest();
  expect((await alice.list(configMap, inDefault)).items).toBeDefined();
  await one.client().delete(clusterRoleBinding, 'readers');
  await world.rest();
  await expect(alice.list(configMap, inDefault)).rejects.toThrow('forbidden');
});

it('a namespace is deleted with the objects of every server', async () => {
  await using world = await openWorld(3);
  const filled = async (each: World) => {
    await serverOf(each, 0)
      .client()
      .create(namespace, { metadata: { name: 'full' } });
    await each.rest();
    await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        serverOf(each, i)
          .client()
          .create(configMap, { metadata: { name: `c${i}` } }, { namespace: 'full' }),
      ),
    );
  };
  await filled(world);
  world.hold();
  const late = Array.from({ length: 6 }, (_, i) =>
    serverOf(world, i)
      .client()
      .create(secret, { metadata: { name: `late${i}` } }, { namespace: 'full' }),
  );
  await serverOf(world, 2).client().delete(namespace, 'full');
  await statuses(late);
  await world.rest();
  const [view] = world.backend.views;
  expect(view?.list('/registry/').entries.filter(({ key }) => key.includes('/full'))).toEqual([]);
});

it('a namespace is deleted with objects of a kind that the server which empties it has only just learned of', async () => {
  await using world = await openWorld([{ controllers: { run: ['-namespace-controller', '*'] } }, {}]);
  await world.rest();
  const one = serverOf(world, 0);
  world.hold();
  await one.install(widgets);
  await one.client().create(namespace, { metadata: { name: 'full' } });
  const widget = one.kind('example.com/v1', 'Widget');
  await one.client().create(widget, { metadata: { name: 'a' } }, { namespace: 'full' });
  await one.client().delete(namespace, 'full');
  await world.rest();
  expect(writesOf(world.backend, '/full')).toContain('delete full');
  expect(writesOf(world.backend, '/widgets/full/')).toEqual(['put a', 'delete a']);
});
