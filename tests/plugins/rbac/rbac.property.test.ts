import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuthorizationAttributes, PolicyRule } from '../../../src/authorization/authorizer.js';
import { atomsOf, uncoveredPermissions } from '../../../src/plugins/rbac/covers.js';
import { rbac } from '../../../src/plugins/rbac/rbac.js';
import { ruleAllows } from '../../../src/plugins/rbac/rule-matching.js';
import type { Role, RoleBinding, Subject } from '../../../src/resources/rbac/rbac-v1.types.js';
import { attributesWith } from '../../authorization/upstream-data.js';
import { hostWith } from '../../support/hosts.js';
import { propertyRuns } from '../../support/property-runs.js';
import { rbacObjects } from './rbac-objects.js';

// There are few names, so that rules match often; some names resemble others.
const word = (...words: string[]) => fc.constantFrom(...words);
const some = (one: fc.Arbitrary<string>) => fc.uniqueArray(one, { minLength: 1, maxLength: 3 });
const verb = word('get', 'list', 'create', '*', 'GET');
const group = word('', 'apps', '*');
const resource = word('pods', 'pods/log', '*', '*/log', 'pods/*', 'nodes', '');
const url = word('/a', '/a/*', '*', '/a/b', '/*', '/A', '');
const objectName = word('x', 'y', '*', '');
const namespace = word('n', 'm', 'n/user:alice');
const userName = word('alice', 'bob', 'dev', 'system:serviceaccount:n:robot', 'group:dev', 'm/user:bob');
const groupName = word('dev', 'ops', 'alice', 'user:alice', '');

const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({
    verbs: some(verb),
    apiGroups: some(group),
    resources: some(resource),
    resourceNames: fc.oneof(fc.constant([]), some(objectName)),
  }),
  fc.record({ verbs: some(verb), nonResourceURLs: some(url) }),
);
const subject: fc.Arbitrary<Subject> = fc.oneof(
  userName.map((name) => ({ kind: 'User', name })),
  groupName.map((name) => ({ kind: 'Group', name })),
  fc.record({ kind: fc.constant('ServiceAccount'), name: word('robot', 'default'), namespace: word('n', 'm', '') }),
);
const rules = fc.array(rule, { maxLength: 3 });
const roleName = word('r', 's', 'gone');
const role = fc.record({ name: word('r', 's'), namespace: word('n', 'm'), rules });
const binding = fc.record({
  name: word('b', 'c', 'd'),
  namespace: word('n', 'm'),
  subjects: fc.array(subject, { maxLength: 3 }),
  kind: word('Role', 'ClusterRole'),
  roleName,
});

const policy = fc.record({
  roles: fc.uniqueArray(role, { maxLength: 3, selector: ({ name, namespace }) => `${namespace}/${name}` }),
  clusterRoles: fc.uniqueArray(fc.record({ name: word('r', 's'), rules }), {
    maxLength: 2,
    selector: ({ name }) => name,
  }),
  roleBindings: fc.uniqueArray(binding, { maxLength: 4, selector: ({ name, namespace }) => `${namespace}/${name}` }),
  clusterRoleBindings: fc.uniqueArray(
    binding.map((each) => ({ ...each, kind: 'ClusterRole', namespace: '' })),
    { maxLength: 3, selector: ({ name }) => name },
  ),
});
type Policy = typeof policy extends fc.Arbitrary<infer T> ? T : never;

const request: fc.Arbitrary<AuthorizationAttributes> = fc
  .record({
    user: fc.record({ username: userName, groups: fc.uniqueArray(groupName, { maxLength: 3 }) }),
    verb,
    resourceRequest: fc.boolean(),
    group,
    resource: word('pods', 'nodes', '*', ''),
    subresource: word('', 'log', '*'),
    namespace: fc.oneof(namespace, fc.constant('')),
    name: objectName,
    path: word('/a', '/a/', '/a/b', '/', '/ab', '/A'),
  })
  .map(attributesWith);

const metadata = ({ name, namespace }: { name: string; namespace?: string }) => ({
  creationTimestamp: null,
  name,
  ...(namespace ? { namespace } : {}),
});
const bindingObject = (each: Policy['roleBindings'][number]): RoleBinding => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: metadata(each),
  subjects: each.subjects,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: each.kind, name: each.roleName },
});
const roleObject = (each: { name: string; namespace?: string; rules: readonly PolicyRule[] }): Role => ({
  apiVersion: 'v1',
  kind: 'Role',
  metadata: metadata(each),
  rules: each.rules,
});

const hasOrAll = (list: readonly string[] = [], value: string) => list.some((each) => each === value || each === '*');

/** Implements the specification directly: binding by binding, subject by subject, rule by rule. */
function naive(given: Policy, attributes: AuthorizationAttributes): boolean {
  const { user } = attributes;
  const inForce = [
    ...given.clusterRoleBindings.map((each) => ({ ...each, home: '' })),
    ...given.roleBindings
      .filter(
        (each) => attributes.resourceRequest && attributes.namespace !== '' && each.namespace === attributes.namespace,
      )
      .map((each) => ({ ...each, home: each.namespace })),
  ];
  return inForce.some(({ subjects, kind, roleName, home }) => {
    const meant = subjects.some((one) => {
      if (one.kind === 'User') return one.name === user.username;
      if (one.kind === 'Group') return (user.groups ?? []).some((each) => each === one.name);
      const place = one.namespace || home;
      return place !== '' && user.username === ['system', 'serviceaccount', place, one.name].join(':');
    });
    const granted =
      kind === 'Role'
        ? given.roles.filter((each) => each.name === roleName && each.namespace === home)
        : given.clusterRoles.filter((each) => each.name === roleName);
    return meant && granted.some((each) => each.rules.some((one) => naiveRule(one, attributes)));
  });
}

function naiveRule(
  one: PolicyRule,
  { verb, resourceRequest, group, resource, subresource, name, path }: AuthorizationAttributes,
): boolean {
  if (!hasOrAll(one.verbs, verb)) return false;
  if (!resourceRequest)
    return (one.nonResourceURLs ?? []).some(
      (own) => own === path || (own.endsWith('*') && path.startsWith(own.slice(0, -1))),
    );
  const whole = subresource ? `${resource}/${subresource}` : resource;
  const fits = (own: string) => own === '*' || own === whole || (subresource !== '' && own === `*/${subresource}`);
  const names = one.resourceNames ?? [];
  return (
    hasOrAll(one.apiGroups, group) && (one.resources ?? []).some(fits) && (names.length === 0 || names.includes(name))
  );
}

describe('RBAC, any roles and requests', () => {
  it('the index finds what a search of all bindings finds', () => {
    fc.assert(
      fc.property(policy, fc.array(request, { minLength: 1, maxLength: 8 }), (given, requests) => {
        const authorizer = rbac()(
          hostWith(
            rbacObjects({
              roles: given.roles.map(roleObject),
              clusterRoles: given.clusterRoles.map(roleObject),
              roleBindings: given.roleBindings.map(bindingObject),
              clusterRoleBindings: given.clusterRoleBindings.map(bindingObject),
            }),
          ),
        );
        for (const attributes of requests) {
          const decision = authorizer.authorize(attributes);
          expect(decision).toMatchObject({ decision: naive(given, attributes) ? 'Allow' : 'NoOpinion' });
        }
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  it('covered rules allow nothing that the covering rules do not', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 3 }),
        fc.array(rule, { maxLength: 2 }),
        request,
        (owned, wanted, attributes) => {
          fc.pre(uncoveredPermissions(owned, wanted).length === 0);
          const allowed = wanted.some((each) => ruleAllows(each, attributes));
          if (allowed) expect(owned.some((each) => ruleAllows(each, attributes))).toBe(true);
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('a rule is covered by the list of its single permissions', () => {
    fc.assert(
      fc.property(rule, (each) => {
        expect(uncoveredPermissions([...atomsOf(each)], [each])).toEqual([]);
      }),
    );
  });
});
