import type { JsonObject } from '../../json/value.js';
import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { objectKey } from '../served/served-resource.js';
import { applyTransform } from '../transforms/apply.js';
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

/** Applies what the server itself makes to an existing object, with force. */
export async function seedApplied(write: Write, body: JsonObject): Promise<void> {
  const { environment, target, context } = write;
  const { resource, storage, form } = environment;
  const { name = '', namespace = '' } = body['metadata'] as ApiObject['metadata']; // seeds have names
  const applied = { apiVersion: resource.apiVersion, kind: resource.gvk.kind, ...body };
  const at = { ...target, namespace, name };
  const transform = applyTransform(at, context, {
    manager: context.fieldManager,
    force: true,
    read: async () => ({ applied, warnings: [], refusal: '' }),
  });
  await storage.guaranteedUpdate(
    objectKey(resource, namespace, name),
    async (current) =>
      current
        ? { action: 'put', value: await form.toStorage(await transform(form.fromStorage(current.value))) }
        : { action: 'keep' },
    waitOptions(write),
  );
}

/** Decodes a body and records its field manager. */
async function owned(write: Write, body: JsonObject): Promise<ApiObject> {
  const { object } = decodeFields(write.environment.resource, body, (problem) => new TypeError(problem));
  return await run(trackOwners(write, object, undefined));
}
