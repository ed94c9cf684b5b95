import { bob, type Client, type Product, range } from './measure.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const LARGEST_ROLE = 9000;

const bobsBinding = (kind: string, name: string) => ({
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind, name },
  subjects: [{ apiGroup: GROUP, kind: 'User', name: 'bob' }],
});

/** Gives bob roles of the namespace with `count` rules each, of their own names. */
async function bindRoles(client: Client, roles: number, count: number): Promise<void> {
  for (let i = 0; i < roles; i++) {
    await client.create(`${RBAC}/namespaces/default/roles`, {
      metadata: { name: `r${i}` },
      rules: ruleList(count, `t${i}-`),
    });
    await client.create(`${RBAC}/namespaces/default/rolebindings`, bobsBinding('Role', `r${i}`));
  }
}

const ruleList = (count: number, tag: string) =>
  range(count, (i) => ({ apiGroups: [''], resources: ['pods'], resourceNames: [`${tag}${i}`], verbs: ['get'] }));

async function mayMakeRoles(client: Client): Promise<void> {
  const rules = [{ apiGroups: [GROUP], resources: ['roles', 'rolebindings'], verbs: ['create'] }];
  await client.create(`${RBAC}/namespaces/default/roles`, { metadata: { name: 'maker' }, rules });
  await client.create(`${RBAC}/namespaces/default/rolebindings`, bobsBinding('Role', 'maker'));
}

export const products: readonly Product[] = [
  {
    name: 'roles of a user x rules: a rules review',
    small: [4, 500],
    largest: [20, LARGEST_ROLE],
    bounds: '50,000 rules and 4 MiB of an answer',
    status: 201,
    async prepare(client, a, b) {
      await bindRoles(client, a, b);
      return {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        body: { spec: { namespace: 'default' } },
        user: bob,
      };
    },
  },
  {
    name: 'bindings x rules of the one role that they name: a rules review',
    small: [50, 500],
    largest: [500, LARGEST_ROLE],
    bounds: 'a role counts once',
    status: 201,
    async prepare(client, a, b) {
      await client.create(`${RBAC}/namespaces/default/roles`, { metadata: { name: 'r' }, rules: ruleList(b, 't') });
      for (let i = 0; i < a; i++)
        await client.create(`${RBAC}/namespaces/default/rolebindings`, {
          ...bobsBinding('Role', 'r'),
          metadata: { name: `b${i}` },
        });
      return {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        body: { spec: { namespace: 'default' } },
        user: bob,
      };
    },
  },
  {
    name: 'roles of a user x rules: a request that is refused',
    small: [4, 500],
    largest: [40, LARGEST_ROLE],
    bounds: 'rules are found by resource and name',
    status: 403,
    async prepare(client, a, b) {
      await bindRoles(client, a, b);
      return { path: '/api/v1/namespaces/default/pods/x', user: bob };
    },
  },
  {
    name: 'rules that a user holds x rules of a role that he makes',
    small: [2, 500],
    largest: [5, LARGEST_ROLE],
    bounds: '50,000 rules held, 500,000 steps of a comparison',
    status: 201,
    async prepare(client, a, b) {
      await mayMakeRoles(client);
      await bindRoles(client, a, b);
      const body = { metadata: { name: 'mine' }, rules: ruleList(b, `t${a - 1}-`) };
      return { method: 'POST', path: `${RBAC}/namespaces/default/roles`, body, user: bob };
    },
  },
  {
    name: 'groups, resources and verbs of one rule that multiply',
    small: [20, 20],
    largest: [5000, 5000],
    bounds: '100,000 permissions of a comparison',
    status: 403,
    async prepare(client, a, b) {
      await mayMakeRoles(client);
      const rule = { apiGroups: range(a, (i) => `g${i}`), resources: range(b, (i) => `r${i}`), verbs: ['get', 'list'] };
      const body = { metadata: { name: 'mine' }, rules: [rule] };
      return { method: 'POST', path: `${RBAC}/namespaces/default/roles`, body, user: bob };
    },
  },
  {
    name: 'groups that are impersonated x rules that allow it',
    small: [500, 500],
    largest: [20_000, 4 * LARGEST_ROLE],
    bounds: 'rules are found by resource and name; a turn of 10 ms',
    status: 200,
    async prepare(client, a, b) {
      const roles = Math.ceil(b / LARGEST_ROLE);
      const rules = range(b, (i) => ({
        apiGroups: [''],
        resources: ['groups'],
        resourceNames: [`g${i}`],
        verbs: ['impersonate'],
      }));
      const users = { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] };
      for (let i = 0; i < roles; i++) {
        const own = rules.slice(i * LARGEST_ROLE, (i + 1) * LARGEST_ROLE);
        await client.create(`${RBAC}/clusterroles`, { metadata: { name: `r${i}` }, rules: [users, ...own] });
        await client.create(`${RBAC}/clusterrolebindings`, bobsBinding('ClusterRole', `r${i}`));
      }
      const groups = range(Math.min(a, b), (i) => `g${b - 1 - i}`);
      return { path: '/version', headers: { 'impersonate-user': 'x', 'impersonate-group': groups }, user: bob };
    },
  },
  {
    name: 'groups of a user x subjects of bindings',
    small: [500, 500],
    largest: [10_000, 10_000],
    bounds: 'bindings are found by subject',
    status: 403,
    async prepare(client, a, b) {
      for (let i = 0; i < 10; i++)
        await client.create(`${RBAC}/clusterrolebindings`, {
          metadata: { name: `b${i}` },
          roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'view' },
          subjects: range(b, (k) => ({ apiGroup: GROUP, kind: 'Group', name: `h${i}-${k}` })),
        });
      return { path: '/api/v1/pods', user: { username: 'bob', groups: range(a, (i) => `g${i}`) } };
    },
  },
];
