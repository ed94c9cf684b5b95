import type { Client, New } from '../../client/client.js';
import { equalJson } from '../../json/equal.js';
import { isAlreadyExists, isConflict, isNotFound } from '../../meta/api-error.js';
import { groupOf, ofDialect } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import {
  autoupdateAnnotation,
  controllerAccounts,
  type DefaultBinding,
  type DefaultPolicy,
  type DefaultRole,
  defaultPolicy,
} from '../../plugins/default-roles/default-policy.js';
import { uncoveredPermissions } from '../../plugins/rbac/covers.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { namespace } from '../../resources/core/index.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../resources/rbac/index.js';
import type { ClusterRole, RoleBinding, Subject } from '../../resources/rbac/rbac-v1.types.js';
import { perObject } from '../../values/memoize.js';
import { namespaceNamed, namespaceSeeds } from '../namespaces/system-namespaces.js';
import { type Seeds, seedsOf } from '../seed.js';
import { unless } from '../unless.js';

// The number of attempts to write an object that other clients update or delete at the same time.
const ATTEMPTS = 4;

/**
 * Creates the default roles and bindings, or updates the stored ones. An object with the protecting annotation is not changed (spec 13.8).
 * This runs at every start, so a default that was deleted is created again at the next start.
 * @throws Error `unable to initialize roles: …` when some objects could not be written. All other objects have been written in this case.
 */
async function ensureDefaultRoles(host: Host, client: Client): Promise<void> {
  const policy = defaultPolicy(host.dialect, host.gates);
  const protection = autoupdateAnnotation(host.dialect);
  await makeNamespaces(host, client, namespacesOf(policy.roles));
  const failures = [
    ...(await ensureAll(host, client, clusterRole, policy.clusterRoles, { reconcile: reconcileRole, protection })),
    ...(await ensureAll(host, client, clusterRoleBinding, policy.clusterRoleBindings, {
      reconcile: reconcileBinding,
      protection,
    })),
    ...(await ensureAll(host, client, role, policy.roles, { reconcile: reconcileRole, protection })),
    ...(await ensureAll(host, client, roleBinding, policy.roleBindings, { reconcile: reconcileBinding, protection })),
  ];
  if (failures.length > 0) throw new Error(`unable to initialize roles: ${failures.join(', ')}`);
}

/**
 * Returns the default roles and bindings as {@link Seeds}, which are written directly to an empty storage. Their rules and subjects are
 * owned as a whole.
 */
function defaultRoleSeeds({ dialect, gates }: Host): readonly Seeds[] {
  return seedsIn(dialect)(defaultPolicy(dialect, gates));
}

/** The seeds of each policy of a dialect. All servers with this policy share them. */
const seedsIn = ofDialect((dialect) =>
  perObject(({ clusterRoles, clusterRoleBindings, roles, roleBindings }: DefaultPolicy) => [
    namespaceSeeds(namespacesOf(roles), dialect),
    seedsOf(clusterRole, clusterRoles),
    seedsOf(clusterRoleBinding, clusterRoleBindings),
    seedsOf(role, roles),
    seedsOf(roleBinding, roleBindings),
  ]),
);

/** The default roles and bindings, and the service accounts of controllers that they name. */
export const defaultRoles = { ensure: ensureDefaultRoles, seeds: defaultRoleSeeds, controllerAccounts };

const namespacesOf = (roles: readonly DefaultRole[]): readonly string[] => [
  ...new Set(roles.map(({ metadata }) => metadata.namespace ?? '')),
];

async function makeNamespaces(host: Host, client: Client, names: readonly string[]): Promise<void> {
  const namespaces = host.lister('', 'namespaces');
  for (const name of names)
    if (!namespaces.get('', name)) await client.create(namespace, namespaceNamed(name)).catch(unless(isAlreadyExists));
}

interface Reconciliation<T, D> {
  /**
   * Returns the object to write, `recreate` when the stored one must be deleted and created again, or undefined when it needs no change.
   */
  reconcile(expected: D, stored: T): T | 'recreate' | undefined;
  /** The name of the annotation that, with the value `false`, protects an object from being updated. */
  readonly protection: string;
}

/** Creates or updates default roles or bindings. @returns a message for each object that could not be written. */
async function ensureAll<T extends ApiObject, D extends New<T>>(
  host: Host,
  client: Client,
  kind: ResourceDefinition<T>,
  list: readonly D[],
  upkeep: Reconciliation<T, D>,
): Promise<string[]> {
  const outcomes = await Promise.allSettled(list.map((expected) => ensure(host, client, kind, expected, upkeep)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'fulfilled' ? [] : [`${kind.plural} ${list[index]?.metadata.name}: ${String(outcome.reason)}`],
  );
}

async function ensure<T extends ApiObject, D extends New<T>>(
  host: Host,
  client: Client,
  kind: ResourceDefinition<T>,
  expected: D,
  { reconcile, protection }: Reconciliation<T, D>,
): Promise<void> {
  const { name = '', namespace: roleNamespace = '' } = expected.metadata;
  const lister = host.lister<T>(groupOf(host.dialect, kind.groupStem ?? ''), kind.plural);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const stored = lister.get(roleNamespace, name);
    if (stored?.metadata.annotations?.[protection] === 'false') return;
    const next = stored ? reconcile(expected, stored) : 'recreate';
    if (next === undefined) return;
    try {
      if (next !== 'recreate') {
        await client.replace(kind, next);
        return;
      }
      if (stored) await removeExactly(client, kind, stored);
      await client.create(kind, expected);
      return;
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function removeExactly<T extends ApiObject>(
  client: Client,
  kind: ResourceDefinition<T>,
  { metadata }: T,
): Promise<void> {
  const { name = '', namespace: roleNamespace, uid } = metadata;
  await client
    .delete(kind, name, {
      ...(roleNamespace === undefined ? {} : { namespace: roleNamespace }),
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
    .catch(unless(isNotFound));
}

type Strings = Readonly<Record<string, string>>;
type Expected<T extends { readonly metadata: object }> = Omit<T, 'metadata'> & {
  readonly metadata: { readonly labels?: Strings; readonly annotations?: Strings };
};

/**
 * Returns the stored role, completed with the permissions or aggregation selectors of the default role that the stored one lacks (spec
 * 13.8). All rules of the stored role are kept, even if the default role is no longer aggregated.
 * @returns undefined when the stored role needs no change.
 */
export function reconcileRole<T extends ClusterRole>(expected: Expected<DefaultRole>, stored: T): T | undefined {
  const merged = withMetadata(expected, stored);
  const selectors = stored.aggregationRule?.clusterRoleSelectors ?? [];
  if (expected.aggregationRule) {
    const missing = (expected.aggregationRule.clusterRoleSelectors ?? []).filter(
      (selector) => !selectors.some((own) => equalJson(own, selector)),
    );
    if (missing.length === 0) return merged;
    return { ...(merged ?? stored), aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
  }
  const rules = stored.rules ?? [];
  const missing = uncoveredPermissions(rules, expected.rules ?? []);
  const aggregated = stored.aggregationRule !== undefined;
  if (missing.length === 0 && !aggregated) return merged;
  const { aggregationRule: _, ...rest } = merged ?? stored;
  // `aggregationRule` is optional, so the object without it is a valid T.
  return { ...rest, rules: [...rules, ...missing] } as unknown as T;
}

/**
 * Returns the stored binding, completed with the subjects of the default binding that the stored one lacks. All subjects of the stored
 * binding are kept.
 * @returns `recreate` when the stored binding refers to another role, because `roleRef` is immutable; undefined when it needs no change.
 */
export function reconcileBinding<T extends RoleBinding>(
  expected: Expected<DefaultBinding>,
  stored: T,
): T | 'recreate' | undefined {
  if (!equalJson({ ...expected.roleRef }, { ...stored.roleRef })) return 'recreate';
  const merged = withMetadata(expected, stored);
  const subjects = stored.subjects ?? [];
  const missing = onlyInFirst(expected.subjects ?? [], subjects);
  return missing.length === 0 ? merged : { ...(merged ?? stored), subjects: [...subjects, ...missing] };
}

/** Returns the subjects that are only in the first list, without duplicates. */
export function onlyInFirst(first: readonly Subject[], second: readonly Subject[]): Subject[] {
  const identity = ({ kind, apiGroup = '', namespace = '', name }: Subject) =>
    JSON.stringify([kind, apiGroup, namespace, name]);
  const known = new Set(second.map(identity));
  return first.filter((subject) => {
    const key = identity(subject);
    return !known.has(key) && known.add(key);
  });
}

/** Returns the stored object, completed with the default labels and annotations that it lacks. Existing values win. */
function withMetadata<T extends ClusterRole | RoleBinding>(
  expected: { readonly metadata: { readonly labels?: Strings; readonly annotations?: Strings } },
  stored: T,
): T | undefined {
  const { labels, annotations } = stored.metadata;
  const lacks = (expectedStrings: Strings = {}, own: Strings = {}) =>
    Object.keys(expectedStrings).some((name) => !Object.hasOwn(own, name));
  if (!lacks(expected.metadata.labels, labels) && !lacks(expected.metadata.annotations, annotations)) return undefined;
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      labels: { ...expected.metadata.labels, ...labels },
      annotations: { ...expected.metadata.annotations, ...annotations },
    },
  };
}
