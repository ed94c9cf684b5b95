import { beforeAll, describe, expect, it } from 'vitest';
import type { UserInfo } from '../../../src/meta/user-info.js';
import { requestsTo } from '../../support/ask.js';
import { suiteServer } from '../../support/servers.js';

// Roles and bindings of `orch`, by the requests that they allow (spec 13.1 to 13.10).
const GROUP = 'rbac.authorization.orch.io';
const ROLES = `/apis/${GROUP}/v1`;
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters'] };
const userOf = (username: string, ...groups: string[]): UserInfo => ({
  username,
  groups: [...groups, 'system:authenticated'],
});
const server = suiteServer({ dialect: 'orch', controllers: { mode: 'stepped' } });
const as = (user: UserInfo) => requestsTo(server, { user });
beforeAll(async () => {
  await as(ADMIN).post('/api/v1/namespaces', { metadata: { name: 'ns' } });
  await as(ADMIN).post(MAPS(), { metadata: { name: 'm' } });
});

const status = async (user: UserInfo, method: string, target: string, body?: object) =>
  (await as(user).send(method, target, body)).status;
const make = (path: string, name: string, more: object, user = ADMIN) =>
  as(user).post(`${ROLES}/${path}`, { metadata: { name }, ...more });
const subject = (kind: string, name: string) =>
  kind === 'ServiceAccount' ? { kind, name, namespace: 'ns' } : { kind, name, apiGroup: GROUP };
const roleRef = (name: string, kind = 'ClusterRole') => ({ apiGroup: GROUP, kind, name });
let grants = 0;
/** Grants rules to a user, in the cluster or in one namespace. */
async function grant(who: ReturnType<typeof subject>, rules: readonly object[], namespace?: string) {
  const name = `grant-${++grants}`;
  expect((await make('clusterroles', name, { rules })).status).toBe(201);
  const path = namespace === undefined ? 'clusterrolebindings' : `namespaces/${namespace}/rolebindings`;
  expect((await make(path, name, { roleRef: roleRef(name), subjects: [who] })).status).toBe(201);
  return name;
}
const maps = (verbs: readonly string[], more: object = {}) => ({
  apiGroups: [''],
  resources: ['configmaps'],
  verbs,
  ...more,
});
const MAPS = (namespace = 'default') => `/api/v1/namespaces/${namespace}/configmaps`;

describe('a rule', () => {
  it('allows its verbs on its resources of its groups, and nothing else', async () => {
    const jane = userOf('jane');
    await grant(subject('User', 'jane'), [
      maps(['get', 'create']),
      { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] },
    ]);
    expect(await status(jane, 'GET', `${MAPS()}/m`)).toBe(200);
    expect(await status(jane, 'GET', MAPS())).toBe(403);
    expect(await status(jane, 'GET', '/api/v1/namespaces/default/secrets/m')).toBe(403);
    expect(await status(jane, 'GET', '/apis/apps/v1/namespaces/default/deployments/d/scale')).toBe(404);
    expect(await status(jane, 'GET', '/apis/apps/v1/namespaces/default/deployments/d')).toBe(403);
    // Names are case-sensitive.
    expect(await status(userOf('Jane'), 'GET', `${MAPS()}/m`)).toBe(403);
  });

  it('may name objects, but not for create and deletecollection', async () => {
    const jim = userOf('jim');
    await grant(subject('User', 'jim'), [
      maps(['get', 'list', 'watch', 'create', 'deletecollection'], { resourceNames: ['m'] }),
    ]);
    expect(await status(jim, 'GET', `${MAPS()}/m`)).toBe(200);
    expect(await status(jim, 'GET', `${MAPS()}/other`)).toBe(403);
    expect(await status(jim, 'GET', MAPS())).toBe(403);
    expect(await status(jim, 'GET', `${MAPS()}?fieldSelector=metadata.name%3Dm`)).toBe(200);
    expect(await status(jim, 'POST', MAPS(), { metadata: { name: 'm' } })).toBe(403);
    expect(await status(jim, 'DELETE', MAPS())).toBe(403);
  });

  it('with * matches all resources; with paths, only these; with * at their end, all paths below', async () => {
    await grant(subject('User', 'joe'), [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
    await grant(subject('User', 'zoe'), [{ nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] }]);
    const joe = userOf('joe');
    expect(await status(joe, 'GET', '/apis/apps/v1/deployments')).toBe(200);
    expect(await status(joe, 'GET', `${MAPS()}/m`)).toBe(200);
    expect(await status(joe, 'GET', '/metrics')).toBe(403);
    const zoe = userOf('zoe');
    for (const path of ['/metrics', '/logs/a/b']) expect(await status(zoe, 'GET', path)).not.toBe(403);
    for (const path of ['/metrics/a', '/log']) expect(await status(zoe, 'GET', path)).toBe(403);
  });

  it('only adds permissions: no rule removes one', async () => {
    const ada = userOf('ada');
    await grant(subject('User', 'ada'), [maps(['get'])]);
    await grant(subject('User', 'ada'), [maps(['list'])]);
    expect([await status(ada, 'GET', `${MAPS()}/m`), await status(ada, 'GET', MAPS())]).toEqual([200, 200]);
  });
});

describe('a binding', () => {
  it('in a namespace grants the permissions of a Role or ClusterRole in that namespace', async () => {
    const bob = userOf('bob');
    await grant(subject('User', 'bob'), [maps(['list'])], 'ns');
    expect([await status(bob, 'GET', MAPS('ns')), await status(bob, 'GET', MAPS())]).toEqual([200, 403]);
    await make('namespaces/ns/roles', 'own', { rules: [maps(['create'])] });
    await make('namespaces/ns/rolebindings', 'own', {
      roleRef: roleRef('own', 'Role'),
      subjects: [subject('User', 'bob')],
    });
    expect(await status(bob, 'POST', MAPS('ns'), { metadata: { name: 'a' } })).toBe(201);
    expect(await status(bob, 'POST', MAPS(), { metadata: { name: 'a' } })).toBe(403);
    // A namespaced role cannot be granted in the cluster.
    const everywhere = await make('clusterrolebindings', 'no', { roleRef: roleRef('own', 'Role'), subjects: [] });
    expect([everywhere.status, everywhere.message]).toEqual([422, expect.stringContaining('roleRef.kind')]);
  });

  it('is for users, groups and service accounts', async () => {
    await grant(subject('Group', 'devs'), [maps(['list'])], 'ns');
    await grant(subject('ServiceAccount', 'app'), [maps(['list'])], 'ns');
    expect(await status(userOf('any', 'devs'), 'GET', MAPS('ns'))).toBe(200);
    expect(await status(userOf('system:serviceaccount:ns:app'), 'GET', MAPS('ns'))).toBe(200);
    expect(await status(userOf('system:serviceaccount:default:app'), 'GET', MAPS('ns'))).toBe(403);
    const wrong = await make('clusterrolebindings', 'wrong', {
      roleRef: roleRef('view'),
      subjects: [
        { kind: 'Robot', name: 'x' },
        { kind: 'ServiceAccount', name: 'x' },
      ],
    });
    expect(wrong.message).toContain('subjects[0].kind: Unsupported value: "Robot"');
    expect(wrong.message).toContain('subjects[1].namespace: Required value');
  });

  it('cannot change its role', async () => {
    await make('clusterrolebindings', 'fixed', { roleRef: roleRef('view') });
    const { status: code, message } = await as(ADMIN).merge(`${ROLES}/clusterrolebindings/fixed`, {
      roleRef: roleRef('edit'),
    });
    expect([code, message]).toEqual([422, expect.stringContaining('cannot change roleRef')]);
    expect(
      (await make('clusterrolebindings', 'none', { roleRef: { apiGroup: GROUP, kind: 'ClusterRole' } })).status,
    ).toBe(422);
  });

  it('has a name that is a valid segment of a path, which may contain colons', async () => {
    expect((await make('clusterroles', 'a:b', {})).status).toBe(201);
    for (const name of ['a/b', 'a%b', '..', '.'])
      expect([name, (await make('clusterroles', name, {})).status]).toEqual([name, 422]);
  });
});

describe('a user who writes RBAC objects', () => {
  const writer = userOf('writer');
  beforeAll(async () => {
    await grant(subject('User', 'writer'), [
      {
        apiGroups: [GROUP],
        resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
        verbs: ['create', 'patch', 'update'],
      },
      maps(['get']),
    ]);
  });

  it('can grant only permissions that he has, unless he may escalate', async () => {
    expect((await make('clusterroles', 'held', { rules: [maps(['get'])] }, writer)).status).toBe(201);
    const more = await make('clusterroles', 'more', { rules: [maps(['delete'])] }, writer);
    expect([more.status, more.message]).toEqual([
      403,
      expect.stringContaining('attempting to grant RBAC permissions not currently held'),
    ]);
    const patch = { rules: [maps(['delete'])] };
    expect((await as(writer).merge(`${ROLES}/clusterroles/held`, patch)).status).toBe(403);
    await grant(subject('User', 'writer'), [{ apiGroups: [GROUP], resources: ['clusterroles'], verbs: ['escalate'] }]);
    expect((await make('clusterroles', 'more', { rules: [maps(['delete'])] }, writer)).status).toBe(201);
    // This does not apply to namespaced roles.
    expect((await make('namespaces/ns/roles', 'more', { rules: [maps(['delete'])] }, writer)).status).toBe(403);
  });

  it('can bind only roles whose permissions he has, unless he may bind', async () => {
    const bind = (name: string, role: string) =>
      make('clusterrolebindings', name, { roleRef: roleRef(role), subjects: [subject('User', 'x')] }, writer);
    await make('clusterroles', 'secrets', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] });
    await make('clusterroles', 'reading', { rules: [maps(['get'])] });
    expect((await bind('reading', 'reading')).status).toBe(201);
    expect((await bind('secrets', 'secrets')).status).toBe(403);
    await grant(subject('User', 'writer'), [
      { apiGroups: [GROUP], resources: ['clusterroles'], resourceNames: ['secrets'], verbs: ['bind'] },
    ]);
    expect((await bind('secrets', 'secrets')).status).toBe(201);
  });
});

describe('default roles', () => {
  const get = async (path: string) => (await as(ADMIN).get(`${ROLES}/${path}`)).value;
  it('are labelled, restored, and bound', async () => {
    const admin = await get('clusterroles/cluster-admin');
    expect(admin.metadata).toMatchObject({
      labels: { 'orch.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.orch.io/autoupdate': 'true' },
    });
    const bound = async (name: string) =>
      (await get(`clusterrolebindings/${name}`)).subjects.map((each: { name: string }) => each.name);
    expect(await bound('cluster-admin')).toEqual(['system:masters']);
    expect(await bound('system:basic-user')).toEqual(['system:authenticated']);
    expect(await bound('system:discovery')).toEqual(['system:authenticated']);
    expect(await bound('system:public-info-viewer')).toEqual(['system:authenticated', 'system:unauthenticated']);
    expect((await get('clusterroles/system:controller:namespace-controller')).kind).toBe('ClusterRole');
  });

  it('for users are aggregated from roles with their labels', async () => {
    for (const [role, part] of [
      ['admin', 'aggregate-to-admin'],
      ['edit', 'aggregate-to-edit'],
      ['view', 'aggregate-to-view'],
    ] as const) {
      const { aggregationRule } = await get(`clusterroles/${role}`);
      expect(JSON.stringify(aggregationRule)).toContain(`"rbac.authorization.orch.io/${part}":"true"`);
    }
    await make('clusterroles', 'part', {
      metadata: { name: 'part', labels: { 'rbac.authorization.orch.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
    });
    await server.settle();
    expect(JSON.stringify((await get('clusterroles/view')).rules)).toContain('"example.com"');
  });

  it('let members of system:masters do everything', async () => {
    expect(await status(ADMIN, 'POST', '/api/v1/namespaces', { metadata: { name: 'going' } })).toBe(201);
    expect(await status(ADMIN, 'DELETE', '/api/v1/namespaces/going')).toBe(200);
  });
});

describe('an access review', () => {
  it('reports what the caller or another user may do', async () => {
    const reviews = '/apis/authorization.orch.io/v1';
    await grant(subject('User', 'eve'), [maps(['get'])]);
    const eve = userOf('eve');
    const attributes = (verb: string) => ({ group: '', resource: 'configmaps', name: 'm', verb, namespace: 'default' });
    const own = async (verb: string) =>
      (
        await as(eve).post(`${reviews}/selfsubjectaccessreviews`, {
          spec: { resourceAttributes: attributes(verb) },
        })
      ).value.status;
    expect(await own('get')).toMatchObject({ allowed: true });
    expect(await own('delete')).toMatchObject({ allowed: false });
    const spec = { user: 'eve', groups: ['system:authenticated'], resourceAttributes: attributes('get') };
    const other = await as(ADMIN).post(`${reviews}/subjectaccessreviews`, { spec });
    expect([other.status, other.value.status.allowed]).toEqual([201, true]);
    const local = await as(ADMIN).post(`${reviews}/namespaces/default/localsubjectaccessreviews`, { spec });
    expect([local.status, local.value.status.allowed]).toEqual([201, true]);
    const rules = await as(eve).post(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } });
    expect(rules.value.status.resourceRules).toContainEqual({
      verbs: ['get'],
      apiGroups: [''],
      resources: ['configmaps'],
    });
    expect(await status(eve, 'POST', `${reviews}/subjectaccessreviews`, { spec })).toBe(403);
  });
});
