import { type Dialect, domainName, ofDialect } from '../../meta/dialect.js';
import type { FeatureGates } from '../../meta/features/gates.js';
import type { PolicyRule, RoleRef, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { deepFreeze } from '../../store/freeze.js';
import { RBAC_STEM, rbacGroup } from '../rbac/rbac-objects.js';
import { controllerRoles } from './controller-roles.js';
import { account, group, namespaceGrants, user } from './namespace-roles.js';
import { systemRoles } from './system-roles.js';
import { AGGREGATED_ROLES, PARTS, userFacingRoles } from './user-facing-roles.js';
import { workloadControllerRoles } from './workload-controller-roles.js';

interface DefaultMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A default role as the server creates it. */
export interface DefaultRole {
  readonly metadata: DefaultMetadata;
  readonly rules: readonly PolicyRule[] | null;
  readonly aggregationRule?: {
    readonly clusterRoleSelectors: readonly { readonly matchLabels: Readonly<Record<string, string>> }[];
  };
}

/** A default binding as the server creates it. */
export interface DefaultBinding {
  readonly metadata: DefaultMetadata;
  /** The subjects; absent instead of an empty list, as in the stored form. */
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

/** The roles and bindings that a server has from its first start. */
export interface DefaultPolicy {
  readonly clusterRoles: readonly DefaultRole[];
  readonly clusterRoleBindings: readonly DefaultBinding[];
  readonly roles: readonly DefaultRole[];
  readonly roleBindings: readonly DefaultBinding[];
}

/** Returns the annotation that protects a default role or binding from updates when its value is `false`. */
export function autoupdateAnnotation(dialect: Dialect): string {
  return `${RBAC_STEM}.${dialect.labelDomain}/autoupdate`;
}

/** Returns the name that the ClusterRole and the binding of a controller's service account have. */
const controllerRoleName = (accountName: string) => `system:controller:${accountName}`;

const withTrustBundles = ofDialect((dialect) => deepFreeze(makePolicy(dialect, true)));
const withoutTrustBundles = ofDialect((dialect) => deepFreeze(makePolicy(dialect, false)));

/**
 * Returns the default roles and bindings with the names of an API dialect (spec 13.8, 13.9, 13.10). They are created once for each dialect
 * and frozen.
 * @param gates the feature gates of the server. Default: all roles and bindings are returned.
 */
export function defaultPolicy(dialect: Dialect, gates?: Pick<FeatureGates, 'ClusterTrustBundle'>): DefaultPolicy {
  return gates?.ClusterTrustBundle === false ? withoutTrustBundles(dialect) : withTrustBundles(dialect);
}

function makePolicy(dialect: Dialect, trustBundles: boolean): DefaultPolicy {
  const roleRef = (kind: string, name: string): RoleRef => ({ apiGroup: rbacGroup(dialect), kind, name });
  const metadata = (name: string, namespace?: string, partOf?: string): DefaultMetadata => ({
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: {
      [domainName(dialect, 'bootstrapping')]: 'rbac-defaults',
      ...(partOf === undefined ? {} : aggregationLabel(dialect, partOf)),
    },
    annotations: { [autoupdateAnnotation(dialect)]: 'true' },
  });
  const clusterRole = ([name, rules]: readonly [string, readonly PolicyRule[]]): DefaultRole => ({
    metadata: metadata(name, undefined, PARTS[name]),
    rules,
  });
  const aggregatedRole = ([name, partOf]: readonly [string, string | undefined]): DefaultRole => ({
    metadata: metadata(name, undefined, partOf),
    rules: null,
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(dialect, name) }] },
  });
  const clusterBinding = (name: string, subjects: readonly Subject[]): DefaultBinding => ({
    metadata: metadata(name),
    ...(subjects.length > 0 ? { subjects } : {}),
    roleRef: roleRef('ClusterRole', name),
  });
  const controllers = rolesOfControllers(dialect);
  const grants = namespaceGrants(dialect);
  return {
    clusterRoles: [
      ...Object.entries(userFacingRoles(dialect)).map(clusterRole),
      ...Object.entries(AGGREGATED_ROLES).map(aggregatedRole),
      ...Object.entries(systemRoles(dialect, trustBundles)).map(clusterRole),
      ...Object.entries(controllers).map(([name, rules]) => clusterRole([controllerRoleName(name), rules])),
    ],
    clusterRoleBindings: [
      ...Object.entries(clusterBindings(dialect, trustBundles)).map(([name, subjects]) =>
        clusterBinding(name, subjects),
      ),
      ...Object.keys(controllers).map((name) => clusterBinding(controllerRoleName(name), [account(name)])),
    ],
    roles: grants.map(({ namespace, role, rules }) => ({ metadata: metadata(role, namespace), rules })),
    roleBindings: grants.map(({ namespace, role, binding = role, subjects }) => ({
      metadata: metadata(binding, namespace),
      subjects,
      roleRef: roleRef('Role', role),
    })),
  };
}

function aggregationLabel({ groupSuffix }: Dialect, role: string): Record<string, string> {
  return { [`${RBAC_STEM}.${groupSuffix}/aggregate-to-${role}`]: 'true' };
}

const rolesOfControllers = ofDialect<Readonly<Record<string, readonly PolicyRule[]>>>((dialect) => ({
  ...controllerRoles(dialect),
  ...workloadControllerRoles(dialect),
}));

/** Returns the names of the service accounts of kube-system that have their own default roles. */
export function controllerAccounts(dialect: Dialect): ReadonlySet<string> {
  return new Set(Object.keys(rolesOfControllers(dialect)));
}

/**
 * Returns the subjects of each default ClusterRoleBinding except those of controllers. A binding has the same name as its role (spec
 * 13.10).
 */
function clusterBindings(dialect: Dialect, trustBundles: boolean): Readonly<Record<string, readonly Subject[]>> {
  const users = (name: string) => [user(dialect, name)];
  const groups = (...names: string[]) => names.map((name) => group(dialect, name));
  return {
    'cluster-admin': groups('system:masters'),
    'system:monitoring': groups('system:monitoring'),
    'system:discovery': groups('system:authenticated'),
    'system:basic-user': groups('system:authenticated'),
    'system:public-info-viewer': groups('system:authenticated', 'system:unauthenticated'),
    'system:node-proxier': users('system:kube-proxy'),
    'system:kube-controller-manager': users('system:kube-controller-manager'),
    'system:kube-dns': [account('kube-dns')],
    'system:kube-scheduler': users('system:kube-scheduler'),
    'system:volume-scheduler': users('system:kube-scheduler'),
    // The binding has no subjects, because the node authorizer authorizes nodes.
    'system:node': [],
    'system:service-account-issuer-discovery': groups('system:serviceaccounts'),
    ...(trustBundles
      ? { 'system:cluster-trust-bundle-discovery': groups(dialect.rulings.clusterTrustBundleReaders) }
      : {}),
  };
}
