import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { alwaysAllow } from '../../../src/authorization/always-allow.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { configMap } from '../../../src/resources/core/index.js';
import { clusterRole, clusterRoleBinding, roleBinding } from '../../../src/resources/rbac/index.js';
import { memory } from '../../../src/store/memory.js';
import type { Storage } from '../../../src/store/storage.js';
import type { StorageFactory } from '../../../src/store/storage-factory.js';
import { as, GROUP, grant, outcome, roleRef, STEPPED, startStepped, userSubject } from '../../authorization/server.js';
import { ask } from '../../support/ask.js';
import { suiteServer } from '../../support/servers.js';

/** A storage that outlives its servers. */
function lasting(): StorageFactory {
  let kept: Storage<ApiObject> | undefined;
  return (async (options: never) => {
    kept ??= (await memory()(options)) as unknown as Storage<ApiObject>;
    const storage = kept;
    return new Proxy(storage, {
      get: (target, name) => (name === 'close' ? () => Promise.resolve() : bound(target, name)),
    });
  }) as unknown as StorageFactory;
}
function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
}

const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const maps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };

describe('default roles', () => {
  it('are restored at the next start, unless they are protected', async () => {
    const storage = lasting();
    const first = await startStepped({ storage, controllers: [] });
    const admin = first.client();
    const before = (await admin.list(clusterRole)).metadata.resourceVersion;
    await admin.delete(clusterRole, 'system:monitoring');
    await admin.patch(clusterRole, 'system:basic-user', { rules: [maps] });
    await admin.patch(clusterRole, 'system:node-bootstrapper', {
      rules: [maps],
      metadata: { annotations: { [AUTOUPDATE]: 'false' } },
    });
    await admin.patch(clusterRole, 'system:kube-dns', {
      metadata: { labels: { 'kubernetes.io/bootstrapping': 'mine' }, annotations: null },
    });
    await admin.patch(clusterRole, 'view', {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    });
    await admin.patch(clusterRoleBinding, 'system:discovery', { subjects: [userSubject('x')] });
    await admin.patch(clusterRoleBinding, 'system:basic-user', {
      subjects: null,
      metadata: { annotations: { [AUTOUPDATE]: 'false' } },
    });
    await admin.delete(clusterRoleBinding, 'system:public-info-viewer');
    await admin.create(clusterRoleBinding, {
      metadata: { name: 'system:public-info-viewer' },
      subjects: [userSubject('x')],
      roleRef: roleRef('ClusterRole', 'cluster-admin'),
    });
    await first.close();

    const second = await startStepped({ storage, controllers: [] });
    const client = second.client();
    expect((await client.get(clusterRole, 'system:monitoring')).rules).toHaveLength(1);
    const basic = await client.get(clusterRole, 'system:basic-user');
    expect(basic.rules).toEqual([
      maps,
      { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'] },
      { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectrulesreviews'] },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ]);
    expect((await client.get(clusterRole, 'system:node-bootstrapper')).rules).toEqual([maps]);
    expect((await client.get(clusterRole, 'system:kube-dns')).metadata).toMatchObject({
      labels: { 'kubernetes.io/bootstrapping': 'mine' },
      annotations: { [AUTOUPDATE]: 'true' },
    });
    expect((await client.get(clusterRole, 'view')).aggregationRule?.clusterRoleSelectors).toHaveLength(2);
    const names = ({ subjects = [] }: { readonly subjects?: readonly { readonly name: string }[] }) =>
      subjects.map(({ name }) => name);
    expect(names(await client.get(clusterRoleBinding, 'system:discovery'))).toEqual(['x', 'system:authenticated']);
    expect(names(await client.get(clusterRoleBinding, 'system:basic-user'))).toEqual([]);
    const viewer = await client.get(clusterRoleBinding, 'system:public-info-viewer');
    expect(viewer.roleRef.name).toBe('system:public-info-viewer');
    expect(names(viewer)).toEqual(['system:authenticated', 'system:unauthenticated']);
    await second.close();

    const third = await startStepped({ storage, controllers: [] });
    const list = await third.client().list(clusterRole);
    const changed = list.items.filter(({ metadata }) => Number(metadata.resourceVersion) > Number(before));
    expect(changed.length).toBeLessThan(6);
    await third.close();
  });

  it('exist, with a health check, only with RBAC', async () => {
    const [byRoles, open] = await Promise.all([startStepped(), startStepped({ authorization: [alwaysAllow()] })]);
    const check = async (server: ApiServer) => {
      const user = { username: 'x', groups: ['system:masters'] };
      const { status } = await ask(server, { path: '/readyz', query: 'verbose' });
      return [(await server.client({ user }).list(clusterRole)).items.length, status];
    };
    expect((await check(byRoles))[0]).toBeGreaterThan(60);
    expect((await check(open))[0]).toBe(0);
    await Promise.all([byRoles.close(), open.close()]);
  });

  it('do not require that their kinds are served', async () => {
    const server = await startStepped({ resources: [configMap], controllers: [] });
    expect(await outcome(as(server, 'x', 'system:authenticated').list(configMap))).toMatchObject({ code: 403 });
    expect((await server.client().list(configMap, { namespace: 'default' })).items).toEqual([]);
    await server.close();
  });
});

describe('aggregated roles', () => {
  const server = suiteServer(STEPPED);

  const rulesOf = async (name: string) => {
    await server.settle();
    return ((await server.client().get(clusterRole, name)).rules ?? []).map(({ resources }) => resources?.join());
  };

  it('have the rules of the default roles', async () => {
    const view = await rulesOf('view');
    const edit = await rulesOf('edit');
    const admin = await rulesOf('admin');
    expect(view).toHaveLength(10);
    expect(edit).toEqual(expect.arrayContaining(view));
    expect(admin).toEqual(expect.arrayContaining(edit));
  });

  it('contain the rules of the roles that their selectors match, once each, by name', async () => {
    const client = server.client({ userAgent: 'author' });
    const part = (name: string, labels: Record<string, string>, ...resources: string[]) =>
      client.create(clusterRole, {
        metadata: { name, labels },
        rules: resources.map((each) => ({ apiGroups: [''], resources: [each], verbs: ['get'] })),
      });
    await client.create(clusterRole, {
      metadata: { name: 'sum' },
      rules: [{ apiGroups: [''], resources: ['own'], verbs: ['get'] }],
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { first: 'x' } },
          { matchExpressions: [{ key: 'second', operator: 'Exists' }] },
        ],
      },
    });
    expect(await rulesOf('sum')).toEqual(['own']);
    await part('part-b', { first: 'x' }, 'pods', 'secrets');
    await part('part-a', { first: 'x' }, 'nodes', 'pods');
    await part('part-0', { second: '' }, 'nodes', 'events');
    expect(await rulesOf('sum')).toEqual(['nodes', 'pods', 'secrets', 'events']);
    await client.patch(clusterRole, 'sum', { rules: [{ apiGroups: ['x'], resources: ['manual'], verbs: ['y'] }] });
    expect(await rulesOf('sum')).toEqual(['nodes', 'pods', 'secrets', 'events']);
    await client.patch(clusterRole, 'part-a', { metadata: { labels: { first: null } } });
    expect(await rulesOf('sum')).toEqual(['pods', 'secrets', 'nodes', 'events']);
    const { managedFields = [] } = (await client.get(clusterRole, 'sum')).metadata;
    expect(managedFields.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
      'clusterrole-aggregation-controller Apply',
      'author Update',
    ]);
    for (const name of ['part-a', 'part-b', 'part-0']) await client.delete(clusterRole, name);
    expect(await rulesOf('sum')).toEqual([]);
  });

  it('grant the aggregated rules to their subjects', async () => {
    const client = server.client();
    await client.create(roleBinding, {
      metadata: { name: 'v', namespace: 'default' },
      subjects: [userSubject('viewer')],
      roleRef: roleRef('ClusterRole', 'view'),
    });
    await server.settle();
    const may = (resource: string, verb = 'list') =>
      server.explainDecision({ username: 'viewer' }, { verb, resource, namespace: 'default' });
    expect(await may('pods')).toMatchObject({
      decision: 'Allow',
      authorizer: 'rbac',
      reason: 'RBAC: allowed by RoleBinding "v/default" of ClusterRole "view" to User "viewer"',
      grant: { binding: 'RoleBinding "v/default"', role: 'ClusterRole "view"', subject: 'User "viewer"' },
    });
    expect(await may('secrets')).toMatchObject({ decision: 'NoOpinion' });
    expect(await may('pods', 'create')).toMatchObject({ decision: 'NoOpinion' });
  });
});

describe('a change of RBAC objects takes effect with the next request', () => {
  it('for bindings, roles and deletions', async () => {
    const server = await startStepped({ controllers: [] });
    await grant(server, 'alice', [maps]);
    const admin = server.client();
    const may = () =>
      server.explainDecision(
        { username: 'alice' },
        { verb: 'get', resource: 'configmaps', namespace: 'default', name: 'x' },
      );
    expect(await may()).toMatchObject({ decision: 'Allow' });
    await admin.patch(clusterRole, 'grant-alice', { rules: [{ ...maps, resourceNames: ['y'] }] });
    expect(await may()).toMatchObject({ decision: 'NoOpinion', reason: '' });
    await admin.delete(clusterRole, 'grant-alice');
    expect(await may()).toMatchObject({ reason: `RBAC: clusterrole.${GROUP} "grant-alice" not found` });
    await admin.create(clusterRole, { metadata: { name: 'grant-alice' }, rules: [maps] });
    expect(await may()).toMatchObject({ decision: 'Allow' });
    await admin.patch(clusterRoleBinding, 'grant-alice', { subjects: [userSubject('bob')] });
    expect(await may()).toMatchObject({ decision: 'NoOpinion', reason: '' });
    expect(await server.explainDecision({ username: 'bob' }, { verb: 'get', resource: 'configmaps' })).toMatchObject({
      decision: 'Allow',
    });
    await admin.delete(clusterRoleBinding, 'grant-alice');
    expect(await server.explainDecision({ username: 'bob' }, { verb: 'get', resource: 'configmaps' })).toMatchObject({
      decision: 'NoOpinion',
    });
    await server.close();
  });
});
