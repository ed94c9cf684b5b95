import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultAdmission, ownerReferencesPermissionEnforcement } from '../../../src/exports/admission.js';
import { listen } from '../../../src/http/index.js';
import { type ApiServer, type Client, configMap, namespace, secret } from '../../../src/index.js';
import {
  type MinimalRoles,
  minimalRoles,
  nothingForbidden,
  type RequestLog,
  type RoleManifest,
  recordRequests,
  replay,
} from '../../../src/testing/index.js';
import { fetchFrom } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const made = (name: string) => ({ metadata: { name }, data: { n: '1' } });
/** The user may do everything while requests are recorded. During the replays, it has only the derived roles. */
const recorded = { username: 'jane', groups: ['system:masters', 'system:authenticated'] };

describe.each(['k8s', 'orch'] as const)('the least roles (%s)', (dialect) => {
  const apiGroup = dialect === 'k8s' ? 'rbac.authorization.k8s.io' : 'rbac.authorization.orch.io';
  let server: ApiServer;
  let base: ApiServer;
  let requests: RequestLog;
  let client: Client;
  beforeEach(async () => {
    base = await startServer({
      dialect,
      certificates: { root: false },
      admission: [...defaultAdmission, ownerReferencesPermissionEnforcement],
    });
    await base.settle();
    server = base.fork() as ApiServer;
    requests = recordRequests(server);
    client = server.client({ user: recorded, userAgent: 'operator' });
  });
  afterEach(async () => {
    await server.close();
    await base.close();
  });

  /** Sends the recorded requests to a server on which the user has only these roles. Returns the refusals. */
  async function forbiddenWith(objects: readonly RoleManifest[]): Promise<string[]> {
    await using fork = base.fork();
    await fork.load(objects);
    using again = recordRequests(fork);
    const user = { username: 'jane', groups: ['system:authenticated'] };
    await replay(requests, fork, { user });
    return again.filter({ status: 403 }).map(({ verb, resource, path }) => `${verb} ${resource || path}`);
  }

  /** Yields variants of the roles, each of which lacks one verb of one rule. */
  function* withoutOne({ objects }: MinimalRoles): Generator<readonly [string, readonly RoleManifest[]]> {
    for (const object of objects)
      for (const [i, rule] of (object.rules ?? []).entries())
        for (const verb of rule.verbs) {
          const verbs = rule.verbs.filter((each) => each !== verb);
          const rules = (object.rules ?? []).map((each, j) => (i === j ? { ...each, verbs } : each));
          const others = rules.filter((each) => each.verbs.length > 0);
          yield [verb, objects.map((each) => (each === object ? { ...object, rules: others } : each))];
        }
  }

  async function expectLeast(roles: MinimalRoles): Promise<void> {
    expect(await forbiddenWith(roles.objects)).toEqual([]);
    let tried = 0;
    for (const [verb, fewer] of withoutOne(roles)) {
      tried++;
      expect(await forbiddenWith(fewer), `without ${verb} in ${JSON.stringify(fewer)}`).not.toEqual([]);
    }
    expect(tried).toBeGreaterThan(0);
  }

  it('allow the requests that were recorded, and nothing else', async () => {
    await client.create(configMap, made('a'), where);
    await client.get(configMap, 'a', where);
    await client.get(configMap, 'b', where).catch(() => {});
    await client.list(configMap, { ...where, fieldSelector: 'metadata.name=a' });
    await client.list(secret);
    await client.get(secret, 'of-one-namespace', where).catch(() => {});
    await client.list(secret, where);
    await client.get(namespace, 'default');
    await client.patch(namespace, 'default', { metadata: { labels: { a: 'b' } } });
    await client.deleteCollection(configMap, { ...where, labelSelector: 'a=b' });
    await fetchFrom(server, '/metrics', { user: recorded });
    await fetchFrom(server, '/api', { user: recorded });
    const roles = minimalRoles(requests, 'jane');
    expect(roles.objects.map(({ kind, metadata, rules }) => [kind, metadata, rules])).toEqual([
      [
        'ClusterRole',
        { name: 'jane' },
        [
          { apiGroups: [''], resources: ['namespaces'], resourceNames: ['default'], verbs: ['get', 'patch'] },
          { apiGroups: [''], resources: ['secrets'], verbs: ['list'] },
          { nonResourceURLs: ['/metrics'], verbs: ['get'] },
        ],
      ],
      ['ClusterRoleBinding', { name: 'jane' }, undefined],
      [
        'Role',
        { name: 'jane', namespace: 'default' },
        [
          { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a', 'b'], verbs: ['get'] },
          { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['list'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'deletecollection'] },
          { apiGroups: [''], resources: ['secrets'], resourceNames: ['of-one-namespace'], verbs: ['get'] },
        ],
      ],
      ['RoleBinding', { name: 'jane', namespace: 'default' }, undefined],
    ]);
    expect(roles.objects[1]).toEqual({
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'jane' },
      subjects: [{ apiGroup, kind: 'User', name: 'jane' }],
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'jane' },
    });
    await expectLeast(roles);
  });

  it('have permissions beyond the request: finalizers of owners, escalation, binding, creation by an apply', async () => {
    const owner = await client.create(configMap, made('owner'), where);
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '', blockOwnerDeletion: true },
    ];
    await client.create(secret, { metadata: { name: 'owned', ownerReferences } }, where);
    const applied = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'applied' } };
    await client.apply(server.kind('v1', 'ServiceAccount'), applied, { ...where, fieldManager: 'operator' });
    const apiVersion = `${apiGroup}/v1`;
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
    await client.create(server.kind(apiVersion, 'Role'), { metadata: { name: 'r' }, rules }, where);
    const roleRef = { apiGroup, kind: 'ClusterRole', name: 'view' };
    const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }];
    const binding = { metadata: { name: 'b' }, roleRef, subjects };
    await client.create(server.kind(apiVersion, 'RoleBinding'), binding, where);
    const roles = minimalRoles(requests, 'jane');
    const rulesOf = roles.objects.flatMap(({ rules: each = [] }) => each);
    expect(rulesOf).toContainEqual({
      apiGroups: [''],
      resources: ['configmaps/finalizers'],
      resourceNames: ['owner'],
      verbs: ['update'],
    });
    expect(rulesOf).toContainEqual({
      apiGroups: [apiGroup],
      resources: ['clusterroles'],
      resourceNames: ['view'],
      verbs: ['bind'],
    });
    expect(rulesOf).toContainEqual({ apiGroups: [apiGroup], resources: ['roles'], verbs: ['create', 'escalate'] });
    expect(rulesOf.find(({ resourceNames }) => resourceNames?.[0] === 'applied')?.verbs).toEqual(['create', 'patch']);
    await expectLeast(roles);
  });

  it('have permissions for refused requests, and for impersonation', async () => {
    const eve = { username: 'eve', groups: ['system:authenticated'] };
    await server
      .client({ user: eve })
      .get(configMap, 'a', where)
      .catch(() => {});
    const headers = { 'impersonate-user': 'system:serviceaccount:default:robot', 'impersonate-group': 'robots' };
    await fetchFrom(server, '/api/v1/nodes', { headers, user: recorded });
    expect(minimalRoles(requests, 'eve').objects[0]?.rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get'] },
    ]);
    expect(minimalRoles(requests, 'jane').objects.map(({ kind, rules }) => [kind, rules ?? 'binding'])).toEqual([
      ['ClusterRole', [{ apiGroups: [''], resources: ['groups'], resourceNames: ['robots'], verbs: ['impersonate'] }]],
      ['ClusterRoleBinding', 'binding'],
      ['Role', [{ apiGroups: [''], resources: ['serviceaccounts'], resourceNames: ['robot'], verbs: ['impersonate'] }]],
      ['RoleBinding', 'binding'],
    ]);
    const robot = minimalRoles(requests, 'system:serviceaccount:default:robot', { name: 'robot' });
    expect(robot.objects).toMatchObject([
      { kind: 'ClusterRole', metadata: { name: 'robot' }, rules: [{ resources: ['nodes'], verbs: ['list'] }] },
      { subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }] },
    ]);
  });

  it('are empty for requests that everybody may make, and an error for a user that is not in the log', async () => {
    await fetchFrom(server, '/apis', { user: recorded });
    expect(minimalRoles(requests, 'jane')).toEqual({ objects: [], yaml: '' });
    expect(() => minimalRoles(requests, 'joe')).toThrow('no request of joe is recorded; recorded are jane');
    expect(() => minimalRoles(requests, 'jane', { name: 'a/b' })).toThrow('name must be the name of a role, not a/b');
    const user = { username: 'a/b\nrules: x', groups: ['system:masters'] };
    await server.client({ user }).list(configMap, where);
    const { yaml } = minimalRoles(requests, user.username);
    await using fork = base.fork();
    expect(await fork.load(yaml)).toBe(2);
  });
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

it.skipIf(!hasKubectl)('are taken by `kubectl auth reconcile` (skipped without kubectl)', async () => {
  await using server = await startServer({ dialect: 'k8s' });
  using requests = recordRequests(server);
  const client = server.client({ user: recorded });
  await client.create(configMap, made('a'), where);
  await client.list(namespace);
  const { yaml } = minimalRoles(requests, 'jane');
  const folder = mkdtempSync(join(tmpdir(), 'roles-'));
  const listener = await listen(server);
  try {
    writeFileSync(join(folder, 'config'), await listener.kubeconfig());
    writeFileSync(join(folder, 'roles.yaml'), yaml);
    const { spawn } = await import('node:child_process');
    const args = ['--kubeconfig', join(folder, 'config'), 'auth', 'reconcile', '-f', join(folder, 'roles.yaml')];
    const child = spawn('kubectl', args);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, text]).toEqual([0, expect.stringContaining('role.rbac.authorization.k8s.io/jane reconciled')]);
  } finally {
    await listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
  requests.clear();
  const jane = server.client({ user: { username: 'jane', groups: ['system:authenticated'] } });
  await jane.create(configMap, made('b'), where);
  await jane.list(namespace);
  nothingForbidden(requests);
});
