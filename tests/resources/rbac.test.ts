import { describe, expect, it } from 'vitest';
import { orch } from '../../src/meta/dialect.js';
import { causeReason, type FieldError, fieldErrorBody } from '../../src/meta/field-error.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../src/resources/rbac/index.js';
import { goldenCauses, hasSharedData } from '../support/shared-data.js';
import { context, created, createErrors, readBody, row, updateErrors } from './steps.js';

const GROUP = 'rbac.authorization.k8s.io';
const good = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const named = (more: object) => ({ metadata: { name: 'x', namespace: 'n' }, ...more });
const rules = (...list: object[]) => named({ rules: list });
const view = { kind: 'ClusterRole', name: 'view', apiGroup: GROUP };
const binding = (roleRef: object | undefined, ...subjects: object[]) => named({ roleRef, subjects });

async function causes<T extends ApiObject>(definition: ResourceDefinition<T>, body: object) {
  const errors: readonly FieldError[] =
    (await definition.strategy?.validate?.(created(definition, body), context)) ?? [];
  return errors.map((error) => ({ reason: causeReason(error), message: fieldErrorBody(error), field: error.path }));
}

describe.skipIf(!hasSharedData)('recorded refusals (skipped where the records are absent)', () => {
  it.each<[string, object]>([
    ['a rule without verbs', rules({ apiGroups: [''], resources: ['pods'] })],
    ['an empty rule', rules({})],
    ['without groups', rules({ resources: ['pods'], verbs: ['get'] })],
    ['without resources', rules({ apiGroups: [''], verbs: ['get'] })],
    ['verbs alone', rules({ verbs: ['get'] })],
    ['a URL in a Role', rules({ nonResourceURLs: ['/x'], verbs: ['get'] })],
    ['the second rule is bad', rules(good, { verbs: [] })],
  ])('Role: %s', async (step, body) => {
    expect(await causes(role, body)).toEqual(goldenCauses('rbac/validation-roles', step));
  });

  const selecting = (...clusterRoleSelectors: object[]) => named({ aggregationRule: { clusterRoleSelectors } });
  it.each<[string, object]>([
    ['URLs and resources in one rule', rules({ nonResourceURLs: ['/x'], ...good })],
    ['URLs and names in one rule', rules({ nonResourceURLs: ['/x'], resourceNames: ['a'], verbs: ['get'] })],
    ['URLs without verbs', rules({ nonResourceURLs: ['/x'] })],
    ['an aggregation rule without selectors', named({ aggregationRule: {} })],
    ['an aggregation rule with a bad selector', selecting({ matchLabels: { 'a b': 'c' } })],
    ['an aggregation rule with a bad operator', selecting({ matchExpressions: [{ key: 'a', operator: 'Is' }] })],
    [
      'several faults at once',
      rules(
        { verbs: [] },
        { apiGroups: [''], verbs: ['get'] },
        { nonResourceURLs: ['/x'], apiGroups: [''], resources: ['a'], verbs: ['get'] },
      ),
    ],
  ])('ClusterRole: %s', async (step, body) => {
    expect(await causes(clusterRole, body)).toEqual(goldenCauses('rbac/validation-roles', step));
  });

  it.each<[string, object]>([
    ['no roleRef', binding(undefined)],
    ['another group of the role', binding({ ...view, apiGroup: 'apps' })],
    ['another kind of the role', binding({ ...view, kind: 'Group' })],
    ['no name of the role', binding({ kind: 'ClusterRole' })],
    ['a role name with a slash', binding({ ...view, name: 'a/b' })],
    ['a subject without a kind', binding(view, { name: 'x' })],
    ['a subject of an unknown kind', binding(view, { kind: 'Robot', name: 'x' })],
    ['a subject without a name', binding(view, { kind: 'User' })],
    ['a user of another group', binding(view, { kind: 'User', name: 'x', apiGroup: 'other' })],
    ['an account with a group', binding(view, { kind: 'ServiceAccount', name: 'x', apiGroup: GROUP })],
    ['an account with a bad name', binding(view, { kind: 'ServiceAccount', name: 'X_y', namespace: 'n' })],
    ['an account without a name', binding(view, { kind: 'ServiceAccount' })],
  ])('RoleBinding: %s', async (step, body) => {
    expect(await causes(roleBinding, body)).toEqual(goldenCauses('rbac/validation-bindings', step));
  });

  it.each<[string, object]>([
    ['a cluster binding to a Role', binding({ kind: 'Role', name: 'x' })],
    ['a cluster binding to nothing', binding(undefined)],
    ['a cluster binding of an account without a namespace', binding(view, { kind: 'ServiceAccount', name: 'x' })],
    ['a cluster binding of another group', binding({ ...view, apiGroup: 'x' })],
  ])('ClusterRoleBinding: %s', async (step, body) => {
    expect(await causes(clusterRoleBinding, body)).toEqual(goldenCauses('rbac/validation-bindings', step));
  });
});

describe('roles', () => {
  it.each([
    ['none', {}],
    ['an empty list', { rules: [] }],
  ])('store %s as null', (_, given) => {
    expect(created(role, named(given)).rules).toBeNull();
    expect(created(clusterRole, named(given)).rules).toBeNull();
  });
  it('report the errors of an update twice', async () => {
    const wrong = 'rules[0].verbs: Required value: verbs must contain at least one value';
    const [old, next] = [created(role, rules(good)), rules({ ...good, verbs: [] })];
    expect(await updateErrors(role, next, old)).toEqual([wrong, wrong]);
    expect(await updateErrors(clusterRole, next, created(clusterRole, rules(good)))).toEqual([wrong, wrong]);
  });
  it('have no columns of their own', () => {
    expect([role.columns, clusterRole.columns]).toEqual([undefined, undefined]);
  });
});

describe('bindings', () => {
  it('default the API group of roles, users and groups, in wire order', () => {
    const given = binding(
      { kind: 'ClusterRole', name: 'view', apiGroup: '' },
      { kind: 'User', name: 'u' },
      { kind: 'Group', name: 'g', apiGroup: '' },
      { kind: 'ServiceAccount', name: 's' },
      { kind: 'Robot', name: 'r' },
    );
    const { roleRef, subjects } = readBody(roleBinding, given);
    expect(JSON.stringify({ roleRef, subjects })).toBe(
      JSON.stringify({
        roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'view' },
        subjects: [
          { kind: 'User', apiGroup: GROUP, name: 'u' },
          { kind: 'Group', apiGroup: GROUP, name: 'g' },
          { kind: 'ServiceAccount', name: 's' },
          { kind: 'Robot', name: 'r' },
        ],
      }),
    );
  });
  it('have the names of the dialect', () => {
    const draft = structuredClone(readBody(roleBinding, binding({ kind: 'Role', name: 'x', apiGroup: '-' })));
    const open = { ...draft, roleRef: { ...draft.roleRef, apiGroup: '' } };
    roleBinding.setDefaults?.(open as Parameters<NonNullable<typeof roleBinding.setDefaults>>[0], orch);
    expect(open.roleRef.apiGroup).toBe('rbac.authorization.orch.io');
  });
  it.each([
    ['RoleBinding', roleBinding],
    ['ClusterRoleBinding', clusterRoleBinding],
  ] as const)('%s cannot change its role; other errors are reported twice', async (_, definition) => {
    const old = created(definition, binding(view));
    expect(await updateErrors(definition, binding({ ...view, name: 'zz' }, { kind: 'Robot', name: 'r' }), old)).toEqual(
      [
        'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
        'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
        `roleRef: Invalid value: rbac.RoleRef{APIGroup:"${GROUP}", Kind:"ClusterRole", Name:"zz"}: cannot change roleRef`,
      ],
    );
    expect(await updateErrors(definition, binding(view), old)).toEqual([]);
  });
  it('in a namespace may omit the namespace of a ServiceAccount', async () => {
    expect(await createErrors(roleBinding, binding(view, { kind: 'ServiceAccount', name: 's' }))).toEqual([]);
  });
  it('print role and subjects', () => {
    const made = created(
      roleBinding,
      binding(
        view,
        { kind: 'User', name: 'jane' },
        { kind: 'User', name: 'joe' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ),
    );
    const cells = ['x', 'ClusterRole/view', '<unknown>', 'jane, joe', 'devs', 'n/s'];
    expect(row(roleBinding, made, 0)).toEqual(cells.slice(0, 3));
    expect(row(roleBinding, made, 0, true)).toEqual(cells);
  });
});
