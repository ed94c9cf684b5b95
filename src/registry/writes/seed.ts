import type { JsonObject } from '../../json/value.js';
import { formatTime } from '../../meta/clock.js';
import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
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
 * @param complete whether the body has its stored form, so that only what identifies the object and its owner is missing.
 */
export async function seedObject(write: Write, body: JsonObject, complete: boolean): Promise<void> {
  const { environment, target } = write;
  const claims = new Claims();
  try {
    const stored = complete ? await completed(write, body) : await newStored(write, body, claims);
    await commitNew(write, objectKey(environment.resource, target.namespace, target.name), stored);
  } finally {
    claims.end();
  }
}

/** Returns a body in stored form with its identity and owner. Decoding and defaults would change nothing and cost most of the start. */
async function completed(write: Write, body: JsonObject): Promise<ApiObject> {
  const { host } = write.context;
  const { apiVersion, gvk, definition } = write.environment.resource;
  const { metadata, ...rest } = body as unknown as Omit<ApiObject, 'kind' | 'apiVersion'>; // seeds are objects without a kind
  const { name = '', namespace, labels, annotations } = metadata;
  const object: ApiObject = {
    kind: gvk.kind,
    apiVersion,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: randomUuid(host.random),
      ...(definition.tracksGeneration ? { generation: 1 } : {}),
      creationTimestamp: formatTime(host.clock.now()),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    ...rest,
  };
  return await run(trackOwners(write, object, undefined));
}

async function newStored(write: Write, body: JsonObject, claims: Claims): Promise<ApiObject> {
  const object = completeNew(write, await owned(write, body), claims);
  return await write.environment.form.toStorage(canonical(write, object));
}

/** Applies what the server itself makes to an existing object, with force. */
export async function seedApplied(write: Write, body: JsonObject): Promise<void> {
  const { environment, target, context } = write;
  const { resource, storage, form } = environment;
  const applied = { apiVersion: resource.apiVersion, kind: resource.gvk.kind, ...body };
  const transform = applyTransform(target, context, {
    manager: context.fieldManager,
    force: true,
    read: async () => ({ applied, warnings: [], refusal: '' }),
  });
  await storage.guaranteedUpdate(
    objectKey(resource, target.namespace, target.name),
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
