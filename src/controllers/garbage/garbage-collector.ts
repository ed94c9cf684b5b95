import { isConflict, isNotFound } from '../../meta/api-error.js';
import type { ApiObject, OwnerReference } from '../../meta/object-meta.js';
import type { ServedResource } from '../../registry/served/served-resource.js';
import type { ControllerContext, ControllerDefinition } from '../controller.js';
import { EventRecorder } from '../event-recorder.js';
import { unless } from '../unless.js';
import { FOREGROUND, isWaitingFor, keyOf, ORPHAN, type Owned, OwnerGraph, type Ownership } from './owner-graph.js';

/**
 * Deletes objects whose owners do not exist, keeps owners in foreground deletion until their blocking dependents are deleted, and removes
 * owner references from the dependents of owners that are deleted with orphaning (spec 7.1, 7.7).
 * Keys are `group/resource/namespace/name` for an object to check, a uid for an owner that was deleted, and '' after a change of the served
 * kinds.
 */
export const garbageCollector: ControllerDefinition = {
  name: 'generic-garbage-collector',
  switchedBy: ['garbage-collector-controller', 'garbagecollector'],
  follow(context) {
    const { host, queue } = context;
    const graph = new OwnerGraph(host, context.client);
    graphs.set(context, graph);
    const followed = new Map<string, () => void>();
    const followKinds = (names: Iterable<string>) => {
      const resources = graph.resources();
      for (const name of names) {
        const resource = resources.get(name);
        const stop = followed.get(name);
        if (resource !== undefined && stop === undefined) followed.set(name, followKind(graph, resource, queue));
        if (resource !== undefined || stop === undefined) continue;
        // The objects of the removed kind have been reported as deleted. Unsubscribing frees the kind's definition, which the subscription
        // would keep in memory.
        stop();
        followed.delete(name);
      }
    };
    followKinds(graph.resources().keys());
    const stopKinds = host.kinds.onChange((change) => {
      followKinds(graph.kindsChanged(change));
      if (graph.hasDependents) queue.add(KINDS);
    });
    return () => {
      stopKinds();
      for (const stop of followed.values()) stop();
    };
  },
  async reconcile(key, context) {
    const { queue } = context;
    const graph = graphs.get(context);
    if (graph === undefined) throw new TypeError('the garbage collector can only check objects that it watches');
    if (key === KINDS) {
      for (const dependent of graph.dependents()) queue.add(dependent);
      return;
    }
    if (!key.includes('/')) {
      for (const dependent of graph.dependentsOf(key)) queue.add(keyOf(dependent));
      return;
    }
    const found = graph.find(key);
    if (!found) return;
    try {
      await collect(found, graph, context);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) throw error;
      queue.add(key); // A conflict means that the object has changed, so it is checked again.
    }
  },
};

/** The owner graph of each server. */
const graphs = new WeakMap<ControllerContext, OwnerGraph>();
const KINDS = '';
type Queue = ControllerContext['queue'];

/** Returns whether the garbage collector may have to act on the object itself, not only on its dependents. */
const concerns = (object: ApiObject) =>
  (object.metadata.ownerReferences?.length ?? 0) > 0 ||
  isWaitingFor(object, ORPHAN) ||
  isWaitingFor(object, FOREGROUND);

/**
 * Queues the objects that a change may affect: the changed object, its dependents if it was deleted, and the owners whose deletion the
 * changed object no longer blocks.
 */
function followKind(graph: OwnerGraph, resource: ServedResource, queue: Queue): () => void {
  const lister = graph.lister(resource);
  const stop = lister.onChange((next, previous) => {
    graph.objectChanged(resource, next, previous);
    if (next && concerns(next)) queue.add(keyOf({ resource, object: next }));
    if (!previous) return;
    if (!next && previous.metadata.uid !== undefined) {
      // When a kind is removed, its objects are reported as deleted, too, but they may still be stored.
      if (graph.serves(resource)) graph.ownerDeleted(resource, previous);
      queue.add(previous.metadata.uid);
    }
    for (const { uid } of releasedOwners(previous, next)) {
      const owner = graph.waitingOwner(uid);
      if (owner !== undefined) queue.add(owner);
    }
  });
  // Objects that cannot be read from the storage are skipped. Their absence causes no deletion, because an owner that a lister does not
  // have is requested from the server before its dependents are deleted.
  for (const object of lister.list('', 'skip')) {
    // Nearly all objects have neither owner references nor a deletion timestamp. They are skipped first, because this loop visits every
    // object of a server that starts with its objects, such as a fork of a large server.
    const { ownerReferences, deletionTimestamp } = object.metadata;
    if (ownerReferences === undefined && deletionTimestamp === undefined) continue;
    graph.objectChanged(resource, object, undefined);
    if (concerns(object)) queue.add(keyOf({ resource, object }));
  }
  return stop;
}

/** Returns the owners whose deletion the object blocked before a change but does not block after it. */
function releasedOwners(previous: ApiObject, next: ApiObject | undefined): readonly OwnerReference[] {
  const before = previous.metadata.ownerReferences;
  const after = next?.metadata.ownerReferences;
  if (!before || before === after) return [];
  const blocked = new Set(after?.flatMap(({ uid, blockOwnerDeletion }) => (blockOwnerDeletion ? [uid] : [])));
  return before.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !blocked.has(uid));
}

/**
 * Deletes or patches one object as its state and its owners require. @throws ApiError Conflict when the object has changed in the meantime.
 */
async function collect(found: Owned, graph: OwnerGraph, context: ControllerContext): Promise<void> {
  const { object } = found;
  if (isWaitingFor(object, ORPHAN)) return orphanDependents(found, graph, context);
  if (isWaitingFor(object, FOREGROUND)) return releaseOwner(found, graph, context);
  if (object.metadata.deletionTimestamp !== undefined) return;
  const references = object.metadata.ownerReferences ?? [];
  const kinds: Ownership[] = [];
  for (const reference of references) {
    const kind = await graph.classify(object, reference);
    kinds.push(kind);
    const isAlone = kind === 'dangling' || !found.resource.namespaced;
    if (isAlone && graph.isForeign(object, reference)) {
      await reportForeignOwner(found, reference, context);
    }
  }
  if (kinds.includes('undecided')) return;
  const solid = references.filter((_, i) => kinds[i] === 'solid');
  if (solid.length === references.length) return;
  if (solid.length > 0) return setOwners(found, solid, context);

  const dependents = graph.dependentsOf(object.metadata.uid ?? '');
  if (kinds.includes('waiting') && dependents.length > 0) {
    // Owners in a cycle would wait for each other forever, so the object stops blocking its owners.
    if (dependents.some((dependent) => isWaitingFor(dependent.object, FOREGROUND)))
      await setOwners(
        found,
        references.map((owner) => (owner.blockOwnerDeletion ? { ...owner, blockOwnerDeletion: false } : owner)),
        context,
      );
    return remove(found, 'Foreground', context);
  }
  const finalizers = object.metadata.finalizers ?? [];
  return remove(
    found,
    finalizers.includes(ORPHAN) ? 'Orphan' : finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background',
    context,
  );
}

/** Handles an owner in foreground deletion: its dependents are deleted first, then its finalizer is removed. */
async function releaseOwner(owner: Owned, graph: OwnerGraph, context: ControllerContext): Promise<void> {
  const { uid } = owner.object.metadata;
  const dependents = graph.dependentsOf(uid ?? '');
  for (const dependent of dependents)
    if (!isWaitingFor(dependent.object, FOREGROUND)) context.queue.add(keyOf(dependent));
  const blocks = ({ object }: Owned) =>
    object.metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.blockOwnerDeletion);
  if (!dependents.some(blocks)) await dropFinalizer(owner, FOREGROUND, context);
}

/** Handles an owner that is deleted with orphaning: its dependents lose their references to it, then its finalizer is removed. */
async function orphanDependents(owner: Owned, graph: OwnerGraph, context: ControllerContext): Promise<void> {
  const { uid } = owner.object.metadata;
  for (const dependent of graph.dependentsOf(uid ?? '')) {
    const others = (dependent.object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
    await setOwners(dependent, others, context).catch(unless(isNotFound));
  }
  await dropFinalizer(owner, ORPHAN, context);
}

function dropFinalizer(owner: Owned, finalizer: string, context: ControllerContext): Promise<void> {
  const finalizers = (owner.object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  return patch(owner, { finalizers }, context);
}

function setOwners(
  dependent: Owned,
  ownerReferences: readonly OwnerReference[],
  context: ControllerContext,
): Promise<void> {
  return patch(dependent, { ownerReferences: ownerReferences.length > 0 ? ownerReferences : null }, context);
}

/** Patches the version of the object that was checked. If the object has changed in the meantime, the patch fails with a conflict. */
async function patch({ resource, object }: Owned, metadata: object, { client }: ControllerContext): Promise<void> {
  const { name = '', namespace, uid, resourceVersion } = object.metadata;
  await client.patch(
    resource.definition,
    name,
    { metadata: { uid, resourceVersion, ...metadata } },
    namespace === undefined ? {} : { namespace },
  );
}

async function remove(
  { resource, object }: Owned,
  propagationPolicy: 'Orphan' | 'Foreground' | 'Background',
  { client }: ControllerContext,
) {
  const { name = '', namespace, uid, resourceVersion } = object.metadata;
  await client.delete(resource.definition, name, {
    propagationPolicy,
    preconditions: {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    ...(namespace === undefined ? {} : { namespace }),
  });
}

const COMPONENT = 'garbage-collector-controller';

/**
 * The owner references about which one server has written an event. They are compared by identity, because an unchanged reference remains
 * the same object.
 */
interface Reported {
  readonly references: WeakSet<OwnerReference>;
  readonly recorder: EventRecorder;
}
const reportedBy = new WeakMap<ControllerContext, Reported>();

/**
 * Writes an event about an object whose owner is in another namespace and therefore does not count as an owner (spec 7.7). Each reference
 * is reported once, within the rate limit of events.
 */
async function reportForeignOwner(
  { resource, object }: Owned,
  reference: OwnerReference,
  context: ControllerContext,
): Promise<void> {
  let before = reportedBy.get(context);
  if (!before)
    reportedBy.set(context, (before = { references: new WeakSet(), recorder: new EventRecorder(context, COMPONENT) }));
  if (before.references.has(reference)) return;
  before.references.add(reference);
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
  await before.recorder.record({
    involvedObject: { kind: resource.gvk.kind, namespace, name, uid, apiVersion: resource.apiVersion },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
  });
}
