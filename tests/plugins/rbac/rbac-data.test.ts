import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../../src/authorization/authorizer.js';
import { urlCovers } from '../../../src/authorization/path-patterns.js';
import { uncoveredPermissions } from '../../../src/plugins/rbac/covers.js';
import { compactRules } from '../../../src/plugins/rbac/describe-rules.js';
import { rbac } from '../../../src/plugins/rbac/rbac.js';
import { findAllowingRule, ruleAllows } from '../../../src/plugins/rbac/rule-matching.js';
import { ruleResolver, subjectFor } from '../../../src/plugins/rbac/rule-resolver.js';
import type { RoleBinding } from '../../../src/resources/rbac/rbac-v1.types.js';
import { attributesOf, attributesWith, type Case, userOf } from '../../authorization/upstream-data.js';
import { hostWith } from '../../support/hosts.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';
import { rbacObjects } from './rbac-objects.js';

const data = readShared('data/authz-rbac/rbac-cases.json');
const names = (list: readonly Case[]): [string, Case][] =>
  list.map((each, index) => [each.name ?? each.testCase ?? String(index), each]);

/** Old rules of upstream mix resources and paths, which cannot be written any more. */
const withNames = (list: readonly object[] = []) =>
  list.map((each, index) => ({
    ...each,
    metadata: { name: String(index), ...(each as { metadata?: object }).metadata },
  }));

describe.skipIf(!hasSharedData)("RBAC: the upstream's tables", () => {
  it.each([0, 1, 2, 3])('authorizer %i', async (index) => {
    const {
      clusterRoles,
      roles,
      roleBindings,
      clusterRoleBindings,
      shouldPass = [],
      shouldFail = [],
    } = data.authorizer[index];
    const authorizer = rbac()(
      hostWith(
        rbacObjects({
          clusterRoles,
          roles,
          roleBindings: withNames(roleBindings),
          clusterRoleBindings: withNames(clusterRoleBindings),
        }),
      ),
    );
    const decide = async (given: Record<string, unknown>) => {
      const user =
        typeof given['user'] === 'string'
          ? { username: given['user'], groups: String(given['groups']).split(',') }
          : userOf((given['User'] ?? {}) as object);
      return (await authorizer.authorize({ ...attributesOf(given), user })).decision;
    };
    for (const given of shouldPass) expect(await decide(given), JSON.stringify(given)).toBe('Allow');
    for (const given of shouldFail) expect(await decide(given), JSON.stringify(given)).toBe('NoOpinion');
  });

  it.each(names(data?.ruleMatches ?? []))('rule: %s', (_name, { rule, requests }: Case) => {
    for (const { request, allowed } of requests as readonly { request: Record<string, unknown>; allowed: boolean }[]) {
      expect(ruleAllows(rule, attributesOf(request)), JSON.stringify(request)).toBe(allowed);
      const role = { apiVersion: '', kind: '', metadata: { creationTimestamp: null }, rules: [rule] };
      expect(findAllowingRule(role, attributesOf(request)) !== undefined).toBe(allowed);
    }
  });

  it.each(names(data?.TestResourceMatches ?? []))('resource: %s', (_name, given: Case) => {
    const { ruleResources, combinedRequestedResource, requestedSubresource = '', expected } = given;
    const resource = combinedRequestedResource.replace(
      requestedSubresource === '' ? '' : `/${requestedSubresource}`,
      '',
    );
    const rule: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ruleResources };
    expect(ruleAllows(rule, attributesWith({ resource, subresource: requestedSubresource }))).toBe(expected);
  });

  it.each(names(data?.appliesTo ?? []))('subject: %s', (_name, given: Case) => {
    const {
      subjects,
      user,
      namespace = '',
      appliesTo,
      index,
    } = given as {
      subjects: RoleBinding['subjects'];
      user: object;
      namespace?: string;
      appliesTo: boolean;
      index?: number;
    };
    const binding = { metadata: { namespace }, subjects } as RoleBinding;
    expect(subjectFor(binding, userOf(user), namespace)).toBe(appliesTo ? subjects?.[index ?? 0] : undefined);
  });

  it.each([0, 1, 2, 3])('rules of a user %i', (index) => {
    const { staticRoles, user, namespace = '', effectiveRules } = data.ruleResolver[index];
    const meta = (list: readonly { objectMeta?: object }[] = []) =>
      withNames(list.map((each) => ({ ...each, metadata: each.objectMeta ?? {} })));
    const objects = rbacObjects({
      roles: meta(staticRoles.roles),
      clusterRoles: meta(staticRoles.clusterRoles),
      roleBindings: meta(staticRoles.roleBindings),
      clusterRoleBindings: meta(staticRoles.clusterRoleBindings),
    });
    expect(ruleResolver(hostWith(objects)).rulesFor(userOf(user), namespace).rules).toEqual(effectiveRules ?? []);
  });

  it.each(names(data?.covers ?? []))('%s', (_name, { ownerRules, servantRules, expectedUncoveredRules }: Case) => {
    expect(uncoveredPermissions(ownerRules, servantRules)).toEqual(expectedUncoveredRules);
  });

  it('paths', () => {
    for (const { owner, requested, want } of data.nonResourceURLCovers)
      expect(urlCovers(owner, requested), `${owner} ${requested}`).toBe(want);
  });

  it('compact rules', () => {
    for (const [name, { rules, expected }] of Object.entries<{ rules: PolicyRule[]; expected: PolicyRule[] }>(
      data.compactRules,
    )) {
      const text = (list: readonly PolicyRule[]) => list.map((rule) => JSON.stringify(rule)).sort();
      const plain = (list: readonly PolicyRule[]) => list.map((rule) => ({ ...rule, verbs: rule.verbs ?? [] }));
      expect(text(compactRules(rules)), name).toEqual(text(plain(expected)));
    }
  });
});
