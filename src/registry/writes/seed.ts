import type { JsonObject } from '../../json/value.js';
import { formatTime } from '../../meta/clock.js';
import { run } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
import type { ResourceDefinition } from '../resource-definition.js';
import { objectKey } from '../served/served-resource.js';
import { applyTransform } from '../transforms/apply.js';
import { Claims } from './claims.js';
import { decodeFields } from './decode-fields.js';
import { canonical, commitNew, completeNew } from './new-object.js';
import { trackOwners } from './track-owners.js';
import { type Write, waitOptions } from './write.js';

/** The stored form of a body, which the servers of a process share except for what identifies the object. */
interface Template {
  readonly definition: ResourceDefinition;
  readonly manager: string;
  readonly stored: ApiObject;
}
const templates = new WeakMap<JsonObject, Template>();

/**
 * Stores an object that the server itself makes, without authorization, admission or validation, as it is known to be valid. An existing
 * object is kept.
 * @param shared whether every server that is given this body stores the same object, except for its uid and its times.
 */
export async function seedObject(write: Write, body: JsonObject, shared: boolean): Promise<void> {
  const { context, environment, target } = write;
  const { definition } = environment.resource;
  const template = shared ? templates.get(body) : undefined;
  const isKnown = template?.definition === definition && template.manager === context.fieldManager;
  const claims = new Claims();
  try {
    const stored = isKnown ? newOf(template.stored, write) : await newStored(write, body, claims);
    if (shared && !isKnown) templates.set(body, { definition, manager: context.fieldManager, stored });
    await commitNew(write, objectKey(environment.resource, target.namespace, target.name), stored);
  } finally {
    claims.end();
  }
}

/** Returns the object of a template with an identity and times of its own. */
function newOf(stored: ApiObject, { context: { host } }: Write): ApiObject {
  const time = formatTime(host.clock.now());
  const managedFields = stored.metadata.managedFields?.map((record) => ({ ...record, time }));
  const metadata = { ...stored.metadata, uid: randomUuid(host.random), creationTimestamp: time };
  return { ...stored, metadata: managedFields ? { ...metadata, managedFields } : metadata };
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
