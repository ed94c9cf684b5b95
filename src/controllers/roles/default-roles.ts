import { autoupdateAnnotation, type DefaultRole, defaultPolicy } from '../../authorization/policy/default-policy.js';
import { reconcileBinding, reconcileRole } from '../../authorization/policy/reconcile.js';
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

// An object that others write or remove at the same moment is tried this often.
const ATTEMPTS = 4;

/**
 * Makes the default roles and bindings, or brings them in line; those marked not to be updated stay as they are
 * (spec 13.8). Runs at every start; what is deleted later comes back at the next.
 * @throws Error `unable to initialize roles: …`; the others are made all the same.
 */
export async function makeDefaultRoles(host: Host, client: Client): Promise<void> {
  const policy = defaultPolicy(host.dialect);
  await makeNamespaces(host, client, namespacesOf(policy.roles));
  const failures = [
    ...(await ensureAll(host, client, clusterRole, policy.clusterRoles, reconcileRole)),
    ...(await ensureAll(host, client, clusterRoleBinding, policy.clusterRoleBindings, reconcileBinding)),
    ...(await ensureAll(host, client, role, policy.roles, reconcileRole)),
    ...(await ensureAll(host, client, roleBinding, policy.roleBindings, reconcileBinding)),
  ];
  if (failures.length > 0) throw new Error(`unable to initialize roles: ${failures.join(', ')}`);
}

/** The same for a server that has nothing yet. */
export function defaultRoleSeeds({ dialect }: Host): readonly Seeds[] {
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

/** What the stored object has to become: another, a new one, or nothing. */
type Reconcile<T, D> = (expected: D, stored: T) => T | 'recreate' | undefined;

/** @returns what went wrong, by object. */
async function ensureAll<T extends ApiObject, D extends New<T>>(
  host: Host,
  client: Client,
  kind: ResourceDefinition<T>,
  list: readonly D[],
  reconcile: Reconcile<T, D>,
): Promise<string[]> {
  const outcomes = await Promise.allSettled(list.map((expected) => ensure(host, client, kind, expected, reconcile)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'fulfilled' ? [] : [`${kind.plural} ${list[index]?.metadata.name}: ${String(outcome.reason)}`],
  );
}

async function ensure<T extends ApiObject, D extends New<T>>(
  host: Host,
  client: Client,
  kind: ResourceDefinition<T>,
  expected: D,
  reconcile: Reconcile<T, D>,
): Promise<void> {
  const { name = '', namespace: home = '' } = expected.metadata;
  const lister = host.lister<T>(groupOf(host.dialect, kind.groupStem ?? ''), kind.plural);
  const protection = autoupdateAnnotation(host.dialect);
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
