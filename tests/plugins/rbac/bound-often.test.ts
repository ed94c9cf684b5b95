import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { rbac } from '../../../src/plugins/rbac/rbac.js';
import { fetchFrom } from '../../support/ask.js';
import { hostWith } from '../../support/hosts.js';
import { object } from '../../support/objects.js';
import { startServer } from '../../support/servers.js';

const BINDINGS = 200;
const user = { username: 'bob', groups: ['system:authenticated'] };
const where = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

async function boundOften(): Promise<ApiServer> {
  const server = await startServer({ dialect: 'k8s' });
  const post = async (path: string, body: object) => {
    const user = { username: 'root', groups: ['system:masters'] };
    expect((await fetchFrom(server, `${where}/${path}`, { method: 'POST', body, user })).status).toBe(201);
  };
  const rules = Array.from({ length: 50 }, (_, i) => ({
    apiGroups: [''],
    resources: ['pods'],
    resourceNames: [`p${i}`],
    verbs: ['get'],
  }));
  await post('roles', { metadata: { name: 'large' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'large' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }];
  for (let i = 0; i < BINDINGS; i++) await post('rolebindings', { metadata: { name: `b${i}` }, roleRef, subjects });
  return server;
}

describe('a role that is bound to a user many times', () => {
  it('has its rules once in a rules review', async () => {
    await using server = await boundOften();
    const body = { spec: { namespace: 'default' } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    const { status } = (await (await fetchFrom(server, path, { method: 'POST', body, user })).json()) as {
      status: { resourceRules: { resourceNames?: string[] }[] };
    };
    expect(status.resourceRules.filter(({ resourceNames }) => resourceNames?.[0] === 'p7')).toHaveLength(1);
  });
});

describe('many large roles that are bound to a user', () => {
  const bound = (roles: number, rules: number, name: string) => {
    const rule = { apiGroups: [''], resources: ['pods'], resourceNames: [name], verbs: ['get'] };
    const names = Array.from({ length: roles }, (_, i) => `r${i}`);
    const meta = (n: string) => ({ name: n, namespace: 'default' });
    return rbac()(
      hostWith({
        'rbac.authorization.k8s.io/roles': names.map((n) =>
          object('Role', meta(n), { rules: Array.from({ length: rules }, () => rule) }),
        ),
        'rbac.authorization.k8s.io/rolebindings': names.map((n) =>
          object('RoleBinding', meta(n), {
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: n },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
          }),
        ),
      }),
    );
  };
  it.each([
    ['rules', 6, 9000, 'p', 45_000, 'more than 50000 rules'],
    ['characters', 5, 1000, 'p'.repeat(1000), 3_890, 'the rules have more than 4194304 characters'],
  ])('result in %s, so that a rules review says that it is incomplete', async (_, roles, rules, name, most, why) => {
    const {
      resourceRules = [],
      incomplete,
      error,
    } = (await bound(roles, rules, name).rulesFor?.(user, 'default')) ?? {};
    expect(resourceRules.length).toBeGreaterThan(most / 2);
    expect(resourceRules.length).toBeLessThanOrEqual(most);
    expect([incomplete, error?.message]).toEqual([true, why]);
  });
});
