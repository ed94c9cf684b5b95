import type { JsonObject } from '../../json/value.js';
import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withMetadata } from '../edit.js';
import { objectKey } from '../served/served-resource.js';
import { Claims } from './claims.js';
import { decodeFields } from './decode-fields.js';
import { canonical, commitNew, completeNew } from './new-object.js';
import { trackOwners } from './track-owners.js';
import { type Write, waitOptions } from './write.js';

/**
 * Stores an object that the server itself makes, without authorization, admission or validation, as it is known to be valid. An existing
 * object is kept.
 */
export async function seedObject(write: Write, body: JsonObject): Promise<void> {
  const { resource, form } = write.environment;
  const claims = new Claims();
  try {
    const object = completeNew(write, await owned(write, body), claims);
    const { name = '', namespace = '' } = object.metadata;
    const stored = await form.toStorage(canonical(write, object));
    await commitNew(write, objectKey(resource, namespace, name), stored);
  } finally {
    claims.end();
  }
}

/** Applies members that the server itself makes to an existing object. They must be lists or plain values that have no other owner. */
export async function seedApplied(write: Write, body: JsonObject): Promise<void> {
  const { resource, storage, form } = write.environment;
  const { metadata, ...whole } = await owned(write, body);
  // Only members of the body are applied; decoding added the others.
  const members = Object.fromEntries(Object.entries(whole).filter(([name]) => Object.hasOwn(body, name)));
  const { name = '', namespace = '', managedFields = [] } = metadata;
  const records = managedFields.map((record) => ({ ...record, operation: 'Apply' as const }));
  const apply = async (current: ApiObject): Promise<ApiObject> => {
    const { managedFields: others = [] } = current.metadata;
    const object = { ...form.fromStorage(current), ...members };
    return await form.toStorage(withMetadata(object, { managedFields: [...records, ...others] }));
  };
  await storage.guaranteedUpdate(
    objectKey(resource, namespace, name),
    async (current) => (current ? { action: 'put', value: await apply(current.value) } : { action: 'keep' }),
    waitOptions(write),
  );
}

/** Decodes a body and records its field manager. */
async function owned(write: Write, body: JsonObject): Promise<ApiObject> {
  const { object } = decodeFields(write.environment.resource, body, (problem) => new TypeError(problem));
  return await run(trackOwners(write, object, undefined));
}
