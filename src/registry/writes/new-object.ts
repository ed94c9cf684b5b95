import { formatTime } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomSuffix, randomUuid } from '../../meta/random.js';
import type { TryUpdate, UpdateResult } from '../../store/storage.js';
import { edit, editOwn, withMetadata } from '../edit.js';
import type { RequestContext } from '../request-context.js';
import { interpretStoreError } from '../store-errors.js';
import type { Claims } from './claims.js';
import { dropGated } from './drop-gated.js';
import { updateStored, type Write } from './write.js';

const GENERATED_PREFIX_LENGTH = 58;

/**
 * Fills the fields of a new object that the server and its kind set. @param claims collect the values that are allocated for it; the caller
 * ends them.
 */
export function completeNew(write: Write, submitted: ApiObject, claims: Claims): ApiObject {
  const { context, target } = write;
  const { definition, namespaced } = write.environment.resource;
  const named = withMetadata(submitted, {
    ...generatedName(submitted, context),
    namespace: namespaced ? target.namespace : undefined,
    selfLink: undefined,
    uid: randomUuid(context.host.random),
    creationTimestamp: formatTime(context.host.clock.now()),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    ...(definition.tracksGeneration ? { generation: 1 } : {}),
  });
  const claimed = claims.complete(write, named, undefined);
  const object = dropGated(claimed, undefined, definition.gatedFields, context.host.gates);
  const { strategy } = definition;
  return strategy?.prepareForCreate ? editOwn(object, (draft) => strategy.prepareForCreate?.(draft, context)) : object;
}

function generatedName({ metadata }: ApiObject, context: RequestContext): { readonly name?: string } {
  const { name, generateName } = metadata;
  if (name !== undefined && name !== '') return {};
  if (generateName === undefined || generateName === '') return {};
  return { name: `${generateName.slice(0, GENERATED_PREFIX_LENGTH)}${randomSuffix(context.host.random)}` };
}

/** Returns the object with the fields that its kind fills when it is stored. */
export function canonical({ environment }: Write, object: ApiObject): ApiObject {
  const { strategy } = environment.resource.definition;
  return strategy?.canonicalize ? edit(object, (draft) => strategy.canonicalize?.(draft)) : object;
}

/**
 * Stores a new object; an existing object is kept.
 * @param check called at the commit; the object is not stored when it returns false or throws.
 * @param dependsOn key prefixes that `check` depends on, see {@link UpdateOptions}.
 */
export async function commitNew(
  write: Write,
  key: string,
  value: ApiObject,
  check?: () => boolean,
  dependsOn: readonly string[] = [],
): Promise<UpdateResult<ApiObject>> {
  try {
    const put: TryUpdate<ApiObject> = (current) => {
      if (current) return { action: 'keep' };
      return check?.() === false ? { action: 'keep' } : { action: 'put', value };
    };
    return await updateStored(write, key, put, () => dependsOn);
  } catch (error) {
    throw interpretStoreError(error, 'write');
  }
}
