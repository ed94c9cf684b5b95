import { abac } from '../../../src/authorization/abac.js';
import { urlCovers } from '../../../src/authorization/path-patterns.js';
import { node } from '../../../src/plugins/nodes/node-authorizer.js';
import { CALLERS_LIMITS, uncoveredPermissions } from '../../../src/plugins/rbac/covers.js';
import { rbac } from '../../../src/plugins/rbac/rbac.js';
import { escalationProblem } from '../../../src/plugins/rbac/rbac-escalation.js';
import { attributesWith } from '../../authorization/upstream-data.js';
import { rbacObjects } from '../../plugins/rbac/rbac-objects.js';
import { hostWith } from '../../support/hosts.js';
import { type GrowthRow, numbers } from './measure.js';

const rulesOf = (n: number, rule: (i: number) => object) =>
  numbers(n).map((i) => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'], ...rule(i) }));
const user = { username: 'eve', groups: ['dev'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };

/** A row that compares the rules that a user holds with the rules that the user grants. */
const handing = (
  name: string,
  n: number,
  owned: (n: number) => object[],
  wanted: (n: number) => object[],
): GrowthRow => ({
  name: `handing out ${name}`,
  n,
  prepare: (size) => {
    const [held, asked] = [owned(size), wanted(size)] as never[];
    return () => {
      escalationProblem(user, { rules: held ?? [], errors: [] }, asked ?? []);
    };
  },
});
const resources = (n: number) => rulesOf(n, (i) => ({ resources: [`r${i}`] }));
const names = (n: number) => rulesOf(n, (i) => ({ resourceNames: [`n${i}`] }));
const urls = (n: number) => numbers(n).map((i) => ({ verbs: ['get'], nonResourceURLs: [`/u${i}/*`] }));
/** Rules that each combine into very many single permissions. */
const wide = (n: number) =>
  rulesOf(n, (i) => ({
    verbs: numbers(8).map((v) => `v${v}`),
    apiGroups: numbers(8).map((g) => `g${g}`),
    resources: ['pods', ...numbers(8).map((r) => `r${r}`)],
    resourceNames: [`n${i}`],
  }));

export const rows: readonly GrowthRow[] = [
  handing('many rules that many rules cover', 500, resources, resources),
  handing('many rules about one resource', 500, names, names),
  handing(
    'one rule of many resources',
    10_000,
    () => resources(500),
    (n) => rulesOf(1, () => ({ resources: numbers(n).map((i) => `r${i % 500}`) })),
  ),
  handing('many rules of many that are not held', 2_000, resources, (n) =>
    rulesOf(n, (i) => ({ resources: [`x${i}`] })),
  ),
  handing('many paths', 300, urls, urls),
  handing('many rules against rules that multiply', 500, wide, (n) =>
    rulesOf(n, (i) => ({ apiGroups: ['g1'], verbs: ['v1'], resourceNames: [`x${i}`] })),
  ),
  {
    name: 'comparing gives up in time',
    n: 5_000,
    prepare: (n) => {
      const [owned, wanted] = [wide(n), rulesOf(n, (i) => ({ resourceNames: [`x${i}`] }))] as never[];
      return () => {
        uncoveredPermissions(owned ?? [], wanted ?? [], CALLERS_LIMITS);
      };
    },
  },
  {
    name: 'all rules of a user with a long role',
    n: 50_000,
    prepare: (n) => {
      const host = hostWith(
        rbacObjects({
          clusterRoles: [{ metadata: { name: 'r' }, rules: resources(n) }],
          clusterRoleBindings: [{ subjects: [{ kind: 'User', name: 'eve' }], roleRef }],
        }),
      );
      const authorizer = rbac()(host);
      return () => authorizer.rulesFor?.(user, 'ns');
    },
  },
  {
    name: 'a binding of many subjects and a user of many groups',
    n: 5_000,
    prepare: (n) => {
      const host = hostWith(
        rbacObjects({
          clusterRoles: [{ metadata: { name: 'r' }, rules: resources(1) }],
          clusterRoleBindings: [
            {
              subjects: [...numbers(n).map((i) => ({ kind: 'Group', name: `s${i}` })), { kind: 'User', name: 'eve' }],
              roleRef,
            },
          ],
        }),
      );
      // The index of the fake host would search all objects, so this one replaces it: only the search of subjects is measured.
      const lister = (group: string, resource: string) => {
        const inner = host.lister(group, resource);
        return { ...inner, byIndex: (_keys: unknown, key: string) => (key === 'user:eve' ? inner.list() : []) };
      };
      const authorizer = rbac()({ ...host, lister } as never);
      const attributes = attributesWith({
        user: { username: 'eve', groups: numbers(n).map((i) => `g${i}`) },
        verb: 'get',
        resource: 'r0',
      });
      return () => authorizer.authorize(attributes);
    },
  },
  {
    name: 'a path of many asterisks',
    n: 100_000,
    prepare: (n) => {
      const url = `/${'*'.repeat(n)}a*`;
      return () => urlCovers(url, '/x');
    },
  },
  {
    name: 'a policy file of many lines',
    n: 3_000,
    prepare: (n) => {
      const line = (i: number) => JSON.stringify({ user: `u${i}`, resource: 'pods', namespace: 'x' });
      const text = numbers(n).map(line).join('\n');
      const attributes = attributesWith({ user, verb: 'get', resource: 'pods', namespace: 'x' });
      return () => {
        const authorizer = abac(text)(hostWith({}));
        for (let i = 0; i < n; i++) authorizer.authorize(attributes);
        return authorizer.rulesFor?.(user, 'x');
      };
    },
  },
  {
    name: 'a pod of many claims and their statuses',
    n: 5_000,
    prepare: (n) => {
      const all = numbers(n).map((i) => `c${i}`);
      const pod = {
        metadata: { namespace: 'ns', name: 'p' },
        spec: { nodeName: 'n1', resourceClaims: all.map((name) => ({ name, resourceClaimTemplateName: 't' })) },
        status: { resourceClaimStatuses: all.map((name) => ({ name, resourceClaimName: name })) },
      };
      const authorizer = node()(hostWith({ '/pods': [pod] }));
      const attributes = attributesWith({
        user: { username: 'system:node:n1', groups: ['system:nodes'] },
        verb: 'get',
        group: 'resource.k8s.io',
        resource: 'resourceclaims',
        namespace: 'ns',
        name: 'c1',
      });
      return () => authorizer.authorize(attributes);
    },
  },
];
