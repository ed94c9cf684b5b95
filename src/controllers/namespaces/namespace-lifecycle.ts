import type { Client } from '../../client/client.js';
import { isConflict, isNotFound } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import type { Namespace } from '../../resources/core/core-v1.types.js';
import { namespace as namespaces } from '../../resources/core/index.js';
import type { ControllerDefinition, ControllerHost } from '../controller.js';
import { servesAllDefinitions } from '../custom-resources/known-definitions.js';
import { type Content, removeContent } from './namespace-content.js';

// Milliseconds after which objects with finalizers are checked again.
const RECHECK_INTERVAL = 5_000;

/** Deletes the content of namespaces that are being deleted, and then removes the finalizer of the namespaces (spec 7.9). */
export const namespaceLifecycleController: ControllerDefinition = {
  name: 'namespace-controller',
  switchedBy: ['namespace-controller', 'namespace'],
  follow({ host, queue }) {
    const lister = host.lister<Namespace>('', 'namespaces');
    const look = (object: Namespace | undefined) => {
      if (object?.metadata.deletionTimestamp !== undefined) queue.add(object.metadata.name ?? '');
    };
    for (const object of lister.list()) look(object);
    return lister.onChange(look);
  },
  async reconcile(name, { host, client, queue }) {
    const object = host.lister<Namespace>('', 'namespaces').get('', name);
    if (!object || object.metadata.deletionTimestamp === undefined) return;
    if (!(object.spec.finalizers ?? []).includes(host.dialect.namespaceFinalizer)) return;
    // Custom resources whose kinds this server does not serve yet would be left behind, so the namespace has to wait.
    if (!servesAllDefinitions(host, () => queue.add(name))) return;
    const content = await removeContent(client, object, host);
    try {
      const current = await writeConditions(client, object, content, host);
      const { remaining, undiscovered, errors } = content;
      if (remaining.size > 0 || undiscovered.length > 0 || errors.length > 0)
        return queue.addAfter(name, RECHECK_INTERVAL);
      await releaseFinalizer(client, current, host.dialect.namespaceFinalizer);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) throw error;
      queue.add(name);
    }
  },
};

const counts = (what: ReadonlyMap<string, number>) =>
  [...what].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => ({ name, n }));

/** Writes the conditions that report the progress of the namespace's deletion. */
async function writeConditions(
  client: Client,
  object: Namespace,
  content: Content,
  { clock, dialect }: Pick<ControllerHost, 'clock' | 'dialect'>,
): Promise<Namespace> {
  const { remaining, finalizers, undiscovered, errors } = content;
  const failed = errors.length > 0;
  const desiredConditions = [
    undiscovered.length > 0
      ? bad(
          'NamespaceDeletionDiscoveryFailure',
          'DiscoveryFailed',
          `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${undiscovered
            .map((each) => `${each}: stale GroupVersion discovery: ${each}`)
            .join(', ')}`,
        )
      : ok('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    ok(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      `All legacy ${dialect.componentPrefix} types successfully parsed`,
    ),
    failed
      ? bad(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${errors.length} remaining: ${errors.join(', ')}`,
        )
      : ok(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        ),
    remaining.size > 0
      ? bad(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${counts(remaining)
            .map(({ name, n }) => `${name} has ${n} resource instances`)
            .join(', ')}`,
        )
      : ok('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
    finalizers.size > 0
      ? bad(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${counts(finalizers)
            .map(({ name, n }) => `${name} in ${n} resource instances`)
            .join(', ')}`,
        )
      : ok('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
  ];
  const before = object.status.conditions ?? [];
  // Conditions of other writers are kept, and known ones keep their places.
  const conditions = [...before];
  for (const condition of desiredConditions) {
    const index = before.findIndex(({ type }) => type === condition.type);
    const old = before[index];
    const { status, reason, message } = condition;
    if (old?.status === status && old.message === message && old.reason === reason) continue;
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(clock.now());
    conditions[old ? index : conditions.length] = { ...condition, lastTransitionTime };
  }
  if (conditions.length === before.length && conditions.every((condition, i) => condition === before[i])) return object;
  return client.replace(namespaces, { ...object, status: { ...object.status, conditions } }, { subresource: 'status' });
}

const ok = (type: string, reason: string, message: string) => ({ type, status: 'False', reason, message });
const bad = (type: string, reason: string, message: string) => ({ type, status: 'True', reason, message });

/** Removes the system's own finalizer. The server deletes the namespace when no finalizer is left. */
async function releaseFinalizer(client: Client, object: Namespace, finalizer: string): Promise<void> {
  const finalizers = (object.spec.finalizers ?? []).filter((name) => name !== finalizer);
  await client.replace(namespaces, { ...object, spec: { ...object.spec, finalizers } }, { subresource: 'finalize' });
}
