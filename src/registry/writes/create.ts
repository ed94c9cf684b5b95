import { apiError } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { validateGenericName, validateWholeMeta } from '../../meta/object-meta-validation.js';
import { type Random, randomSuffix, randomUuid } from '../../meta/random.js';
import type { TryUpdate } from '../../store/storage.js';
import { dropGated } from '../definitions/gated-fields.js';
import { edit, editOwn, withMetadata } from '../edit.js';
import { asRead } from '../served/served-form.js';
import { objectKey } from '../served/served-resource.js';
import type { Claim } from '../strategy.js';
import { trackOwners } from './ownership.js';
import {
  admissionAttributes,
  commitsOn,
  deduplicateOwners,
  matchNamespace,
  metadataRules,
  readyLargeObject,
  refuseAtCommit,
  refuseInvalid,
  runMutatingAdmission,
  validateKind,
} from './prepare.js';
import { isTooLarge, newestState, runInTime, toStorable, updateStored, type Write, withAllocated } from './write.js';

// The total number of attempts to find a generated name that is free (spec 3.5).
const NAME_ATTEMPTS = 8;

/** Stores a new object (spec 3.4). */
export async function createObject(write: Write, body: ApiObject): Promise<ApiObject> {
  const { context } = write;
  const sent = deduplicateOwners(withoutSystemFields(body), context);
  // A too large object is refused later, after other errors. Tracking the owners of its fields is the most expensive step, so it is
  // skipped.
  const isRefused = context.pause !== undefined && !context.dryRun && isTooLarge(sent);
  const own = isRefused
    ? withMetadata(sent, { managedFields: undefined })
    : await run(trackOwners(write, sent, undefined));
  // Preparing a large object lets other requests run, so it comes before admission: what admission checked, such as that the namespace is
  // not terminating, must still hold at the commit.
  const owned = context.pause ? await run(readyLargeObject(write, own, context.pause)) : own;
  const admittedObject = await runInTime(write, runMutatingAdmission(write, owned, undefined));
  for (let attempt = 1; ; attempt++) {
    const claims: Claim[] = [];
    try {
      const created = await createOnce(write, admittedObject, claims, attempt);
      if (created) return created;
    } finally {
      for (const claim of claims) claim.end();
    }
  }
}

/**
 * Attempts to store the object. Returns undefined when a generated name or an allocated value was taken, so that another attempt may
 * succeed. @throws ApiError
 */
async function createOnce(
  write: Write,
  admittedObject: ApiObject,
  claims: Claim[],
  attempt: number,
): Promise<ApiObject | undefined> {
  const { context, target } = write;
  const { resource, storage, form } = write.environment;
  const object = await runInTime(write, prepareNew(write, admittedObject, claims));
  const name = object.metadata.name ?? '';
  const key = objectKey(resource, target.namespace, name);
  // As in upstream, a dry run leaves out what the storage does: it neither checks the size nor refuses or clears the resourceVersion.
  const storable = context.dryRun ? undefined : storableNew(write, object);
  const stored = storable instanceof Promise ? await storable : storable;
  let taken = storage.get(key);
  // Another server may have stored or removed the object. Before the request fails with a conflict, or a dry run returns its result, the
  // storage therefore catches up with its backend.
  if (taken || context.dryRun) {
    await newestState(write);
    taken = storage.get(key);
  }
  if (!taken) {
    if (!stored) return asRead(form, object);
    let isLost = false;
    const put: TryUpdate<ApiObject> = (current) => {
      if (current) return { action: 'keep' };
      refuseAtCommit(write, object);
      isLost = claims.some((claim) => !claim.isStillFree());
      return isLost ? { action: 'keep' } : { action: 'put', value: stored };
    };
    const result = await updateStored(write, key, put, () => commitsOn(write, claims));
    // Another server stored an object with the same allocated value first.
    if (isLost) return undefined;
    if (result.outcome === 'created' && result.entry) {
      if (form.ready) await form.ready([result.entry.value]);
      return form.fromStorage(result.entry.value);
    }
  }
  const { gates } = context.host;
  const generated = (admittedObject.metadata.name ?? '') === '';
  if (generated && attempt < NAME_ATTEMPTS && gates.RetryGenerateName) return undefined;
  const isDeleting = (taken ?? storage.get(key))?.value.metadata.deletionTimestamp !== undefined;
  // An object with generateName gets this error even if the caller also gave a name.
  if ((object.metadata.generateName ?? '') !== '')
    throw apiError.generateNameConflict(resource.groupResource, name, isDeleting);
  throw (isDeleting ? apiError.alreadyExistsDeleting : apiError.alreadyExists)(resource.groupResource, name);
}

/**
 * Removes the fields that only the server sets; values that the body of a POST sends are ignored (spec 3.4). As in upstream, an apply or a
 * PUT that creates its object keeps them, except for the uid and the time of creation.
 */
function withoutSystemFields(body: ApiObject): ApiObject {
  const { uid, selfLink, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = body.metadata;
  if (
    (uid ?? selfLink ?? creationTimestamp ?? deletionTimestamp ?? deletionGracePeriodSeconds ?? undefined) === undefined
  )
    return body;
  return withMetadata(body, {
    uid: undefined,
    selfLink: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
}

/**
 * Fills, validates and admits a new object: everything between mutating admission and the store.
 * @param claims collects the values that are allocated for the object; the caller ends their reservation.
 * @param permit called when the object is valid, for requests that were not authorized as `create`.
 */
export function* prepareNew(
  write: Write,
  admittedObject: ApiObject,
  claims: Claim[],
  permit?: () => void | Promise<void>,
): Flow<ApiObject> {
  const { context } = write;
  const { resource } = write.environment;
  const { definition } = resource;
  // Admission may have changed the namespace. A namespace other than the path's is refused, as it is in a request body.
  const object = completeNew(write, matchNamespace(resource, admittedObject, write.target.namespace), claims);
  const { strategy } = definition;
  const metadataErrors = validateWholeMeta(object.metadata, metadataRules(resource, object));
  const ownErrors = yield* validateKind(write, object, undefined, metadataErrors);
  // For kinds that do not validate metadata, the generic metadata errors are reported only when the kind itself has no errors.
  const isLast = definition.checksMetadataLast && ownErrors.length > 0;
  const errors = isLast ? ownErrors : [...metadataErrors, ...ownErrors];
  refuseInvalid(resource, object, errors.length > 0 ? errors : validateGenericName(object.metadata));
  for (const warning of strategy?.warnings?.(object, undefined, context) ?? []) context.warn(warning);
  if (permit) yield* settled(permit());
  yield* write.environment.admission.validate(admissionAttributes(write, object, undefined));
  return strategy?.canonicalize ? canonical(write, object) : object;
}

/**
 * Returns a new object in its stored form. The size error takes precedence over the error of a name that is taken.
 * @throws ApiError when the object has a resourceVersion other than 0; a value that is not a number passes (spec 3.4). The status depends on
 * the API dialect (spec 19.20). Also throws as {@link toStorable}.
 */
function storableNew({ environment, context }: Write, object: ApiObject): ApiObject | Promise<ApiObject> {
  const { dialect } = context.host;
  const { resourceVersion: version, selfLink } = object.metadata;
  if (version !== undefined && /^\d+$/.test(version) && Number(version) !== 0)
    throw apiError.clientFault(dialect, 'resourceVersion should not be set on objects to be created');
  const unversioned = (version ?? selfLink) === undefined ? object : withoutVersion(object);
  return toStorable(environment.form, unversioned, false, dialect);
}

/** Returns a new object without the resourceVersion and the selfLink, which are not stored. */
export function withoutVersion(object: ApiObject): ApiObject {
  const { resourceVersion, selfLink } = object.metadata;
  return resourceVersion === undefined && selfLink === undefined
    ? object
    : withMetadata(object, { resourceVersion: undefined, selfLink: undefined });
}

const GENERATED_PREFIX_LENGTH = 58;

/**
 * Fills the fields of a new object that the server or the kind's strategy sets.
 * @param claims collects the values that are allocated for the object; the caller ends their reservation.
 */
function completeNew(write: Write, submitted: ApiObject, claims: Claim[]): ApiObject {
  const { context, target } = write;
  const { definition, namespaced } = write.environment.resource;
  const named = withMetadata(submitted, {
    name: submitted.metadata.name || nameToCreate(submitted, context.host.random),
    namespace: namespaced ? target.namespace : undefined,
    uid: randomUuid(context.host.random),
    creationTimestamp: formatTime(context.host.clock.now()),
    generation: definition.tracksGeneration ? 1 : submitted.metadata.generation,
  });
  const claimed = write.environment.allocation ? withAllocated(write, named, undefined, claims) : named;
  const { gatedFields, strategy } = definition;
  const object = gatedFields ? dropGated(claimed, undefined, gatedFields, context.host.gates) : claimed;
  return strategy?.prepareForCreate ? editOwn(object, (draft) => strategy.prepareForCreate?.(draft, context)) : object;
}

/** Returns the name of a new object. If the caller gave only `generateName`, the name is generated. */
export function nameToCreate({ metadata }: ApiObject, random: Random): string | undefined {
  const { name, generateName } = metadata;
  if ((name !== undefined && name !== '') || generateName === undefined || generateName === '') return name;
  return `${generateName.slice(0, GENERATED_PREFIX_LENGTH)}${randomSuffix(random)}`;
}

/** Returns the object with the fields that its kind's strategy fills before it is stored (`canonicalize`). */
export function canonical({ environment }: Write, object: ApiObject): ApiObject {
  const { strategy } = environment.resource.definition;
  return edit(object, (draft) => strategy?.canonicalize?.(draft));
}
