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
  const { resource } = write.environment;
  const { definition } = resource;
  const { fieldManager: manager } = write.context;
  const known = shared ? templates.get(body) : undefined;
  if (known?.definition === definition && known.manager === manager)
    return await store(write, newOf(known.stored, write));
  await seedNew(write, body, async (stored) => {
    if (shared) templates.set(body, { definition, manager, stored });
    await store(write, stored);
  });
}

async function store(write: Write, stored: ApiObject): Promise<void> {
  const { name = '', namespace = '' } = stored.metadata;
  await commitNew(write, objectKey(write.environment.resource, namespace, name), stored);
}

/** Returns the object of a template with an identity and times of its own. */
function newOf(stored: ApiObject, { context: { host } }: Write): ApiObject {
  const time = formatTime(host.clock.now());
  const managedFields = stored.metadata.managedFields?.map((record) => ({ ...record, time }));
  const metadata = { ...stored.metadata, uid: randomUuid(host.random), creationTimestamp: time };
  return { ...stored, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

async function seedNew(write: Write, body: JsonObject, commit: (stored: ApiObject) => Promise<void>): Promise<void> {
  const { form } = write.environment;
  const claims = new Claims();
  try {
    const object = completeNew(write, await owned(write, body), claims);
    await commit(await form.toStorage(canonical(write, object)));
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
