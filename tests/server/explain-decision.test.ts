import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { abac } from '../../src/authorization/abac.js';
import { clusterRoleBinding, role, roleBinding } from '../../src/resources/rbac/index.js';
import { startServer, suiteServer } from '../support/servers.js';

const server = suiteServer();
const group = 'rbac.authorization.orch.io';
const eve = { username: 'eve', groups: ['system:authenticated'] };

beforeAll(async () => {
  const client = server.client();
  for (const namespace of ['default', 'kube-public']) {
    const rules = [
      { verbs: namespace === 'default' ? ['get'] : ['get', 'list'], apiGroups: [''], resources: ['pods'] },
    ];
    await client.create(role, { metadata: { name: 'reader' }, rules }, { namespace });
    const roleRef = { apiGroup: group, kind: 'Role', name: 'reader' };
    const subjects = [{ apiGroup: group, kind: 'User', name: 'eve' }];
    await client.create(roleBinding, { metadata: { name: 'eve-reads' }, roleRef, subjects }, { namespace });
  }
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'absent' };
  const subjects = [{ apiGroup: group, kind: 'User', name: 'eve' }];
  await client.create(clusterRoleBinding, { metadata: { name: 'dangling' }, roleRef, subjects });
});

const rbacOpinion = async (question: Parameters<ApiServer['explainDecision']>[1]) => {
  const refusal = await server.explainDecision(eve, question);
  if (refusal.decision === 'Allow') throw new Error('allowed');
  expect(refusal.opinions.map(({ authorizer }) => authorizer)).toEqual(['privileged-groups', 'node', 'rbac']);
  return { message: refusal.message, ...refusal.opinions[2] };
};

describe('the explanation of a refusal', () => {
  it('names the bindings of the user, the closest rules, and what would allow the request', async () => {
    const { message, lookedAt, nearest } = await rbacOpinion({ verb: 'list', resource: 'pods', namespace: 'default' });
    expect(message).toContain('User "eve" cannot list resource "pods" in API group "" in the namespace "default"');
    expect(lookedAt).toContain('RoleBinding "eve-reads/default" of Role "reader"');
    expect(lookedAt).toContain('ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery"');
    expect(lookedAt).toContain('clusterrole.rbac.authorization.orch.io "absent" not found');
    expect(nearest?.slice(0, 3)).toEqual([
      'RoleBinding "eve-reads/kube-public" allows it, but in the namespace "kube-public" only',
      expect.stringMatching(/^roles that allow it, not bound to the user here: \["admin" .*"view"/),
      'RoleBinding "eve-reads/default" of Role "reader": {APIGroups:[""], Resources:["pods"], Verbs:["get"]} does not name verb "list"',
    ]);
  });

  it('refuses an attribute that does not exist', async () => {
    const question = { verb: 'list', resources: 'pods' } as { verb: string };
    const error = new TypeError('explainDecision: there is no option resources; did you mean "resource"?');
    await expect(server.explainDecision(eve, question)).rejects.toThrow(error);
  });

  it('is available for non-resource paths', async () => {
    const { message, nearest } = await rbacOpinion({ verb: 'get', path: '/metrics' });
    expect(message).toContain('forbidden: User "eve" cannot get path "/metrics"');
    expect(nearest).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ClusterRoleBinding "system:\S+" of .* does not name path "\/metrics"$/),
      ]),
    );
  });

  it('names the authorizer that denied, and none that was not called', async () => {
    const line = JSON.stringify({
      apiVersion: 'abac.authorization.orch.io/v1beta1',
      kind: 'Policy',
      spec: { user: 'eve', namespace: 'default', resource: 'pods', apiGroup: '' },
    });
    const denier = () => ({ name: 'denier', authorize: () => ({ decision: 'Deny' as const, reason: 'not today' }) });
    await using other = await startServer({ authorization: (defaults) => [abac(line), denier, ...defaults] });
    expect(await other.explainDecision(eve, { verb: 'get', resource: 'secrets', namespace: 'default' })).toMatchObject({
      decision: 'Deny',
      authorizer: 'denier',
      message: expect.stringMatching(/: not today$/),
      opinions: [
        { authorizer: 'privileged-groups', decision: 'NoOpinion' },
        { authorizer: 'abac', lookedAt: ['{"user":"eve","resource":"pods","namespace":"default"}'] },
        { authorizer: 'denier', decision: 'Deny', reason: 'not today' },
      ],
    });
  });
});

it('requires a user and a verb', async () => {
  await expect(server.explainDecision('eve' as never, { verb: 'get', resource: 'pods' })).rejects.toThrow(
    'a user must be an object with a username',
  );
  await expect(server.explainDecision(eve, { resource: 'pods' } as never)).rejects.toThrow(
    'the request must have a verb',
  );
});
