import type { DefaultRole } from '../../authorization/policy/default-policy.js';
import type { Client, New } from '../../client/client.js';
import { isAlreadyExists, isConflict, isNotFound } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { namespace } from '../../resources/core/index.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../resources/rbac/index.js';
import { namespaceNamed } from '../namespaces/system-namespaces.js';
import { type Seeds, seedsOf } from '../seed.js';

/** Loaded with the first need of the roles, which administrators in process never have. */
const loadPolicy = () => import('../../authorization/policy/default-policy.js');
const loadReconciling = () => import('../../authorization/policy/reconcile.js');

// An object that others write or remove at the same moment is tried this often.
const ATTEMPTS = 4;

/**
 * Makes the default roles and bindings, or brings them in line; those marked not to be updated stay as they are
 * (spec 13.8). Runs at every start; what is deleted later comes back at the next.
 * @throws Error `unable to initialize roles: …`; the others are made all the same.
 */
export async function makeDefaultRoles(host: Host, client: Client): Promise<void> {
  const { defaultPolicy, autoupdateAnnotation } = await loadPolicy();
  const { reconcileRole, reconcileBinding } = await loadReconciling();
  const policy = defaultPolicy(host.dialect);
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

/** The same for a server that has nothing yet. */
export async function defaultRoleSeeds({ dialect }: Host): Promise<readonly Seeds[]> {
  const { defaultPolicy } = await loadPolicy();
  const { clusterRoles, clusterRoleBindings, roles, roleBindings } = defaultPolicy(dialect);
  return [
    seedsOf(namespace, namespacesOf(roles).map(namespaceNamed)),
    seedsOf(clusterRole, clusterRoles),
    seedsOf(clusterRoleBinding, clusterRoleBindings),
    seedsOf(role, roles),
    seedsOf(roleBinding, roleBindings),
  ];
}

const namespacesOf = (roles: readonly DefaultRole[]): readonly string[] => [
  ...new Set(roles.map(({ metadata }) => metadata.namespace ?? '')),
];

async function makeNamespaces(host: Host, client: Client, names: readonly string[]): Promise<void> {
  const namespaces = host.lister('', 'namespaces');
  for (const name of names)
    if (!namespaces.get('', name)) await client.create(namespace, namespaceNamed(name)).catch(unless(isAlreadyExists));
}

interface Upkeep<T, D> {
  /** What the stored object has to become: another, a new one, or nothing. */
  reconcile(expected: D, stored: T): T | 'recreate' | undefined;
  /** The annotation that keeps an object as it is. */
  readonly protection: string;
}

/** @returns what went wrong, by object. */
async function ensureAll<T extends ApiObject, D extends New<T>>(
  host: Host,
  client: Client,
  kind: ResourceDefinition<T>,
  list: readonly D[],
  upkeep: Upkeep<T, D>,
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
  { reconcile, protection }: Upkeep<T, D>,
): Promise<void> {
  const { name = '', namespace: home = '' } = expected.metadata;
  const lister = host.lister<T>(groupOf(host.dialect, kind.groupStem ?? ''), kind.plural);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const stored = lister.get(home, name);
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
  const { name = '', namespace: home, uid } = metadata;
  await client
    .delete(kind, name, {
      ...(home === undefined ? {} : { namespace: home }),
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
    .catch(unless(isNotFound));
}

function unless(expected: (error: unknown) => boolean) {
  return (error: unknown): void => {
    if (!expected(error)) throw error;
  };
}
