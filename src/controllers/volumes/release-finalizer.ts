import type { Client } from '../../client/client.js';
import { isNotFound } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { unless } from '../unless.js';

export interface Held<T extends ApiObject> {
  readonly kind: ResourceDefinition<T>;
  readonly client: Client;
  readonly name: string;
  readonly namespace?: string;
  readonly finalizer: string;
  /** Returns whether the object is in use. */
  isUsed(object: T): boolean;
}

/** Removes the finalizer from an object that is being deleted and not in use, and adds it to an object that is not being deleted. */
export async function releaseFinalizer<T extends ApiObject>(held: Held<T>): Promise<void> {
  const { kind, client, name, namespace, finalizer, isUsed } = held;
  const where = namespace === undefined ? {} : { namespace };
  const object = await client.get(kind, name, where).catch(unless(isNotFound));
  if (!object) return;
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const isHeld = finalizers.includes(finalizer);
  if (deletionTimestamp === undefined ? isHeld : !isHeld || isUsed(object)) return;
  const change = ({ metadata }: { metadata: { finalizers?: string[] } }) => {
    const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
    metadata.finalizers = isHeld ? others : [...others, finalizer];
  };
  await client.update(kind, name, change, where).catch(unless(isNotFound));
}
