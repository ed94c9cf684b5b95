import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../../src/authorization/authorizer.js';
import { k8s } from '../../../src/meta/dialect.js';
import { defaultPolicy } from '../../../src/plugins/default-roles/default-policy.js';
import { hasSharedData, readShared } from '../../support/shared-data.js';

/*
 * Compares the default roles with upstream's data, permission by permission. The data belongs to several releases between 1.26 and 1.35.
 * Where it differs from the recorded server of 1.31, the record decides (default-policy.test.ts).
 */
/** Roles that 1.31 does not have yet. */
const LATER = [
  'system:controller:device-taint-eviction-controller',
  'system:controller:resource-claim-controller',
  'system:controller:selinux-warning-controller',
  'system:controller:service-cidrs-controller',
  'system:controller:volumeattributesclass-protection-controller',
];
/** Roles that differ from the data, with the number of permissions that only 1.31 has and that only the data has. */
const DRIFT: Readonly<Record<string, readonly [ours: number, theirs: number]>> = {
  'system:aggregate-to-edit': [5, 0], // endpoints
  'system:kube-scheduler': [13, 0], // leases, lease candidates, volume attachments
  'system:node': [3, 0], // cluster trust bundles
  'system:service-account-issuer-discovery': [2, 0], // paths that end in a slash
  'system:controller:namespace-controller': [0, 1], // watch
  'system::leader-locking-kube-controller-manager': [3, 0], // config maps
  'system::leader-locking-kube-scheduler': [3, 0],
};

interface Given {
  readonly name: string;
  readonly ns: string | null;
  readonly rules: readonly PolicyRule[];
}
const data: Readonly<Record<string, readonly Given[]>> = readShared('data/rbac-bootstrap/all-default-roles.json') ?? {};
const given = Object.values(data).flat();

/** Returns the single permissions: verb, resource, group and name, or verb and path. */
function permissionsOf(rules: readonly PolicyRule[] = []): ReadonlySet<string> {
  const each = ({ verbs, apiGroups = [], resources = [], resourceNames = ['*'], nonResourceURLs = [] }: PolicyRule) =>
    verbs.flatMap((verb) => [
      ...nonResourceURLs.map((url) => `${verb} ${url}`),
      ...apiGroups.flatMap((group) =>
        resources.flatMap((resource) => resourceNames.map((name) => `${verb} ${resource}.${group}/${name}`)),
      ),
    ]);
  return new Set(rules.flatMap(each));
}

describe.skipIf(!hasSharedData)("default roles: the upstream's data (skipped where the shared data is absent)", () => {
  const policy = defaultPolicy(k8s);
  const ours = [...policy.clusterRoles, ...policy.roles];
  const find = ({ name, ns }: Given) =>
    ours.find(({ metadata }) => metadata.name === name && (metadata.namespace ?? null) === ns);

  it('are all here, except for later ones', () => {
    expect(given.filter((each) => !find(each)).map(({ name }) => name)).toEqual(LATER);
    const known = new Set(given.map(({ name, ns }) => `${ns}/${name}`));
    const more = ours.filter(({ metadata }) => !known.has(`${metadata.namespace ?? null}/${metadata.name}`));
    // The feature of trust bundles is enabled here.
    expect(more.map(({ metadata }) => metadata.name)).toEqual(['system:cluster-trust-bundle-discovery']);
  });

  it.each(given.filter(({ name }) => !LATER.includes(name)).map((each) => [each.name, each.ns ?? '', each] as const))(
    '%s %s',
    (name, _, each) => {
      const [mine, theirs] = [permissionsOf(find(each)?.rules ?? []), permissionsOf(each.rules)];
      const onlyMine = [...mine].filter((permission) => !theirs.has(permission));
      const onlyTheirs = [...theirs].filter((permission) => !mine.has(permission));
      expect([onlyMine.length, onlyTheirs.length], `${onlyMine} | ${onlyTheirs}`).toEqual(DRIFT[name] ?? [0, 0]);
    },
  );
});
