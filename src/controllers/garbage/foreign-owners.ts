import { formatTime } from '../../meta/clock.js';
import type { OwnerReference } from '../../meta/object-meta.js';
import { coreEvent } from '../../resources/core/index.js';
import { messageOf } from '../../values/message-of.js';
import type { ControllerContext } from '../controller.js';
import type { Owned } from './owner-graph.js';

const COMPONENT = 'garbage-collector-controller';
/** For each server the references, which are the same for as long as nothing of them changes. */
const reported = new WeakMap<ControllerContext, WeakSet<OwnerReference>>();

/** Writes an event about an object that names an owner of another namespace, which does not count (spec 7.7): once for each reference. */
export async function reportForeignOwner(
  { resource, object }: Owned,
  reference: OwnerReference,
  context: ControllerContext,
): Promise<void> {
  const { host, client } = context;
  let before = reported.get(context);
  if (!before) reported.set(context, (before = new WeakSet()));
  if (before.has(reference)) return;
  before.add(reference);
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const now = host.clock.now();
  // Names are of nanoseconds: several of one object have different ones.
  const nth = object.metadata.ownerReferences?.indexOf(reference) ?? 0;
  const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
  const event = {
    metadata: { name: `${name}.${(BigInt(Math.trunc(now)) * 1_000_000n + BigInt(nth)).toString(16)}` },
    involvedObject: { kind: resource.gvk.kind, namespace, name, uid, apiVersion: resource.apiVersion },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
    source: { component: COMPONENT },
    firstTimestamp: formatTime(now),
    lastTimestamp: formatTime(now),
    count: 1,
    type: 'Warning',
    reportingComponent: COMPONENT,
  };
  try {
    await client.create(coreEvent, event, { namespace: namespace || 'default' });
  } catch (error) {
    // Events are lost without harm: in a namespace that goes, or where admission refuses them.
    host.log(`garbage collector: no event about the owner of ${name}: ${messageOf(error)}`);
  }
}
