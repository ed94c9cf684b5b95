import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../../src/resources/rbac/index.js';
import { as, GROUP, grant, outcome, roleRef, STEPPED, startStepped, userSubject } from '../../authorization/server.js';
import { cpuTime } from '../../support/cpu-time.js';
import { suiteServer } from '../../support/servers.js';

const WRITE = ['create', 'update', 'patch', 'get', 'delete'];
const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
const maps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
const namespace = 'default';

describe('a user cannot grant missing permissions', () => {
  const server = suiteServer(STEPPED);
  let mallory: Client;
  beforeAll(async () => {
    const writing = {
      apiGroups: [GROUP],
      resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
      verbs: WRITE,
    };
    await grant(server, 'mallory', [writing, maps]);
    mallory = as(server, 'mallory', 'system:authenticated');
    const admin = server.client();
    await admin.create(role, { metadata: { name: 'small', namespace }, rules: [maps] });
    await admin.create(role, { metadata: { name: 'mighty', namespace }, rules: [everything] });
    await admin.create(roleBinding, { metadata: { name: 'mighty', namespace }, roleRef: roleRef('Role', 'mighty') });
    await admin.create(clusterRoleBinding, {
      metadata: { name: 'idle' },
      roleRef: roleRef('ClusterRole', 'cluster-admin'),
    });
  });

  const attacks: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['by a new role', () => mallory.create(role, { metadata: { name: 'a', namespace }, rules: [secrets] })],
    ['by a new cluster role', () => mallory.create(clusterRole, { metadata: { name: 'a' }, rules: [secrets] })],
    [
      'by a PUT that creates a role',
      () =>
        mallory.replace(role, {
          apiVersion: `${GROUP}/v1`,
          kind: 'Role',
          metadata: { name: 'b', namespace },
          rules: [secrets],
        } as never),
    ],
    [
      'by an apply that creates a role',
      () => mallory.apply(role, { metadata: { name: 'b', namespace }, rules: [secrets] } as never),
    ],
    ['by a merge patch of a role', () => mallory.patch(role, 'small', { rules: [secrets] }, { namespace })],
    [
      'by a JSON patch of a role',
      () =>
        mallory.patch(role, 'small', [{ op: 'replace', path: '/rules/0/resources', value: ['secrets'] }], {
          namespace,
          type: 'json',
        }),
    ],
    [
      'by a strategic merge patch of a role',
      () => mallory.patch(role, 'small', { rules: [secrets] }, { namespace, type: 'strategic' }),
    ],
    [
      'by a forced apply of a role',
      () => mallory.apply(role, { metadata: { name: 'small', namespace }, rules: [secrets] } as never, { force: true }),
    ],
    [
      'by a dry run of a new role',
      () => mallory.create(role, { metadata: { name: 'a', namespace }, rules: [secrets] }, { dryRun: true }),
    ],
    [
      'by a verb in capital letters',
      () => mallory.create(role, { metadata: { name: 'a', namespace }, rules: [{ ...maps, verbs: ['GET'] }] }),
    ],
    [
      'by a wildcard beside a resource of their own',
      () =>
        mallory.create(role, {
          metadata: { name: 'a', namespace },
          rules: [{ ...maps, resources: ['configmaps', '*'] }],
        }),
    ],
    [
      'by a subresource of a resource of their own',
      () =>
        mallory.create(role, {
          metadata: { name: 'a', namespace },
          rules: [{ ...maps, resources: ['configmaps/status'] }],
        }),
    ],
    [
      'by a label on a role with more permissions',
      () => mallory.patch(role, 'mighty', { metadata: { labels: { a: 'b' } } }, { namespace }),
    ],
    [
      'by reducing a role to permissions that they lack',
      () => mallory.patch(role, 'mighty', { rules: [secrets] }, { namespace }),
    ],
    [
      'by a binding of themselves to another role',
      () =>
        mallory.create(roleBinding, {
          metadata: { name: 'c', namespace },
          subjects: [userSubject('mallory')],
          roleRef: roleRef('Role', 'mighty'),
        }),
    ],
    [
      'by a binding of themselves to cluster-admin',
      () =>
        mallory.create(clusterRoleBinding, {
          metadata: { name: 'c' },
          subjects: [userSubject('mallory')],
          roleRef: roleRef('ClusterRole', 'cluster-admin'),
        }),
    ],
    [
      'by adding themselves to a binding',
      () => mallory.patch(clusterRoleBinding, 'idle', { subjects: [userSubject('mallory')] }),
    ],
    [
      'by adding themselves to a binding with a JSON patch',
      () =>
        mallory.patch(roleBinding, 'mighty', [{ op: 'add', path: '/subjects', value: [userSubject('mallory')] }], {
          namespace,
          type: 'json',
        }),
    ],
    [
      'by adding themselves to a binding with an apply',
      () =>
        mallory.apply(
          clusterRoleBinding,
          {
            metadata: { name: 'idle' },
            subjects: [userSubject('mallory')],
            roleRef: roleRef('ClusterRole', 'cluster-admin'),
          } as never,
          { force: true },
        ),
    ],
    [
      'by a PUT that creates a binding',
      () =>
        mallory.replace(clusterRoleBinding, {
          apiVersion: `${GROUP}/v1`,
          kind: 'ClusterRoleBinding',
          metadata: { name: 'd' },
          subjects: [userSubject('mallory')],
          roleRef: roleRef('ClusterRole', 'cluster-admin'),
        } as never),
    ],
    [
      'by a role that aggregates all roles',
      () =>
        mallory.create(clusterRole, {
          metadata: { name: 'e' },
          rules: [],
          aggregationRule: { clusterRoleSelectors: [{}] },
        }),
    ],
    [
      'by a role that is aggregated to another',
      () =>
        mallory.create(clusterRole, {
          metadata: { name: 'e', labels: { [`${GROUP}/aggregate-to-view`]: 'true' } },
          rules: [secrets],
        }),
    ],
    [
      'by a label that aggregates a role to another',
      () =>
        mallory.patch(clusterRole, 'system:aggregate-to-edit', {
          metadata: { labels: { [`${GROUP}/aggregate-to-view`]: 'true' } },
        }),
    ],
    ['by removing the aggregation rule of a role', () => mallory.patch(clusterRole, 'view', { aggregationRule: null })],
    [
      'by a role with very many permissions',
      () =>
        mallory.create(role, {
          metadata: { name: 'f', namespace },
          rules: [{ verbs: many, apiGroups: many, resources: many }],
        }),
    ],
  ];
  const many = Array.from({ length: 1000 }, (_, index) => `x${index}`);

  it.each(attacks)('%s', async (_name, attack) => {
    const started = cpuTime();
    expect(await outcome(attack())).toMatchObject({ code: 403 });
    expect(cpuTime() - started).toBeLessThan(10_000);
    expect(
      await server.explainDecision({ username: 'mallory' }, { verb: 'get', resource: 'secrets', namespace }),
    ).toMatchObject({
      decision: 'NoOpinion',
    });
  });

  it('and the error names the missing ones', async () => {
    const rules = [{ apiGroups: ['', 'batch'], resources: ['pods', 'configmaps'], verbs: ['list', 'get'] }];
    expect(await outcome(mallory.create(role, { metadata: { name: 'a', namespace }, rules }))).toEqual({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "a" is forbidden: user "mallory" (groups=["system:authenticated"]) is attempting to grant ' +
        'RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["list" "get"]}\n' +
        '{APIGroups:["batch"], Resources:["configmaps"], Verbs:["list" "get"]}\n' +
        '{APIGroups:["batch"], Resources:["pods"], Verbs:["list" "get"]}',
    });
  });

  it('and the error names absent roles that bindings refer to', async () => {
    for (const name of ['absent-1', 'absent-2'])
      await server.client().create(roleBinding, {
        metadata: { name, namespace },
        roleRef: roleRef('Role', name),
        subjects: [userSubject('mallory')],
      });
    const refused = await outcome(mallory.create(role, { metadata: { name: 'a', namespace }, rules: [secrets] }));
    for (const name of ['absent-1', 'absent-2']) await server.client().delete(roleBinding, name, { namespace });
    expect(refused).toMatchObject({
      message: expect.stringContaining(
        `; resolution errors: [[role.${GROUP} "absent-1" not found, role.${GROUP} "absent-2" not found]]`,
      ),
    });
  });

  it('but can grant what he has, and the garbage collector may write', async () => {
    expect(
      await outcome(
        mallory.create(role, { metadata: { name: 'ok', namespace }, rules: [{ ...maps, resourceNames: ['x'] }] }),
      ),
    ).toMatchObject({ code: 200 });
    expect(
      await outcome(
        mallory.create(roleBinding, {
          metadata: { name: 'ok', namespace },
          subjects: [userSubject('x')],
          roleRef: roleRef('Role', 'small'),
        }),
      ),
    ).toMatchObject({ code: 200 });
    expect(
      await outcome(mallory.patch(role, 'mighty', { metadata: { finalizers: ['x.io/y'] } }, { namespace })),
    ).toMatchObject({ code: 200 });
    expect(
      await outcome(mallory.patch(role, 'mighty', { metadata: { finalizers: null } }, { namespace })),
    ).toMatchObject({ code: 200 });
  });

  it('unless he may escalate or bind, by name if the URL has a name', async () => {
    const boss = { apiGroups: [GROUP], resources: ['roles'], verbs: WRITE };
    await grant(server, 'boss', [boss, { ...boss, verbs: ['escalate'], resourceNames: ['special'] }]);
    const client = as(server, 'boss');
    const special = { metadata: { name: 'special', namespace }, rules: [secrets] };
    expect(await outcome(client.create(role, special))).toMatchObject({ code: 403 });
    expect(await outcome(client.apply(role, special))).toMatchObject({ code: 200 });
    await grant(server, 'binder', [
      { apiGroups: [GROUP], resources: ['clusterrolebindings'], verbs: WRITE },
      { apiGroups: [GROUP], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['missing'] },
    ]);
    const binding = (name: string) => ({
      metadata: { name },
      subjects: [userSubject('x')],
      roleRef: roleRef('ClusterRole', name),
    });
    expect(await outcome(as(server, 'binder').create(clusterRoleBinding, binding('missing')))).toMatchObject({
      code: 200,
    });
    expect(await outcome(as(server, 'binder').create(clusterRoleBinding, binding('view')))).toMatchObject({
      code: 403,
    });
    expect(await outcome(as(server, 'binder').create(clusterRoleBinding, binding('nothing')))).toEqual({
      code: 404,
      message: 'clusterroles.rbac.authorization.k8s.io "nothing" not found',
    });
  });

  it('also with other plug-ins', async () => {
    const bare = await startStepped({ admission: [] });
    await grant(bare, 'mallory', [{ apiGroups: [GROUP], resources: ['clusterroles'], verbs: WRITE }]);
    expect(
      await outcome(as(bare, 'mallory').create(clusterRole, { metadata: { name: 'a' }, rules: [secrets] })),
    ).toMatchObject({ code: 403 });
    await bare.close();
  });
});

describe('names that resemble those of other users', () => {
  it('are compared exactly', async () => {
    const server = await startStepped();
    await grant(server, 'alice', [secrets]);
    await grant(server, 'system:serviceaccount:default:robot', [secrets]);
    await server.client().create(clusterRoleBinding, {
      metadata: { name: 'team' },
      subjects: [{ kind: 'Group', apiGroup: GROUP, name: 'team' }],
      roleRef: roleRef('ClusterRole', 'grant-alice'),
    });
    const may = async (username: string, ...groups: string[]) =>
      (await server.explainDecision({ username, groups }, { verb: 'get', resource: 'secrets', namespace: 'default' }))
        .decision === 'Allow';
    expect(await may('alice')).toBe(true);
    expect(await may('x', 'team')).toBe(true);
    const others = [
      'Alice',
      'ALICE',
      'alice ',
      ' alice',
      'alice\0',
      'аlice',
      'team',
      'group:team',
      'user:alice',
      '__proto__',
      'system:serviceaccount:Default:robot',
    ];
    for (const name of others) expect(await may(name), name).toBe(false);
    for (const group of ['alice', 'Team', 'team/', 'user:alice', 'system:masters ', 'SYSTEM:MASTERS', ''])
      expect(await may('x', group), group).toBe(false);
    await server.close();
  });
});
