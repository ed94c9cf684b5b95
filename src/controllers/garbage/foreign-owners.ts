import type { OwnerReference } from '../../meta/object-meta.js';
import type { ControllerContext } from '../controller.js';
import { EventRecorder } from '../events/event-recorder.js';
import type { Owned } from './owner-graph.js';

const COMPONENT = 'garbage-collector-controller';

/** What one server has reported. References are compared by identity, because an unchanged reference remains the same object. */
interface Reported {
  readonly references: WeakSet<OwnerReference>;
  readonly recorder: EventRecorder;
}
const reportedBy = new WeakMap<ControllerContext, Reported>();

/**
 * Writes an event about an object that names an owner in another namespace, which does not count as an owner (spec 7.7). Each reference is
 * reported once, within the rate limit of events.
 */
export async function reportForeignOwner(
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
