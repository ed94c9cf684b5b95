import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../../src/authorization/authorizer.js';
import { onlyInFirst, reconcileBinding, reconcileRole } from '../../../src/controllers/roles/default-roles.js';
import { k8s, orch } from '../../../src/meta/dialect.js';
import { type DefaultRole, defaultPolicy } from '../../../src/plugins/default-roles/default-policy.js';
import type { Case } from '../../authorization/upstream-data.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';

const policy = defaultPolicy(k8s);

describe('default policy', () => {
  it('has each name once', () => {
    for (const list of Object.values(policy)) {
      const names = list.map(({ metadata }: DefaultRole) => `${metadata.namespace ?? ''}/${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('binds only roles that exist', () => {
    const clusterRoles = new Set(policy.clusterRoles.map(({ metadata }) => metadata.name));
    for (const { roleRef } of policy.clusterRoleBindings) expect(clusterRoles).toContain(roleRef.name);
    const roles = new Set(policy.roles.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
    for (const { metadata, roleRef } of policy.roleBindings)
      expect(roles).toContain(`${metadata.namespace}/${roleRef.name}`);
  });

  it('does not contain trust bundles while their gate is off', () => {
    const without = JSON.stringify(defaultPolicy(k8s, { ClusterTrustBundle: false }));
    expect(without).not.toMatch(/trust-?bundle/i);
    expect(JSON.stringify(defaultPolicy(k8s, { ClusterTrustBundle: true }))).toBe(JSON.stringify(policy));
  });

  it('differs between the dialects only in names', () => {
    const other = JSON.stringify(defaultPolicy(orch));
    expect(other).not.toMatch(/k8s\.io|kubernetes\.io|kubelet/);
    expect(other).toContain('"system:certificates.orch.io:orch-apiserver-client-orchlet-approver"');
    const readers = defaultPolicy(orch).clusterRoleBindings.find(({ metadata }) =>
      metadata.name.includes('trust-bundle'),
    );
    expect(readers?.subjects).toEqual([
      { kind: 'Group', apiGroup: 'rbac.authorization.orch.io', name: 'system:authenticated' },
    ]);
  });

  it('allows unauthenticated users five paths and nothing else', () => {
    const open = policy.clusterRoleBindings.filter(({ subjects = [] }) =>
      subjects.some(({ name }) => name === 'system:unauthenticated' || name === 'system:anonymous'),
    );
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['system:public-info-viewer']);
  });
});

describe.skipIf(!hasSharedData)('default policy: as recorded', () => {
  const steps = (file: string) =>
    (readShared(`conformance/golden/rbac/${file}.json`)?.steps ?? [])
      .map((step: { body?: object }) => step.body)
      .filter((body?: { metadata?: { name?: string } }) => body?.metadata?.name !== undefined);
  const recorded = ['default-clusterroles', 'default-clusterroles-more', 'default-roles', 'default-bindings'].flatMap(
    steps,
  );
  const all = {
    ClusterRole: policy.clusterRoles,
    Role: policy.roles,
    ClusterRoleBinding: policy.clusterRoleBindings,
    RoleBinding: policy.roleBindings,
  };

  it.each(
    recorded.map((body: Case): [string, Case] => [
      `${body.kind} ${body.metadata.namespace ?? ''} ${body.metadata.name}`,
      body,
    ]),
  )('%s', (_name, body: Case) => {
    const { kind, ...wanted } = body as {
      kind: keyof typeof all;
      metadata: { name: string; namespace?: string };
      rules?: unknown;
    };
    const { name, namespace } = wanted.metadata;
    const made = all[kind].find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    // A controller sets the rules of aggregated roles.
    const rules = made && 'aggregationRule' in made ? { rules: wanted.rules } : {};
    const subjects = made && 'subjects' in made && made.subjects.length === 0 ? { subjects: undefined } : {};
    expect({ ...made, ...rules, ...subjects }).toEqual(wanted);
  });
});

const data = readShared('data/authz-rbac/rbac-cases.json');

describe.skipIf(!hasSharedData)("reconciliation: the upstream's tables", () => {
  const roleOf = (given: Record<string, never>) => {
    const {
      rules = null,
      labels,
      annotations,
      aggregationRule,
    } = given as {
      rules?: PolicyRule[] | null;
      labels?: object;
      annotations?: object;
      aggregationRule?: { clusterRoleSelectors?: object[] };
    };
    const selectors = aggregationRule && {
      clusterRoleSelectors: (aggregationRule.clusterRoleSelectors ?? []).map((matchLabels) => ({ matchLabels })),
    };
    return {
      metadata: { labels: labels ?? {}, annotations: annotations ?? {} },
      rules,
      ...(selectors ? { aggregationRule: selectors } : {}),
    };
  };
  const cases = { ...data?.reconcileRoleRules, ...data?.reconcileAggregation };
  // Defaults never remove what a user added.
  const adding = Object.entries<Case>(cases).filter(([, each]) => {
    const { removeExtraPermissions, actualRole } = each as { removeExtraPermissions: boolean; actualRole: object };
    return !removeExtraPermissions && !('$call' in actualRole);
  });

  it.each(adding)('%s', (_name, given: Case) => {
    const { expectedRole, actualRole, expectedReconciledRole } = given as Record<string, Record<string, never>>;
    const next = reconcileRole(roleOf(expectedRole ?? {}) as never, roleOf(actualRole ?? {}) as never);
    expect(next && { rules: null, ...(next as object) }).toEqual(
      expectedReconciledRole ? roleOf(expectedReconciledRole) : undefined,
    );
  });

  it.each(Object.entries<Case>(data?.reconcileBindingSubjects ?? {}))('subjects: %s', (_name, given: Case) => {
    const { a = [], b = [], expectedOnlyA = [], expectedOnlyB = [] } = given as Record<string, never[]>;
    expect(onlyInFirst(a, b)).toEqual(expectedOnlyA);
    expect(onlyInFirst(b, a)).toEqual(expectedOnlyB);
  });

  const bindings = Object.entries<Case>(data?.reconcileBinding ?? {}).filter(
    ([, each]) => !(each as { removeExtraSubjects: boolean }).removeExtraSubjects,
  );
  it.each(bindings)('binding: %s', (name, given: Case) => {
    const { expectedBinding, actualBinding, expectedUpdatedBinding } = given as Record<string, object | null>;
    const next = reconcileBinding(
      { metadata: {}, ...expectedBinding } as never,
      { metadata: {}, ...actualBinding } as never,
    );
    if (name.startsWith('different roleref')) expect(next).toBe('recreate');
    else expect(next).toEqual(expectedUpdatedBinding ? { metadata: {}, ...expectedUpdatedBinding } : undefined);
  });
});
