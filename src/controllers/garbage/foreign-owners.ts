import { isNotFound } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import type { OwnerReference } from '../../meta/object-meta.js';
import { coreEvent } from '../../resources/core/index.js';
import { messageOf } from '../../values/message-of.js';
import type { ControllerContext } from '../controller.js';
import { EventLimits } from './event-limits.js';
import type { Owned } from './owner-graph.js';

const COMPONENT = 'garbage-collector-controller';

/** What one server has told: the references, which are the same for as long as nothing of them changes. */
interface Told {
  readonly references: WeakSet<OwnerReference>;
  readonly limits: EventLimits;
}
const told = new WeakMap<ControllerContext, Told>();

/**
 * Writes an event about an object that names an owner of another namespace, which does not count (spec 7.7): once for each reference, within
 * the bounds of what is said about one object.
 */
export async function reportForeignOwner(
  { resource, object }: Owned,
  reference: OwnerReference,
  context: ControllerContext,
): Promise<void> {
  const { host, client } = context;
  let before = told.get(context);
  if (!before) told.set(context, (before = { references: new WeakSet(), limits: new EventLimits(host.clock) }));
  if (before.references.has(reference)) return;
  before.references.add(reference);
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const owner = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
  const involvedObject = { kind: resource.gvk.kind, namespace, name, uid, apiVersion: resource.apiVersion };
  const said = before.limits.next(
    involvedObject,
    `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
  );
  if (!said) return;
  const { message, count, isCombined } = said;
  const [firstTimestamp, lastTimestamp] = [formatTime(said.first), formatTime(said.last)];
  const event = {
    metadata: { name: said.name },
    involvedObject,
    reason: 'OwnerRefInvalidNamespace',
    message,
    source: { component: COMPONENT },
    firstTimestamp,
    lastTimestamp,
    count,
    type: 'Warning',
    ...(isCombined ? {} : { reportingComponent: COMPONENT }),
  };
  const where = { namespace: namespace || 'default' };
  /** False where the event is gone meanwhile. */
  const written = async (called: string, more: object): Promise<boolean> => {
    try {
      await client.patch(coreEvent, called, more, { ...where, type: 'merge' });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
  try {
    if (count === 1 || !(await written(said.name, { count, lastTimestamp, message })))
      await client.create(coreEvent, event, where);
  } catch (error) {
    // Events are lost without harm: in a namespace that goes, or where admission refuses them.
    host.log(`garbage collector: no event about the owner of ${name}: ${messageOf(error)}`);
  }
}
