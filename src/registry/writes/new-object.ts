import { formatTime } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomSuffix, randomUuid } from '../../meta/random.js';
import type { TryUpdate, UpdateResult } from '../../store/storage.js';
import { edit, editOwn, withMetadata } from '../edit.js';
import type { RequestContext } from '../request-context.js';
import { interpretStoreError } from '../store-errors.js';
import type { Claims } from './claims.js';
import { dropGated } from './drop-gated.js';
import { type Write, waitOptions } from './write.js';

const GENERATED_PREFIX_LENGTH = 58;

/** Gives a new object what the server and its kind give it. @param claims take what it is given of its own; the caller ends them. */
export function completeNew(write: Write, given: ApiObject, claims: Claims): ApiObject {
  const { context, target } = write;
  const { definition, namespaced } = write.environment.resource;
  const named = withMetadata(given, {
    ...generatedName(given, context),
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

/** The object as storing it makes it. */
export function canonical({ environment }: Write, object: ApiObject): ApiObject {
  const { strategy } = environment.resource.definition;
  return strategy?.canonicalize ? edit(object, (draft) => strategy.canonicalize?.(draft)) : object;
}

/**
 * Stores a new object; what is there already stays.
 * @param check asked as it is stored: whether it may be; it may throw.
 * @param dependsOn what `check` looks at, see {@link UpdateOptions}.
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
    return await write.environment.storage.guaranteedUpdate(
      key,
      put,
      waitOptions(write, () => dependsOn),
    );
  } catch (error) {
    throw interpretStoreError(error, 'write');
  }
}
