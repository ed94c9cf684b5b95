import { apiError } from '../../meta/api-error.js';
import { fieldError, printed } from '../../meta/field-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import { joinErrors, type MetadataCheck, validateMetaOnUpdate } from '../../meta/object-meta-validation.js';
import { forgetEncoding } from '../../serialization/encoding-cache.js';
import type { Entry, Update } from '../../store/storage.js';
import { messageOf } from '../../values/message-of.js';
import { parseUnsigned } from '../../values/numbers.js';
import { dropGated } from '../definitions/gated-fields.js';
import { edit, withMetadata } from '../edit.js';
import { asRead, inOrderOf } from '../served/served-form.js';
import { objectKey, requestedKey, type ServedResource } from '../served/served-resource.js';
import type { Claim } from '../strategy.js';
import type { DecodedObject } from '../type-problems.js';
import { canonical, prepareNew, withoutVersion } from './create.js';
import { cascadeDeletion } from './deletion-phase.js';
import { sameExcept } from './equality.js';
import { trackOwners } from './ownership.js';
import {
  admissionAttributes,
  commitsOn,
  metadataRules,
  readyLargeObject,
  refuseAtCommit,
  refuseInvalid,
  routeOf,
  runMutatingAdmission,
  validateKind,
} from './prepare.js';
import { toStorable, trackWhenAbandoned, updateStored, type Write, type WriteTarget, withAllocated } from './write.js';

/** Returns the object that replaces the stored one. It is called again when a concurrent write was committed first. */
export type Transform = (
  current: ApiObject | undefined,
  /** Yields to the event loop between the steps of a large change. */
  pause?: () => Promise<void>,
) => ApiObject | Promise<ApiObject>;

/** The object that a {@link Transform} works on. */
export type UpdateTarget = Pick<WriteTarget, 'resource' | 'subresource' | 'namespace' | 'name'>;

export interface UpdateOptions extends Pick<DecodedObject, 'otherKind'> {
  /** The uid in the body of a PUT. It must be the uid of the stored object. */
  readonly uid?: string;
  /** Whether an absent object may be created: the kind's own rule for PUT, always for apply. */
  readonly mayCreate: boolean;
  /** Whether the transform itself tracks the owners of fields, as the transform of an apply does. Default false. */
  readonly ownsFields?: boolean;
  /**
   * The part that the client writes, if it uses a `PartSubresource` (`/scale`). The transform then runs mutating admission itself, and
   * validating admission receives the part.
   */
  readonly part?: { readonly write: Write; readonly view: (object: ApiObject) => ApiObject };
}

export interface Updated {
  readonly object: ApiObject;
  readonly created: boolean;
}

/** An update, with the function that computes the new object from the stored one. */
interface ObjectUpdate extends Write {
  readonly transform: Transform;
  readonly options: UpdateOptions;
}

/** The results of the latest attempt to commit an update. After a conflict, the next attempt overwrites them. */
interface Outcome {
  /** The object of the response when it is not the committed one: for dry runs, and for objects that this update removed. */
  response: ApiObject | undefined;
  created: boolean;
  /**
   * Lets other requests run between the steps of a large change. Only the first attempt pauses. Later attempts do not, so that no
   * concurrent write can be committed first again.
   */
  pause: (() => Promise<void>) | undefined;
  /** The stored object before the write. */
  current: ApiObject | undefined;
  /** The values (addresses, ports) that the latest attempt has reserved. */
  readonly claims: Claim[];
}

/** Changes a stored object. PUT, every PATCH and apply use this function (spec 3.6). */
export async function updateObject(write: Write, transform: Transform, options: UpdateOptions): Promise<Updated> {
  const { environment, context, target } = write;
  const { form, resource } = environment;
  const update: ObjectUpdate = { environment, target, context, transform, options };
  const key = requestedKey(resource, target.namespace, target.name);
  const outcome: Outcome = {
    response: undefined,
    created: false,
    pause: context.pause,
    current: undefined,
    claims: [],
  };
  try {
    const { entry, outcome: done } = await updateStored(
      write,
      key,
      (current) => trackWhenAbandoned(write, run(tryUpdate(update, current, outcome))),
      () =>
        outcome.created ? commitsOn(write, outcome.claims) : outcome.claims.length === 0 ? [] : [resource.keyPrefix],
    );
    const { response, created, current } = outcome;
    if (done === 'updated' && current) forgetEncoding(current);
    if (done === 'deleted' && response) await cascadeDeletion(write, response);
    if (response) return { object: response, created };
    if (!entry) throw apiError.notFound(resource.groupResource, target.name);
    if (form.ready) await form.ready([entry.value]);
    return { object: form.fromStorage(entry.value), created };
  } finally {
    for (const claim of outcome.claims) claim.end();
  }
}

function* tryUpdate(
  update: ObjectUpdate,
  entry: Entry<ApiObject> | undefined,
  outcome: Outcome,
): Flow<Update<ApiObject>> {
  const { context } = update;
  const { form, resource } = update.environment;
  for (const claim of outcome.claims.splice(0)) claim.end();
  if (update.options.uid) requireUid(update, update.options.uid, entry);
  if (entry && form.ready) yield* settled(form.ready([entry.value]));
  const current = entry && form.fromStorage(entry.value);
  outcome.created = current === undefined;
  outcome.current = current;
  const { pause } = outcome;
  outcome.pause = undefined;
  const next = current
    ? yield* replaceExisting(update, current, outcome, pause)
    : yield* makeAbsent(update, outcome, pause);
  const isRemoved = current !== undefined && isRemovable(update, current, next);
  outcome.response = isRemoved ? inOrderOf(resource, next) : undefined;
  if (context.dryRun) {
    outcome.response = asRead(form, next);
    return { action: 'keep' };
  }
  // Watchers receive the last stored state, not the result of this write, which made the object removable.
  if (isRemoved) return { action: 'delete' };
  const unversioned = current === undefined ? withoutVersion(next) : next;
  const storable = toStorable(form, unversioned, update.options.ownsFields === true, context.host.dialect);
  // The store skips a put that changes nothing, so the objects are not compared here.
  const value = yield* settled(storable);
  if (current === undefined) refuseAtCommit(update, next);
  return { action: 'put', value };
}

/** @throws ApiError 409 when the body has another uid than the stored object, or has a uid although the object is absent. */
function requireUid({ environment, target }: ObjectUpdate, uid: string, entry: Entry<ApiObject> | undefined): void {
  const { resource } = environment;
  const { namespace, name } = target;
  const stored = entry?.value.metadata.uid ?? '';
  if (uid === stored) return;
  const key = objectKey(resource, namespace, name);
  throw apiError.conflict(
    resource.groupResource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`,
  );
}

function* makeAbsent(update: ObjectUpdate, { claims }: Outcome, pause: Outcome['pause']): Flow<ApiObject> {
  const { target, context, transform, options } = update;
  const { resource } = update.environment;
  if (!options.mayCreate || target.subresource !== '') throw apiError.notFound(resource.groupResource, target.name);
  const body = yield* settled(transform(undefined, pause));
  if (pause) yield* settled(pause());
  const own = options.ownsFields ? body : yield* trackOwners(update, body, undefined);
  const owned = pause ? yield* readyLargeObject(update, own, pause) : own;
  const admittedObject = yield* runMutatingAdmission(update, owned, undefined);
  // Only the syntax is checked, because an absent object has no version to compare.
  versionIn(admittedObject, resource);
  return yield* prepareNew(update, admittedObject, claims, () => context.requireVerb('create'));
}

function* replaceExisting(
  update: ObjectUpdate,
  current: ApiObject,
  { claims }: Outcome,
  pause: Outcome['pause'],
): Flow<ApiObject> {
  const { target, context, transform, options } = update;
  const { resource } = update.environment;
  const body = yield* settled(transform(current, pause));
  if (pause) yield* settled(pause());
  const own = options.ownsFields ? body : yield* trackOwners(update, body, current);
  const owned = pause ? yield* readyLargeObject(update, own, pause) : own;
  const { part } = options;
  const admittedObject = part ? owned : yield* runMutatingAdmission(update, owned, current);
  requireVersion(update, admittedObject, current);
  if (options.otherKind) throw options.otherKind;
  const next = prepareChanged(update, admittedObject, current, claims);
  const rules = metadataRules(resource, next);
  const metadataErrors = validateMetaOnUpdate(next.metadata, current.metadata, rules, checksOf(resource, target));
  const ownErrors = yield* validateKind(update, next, current, metadataErrors.flat());
  refuseInvalid(resource, next, joinErrors(metadataErrors, ownErrors));
  for (const warning of routeOf(update)?.warnings?.(next, current, context) ?? []) context.warn(warning);
  yield* update.environment.admission.validate(
    part
      ? admissionAttributes(part.write, part.view(next), part.view(current))
      : admissionAttributes(update, next, current),
  );
  return resource.definition.strategy?.canonicalize ? canonical(update, next) : next;
}

/** Returns the metadata checks that upstream's code for the kind repeats, so that their errors appear twice; undefined for the default. */
function checksOf(
  { definition }: ServedResource,
  { subresource }: Write['target'],
): readonly MetadataCheck[] | undefined {
  if (subresource === '') return definition.metadataChecks ?? (definition.genericMetadata ? ['changes'] : undefined);
  const route = definition.subresources?.[subresource];
  return (route && 'metadataChecks' in route ? route.metadataChecks : undefined) ?? ['changes'];
}

/**
 * Returns the resourceVersion of a request body; 0 when it is absent.
 * @throws ApiError when it is not a number. The status depends on the API dialect (spec 19.20).
 */
function versionIn({ metadata }: ApiObject, { dialect }: ServedResource): bigint {
  const { resourceVersion: version = '' } = metadata;
  try {
    return version === '' ? 0n : parseUnsigned(version);
  } catch (error) {
    throw apiError.clientFault(dialect, messageOf(error));
  }
}

/**
 * @throws ApiError 409 for a stale version, 422 for a missing version that the kind requires, and as {@link versionIn} for one that is not
 * a number.
 */
function requireVersion(
  { environment, target: { name }, options }: ObjectUpdate,
  next: ApiObject,
  current: ApiObject,
): void {
  const { resource } = environment;
  const version = versionIn(next, resource);
  if (version === 0n) {
    // A part (a Scale) without a resourceVersion is accepted for every kind, and changes the newest object.
    if (resource.definition.allowUnconditionalUpdate !== false || options.part) return;
    const error = fieldError.invalid('metadata.resourceVersion', printed('0x0'), 'must be specified for an update');
    throw apiError.invalid({ group: resource.gvr.group, kind: resource.gvr.resource }, name, [error]);
  }
  if (version !== BigInt(current.metadata.resourceVersion ?? 0))
    throw apiError.conflict(
      resource.groupResource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
}

/** Restores the fields that an update may not change, and runs the kind's own `prepareForUpdate`. */
function prepareChanged(write: Write, admittedObject: ApiObject, current: ApiObject, claims: Claim[]): ApiObject {
  const { context } = write;
  const { definition, namespaced } = write.environment.resource;
  const old = current.metadata;
  const restored = withSystemFields(admittedObject, old, namespaced);
  const claimed = write.environment.allocation ? withAllocated(write, restored, current, claims) : restored;
  const { gatedFields = [] } = definition;
  const drop = (from: ApiObject, ofStatus: boolean) => {
    const fields = gatedFields.filter((gated) => (gated.ofStatus ?? false) === ofStatus);
    return dropGated(from, current, fields, context.host.gates);
  };
  let next = drop(claimed, false);
  const route = routeOf(write);
  if (route?.prepareForUpdate) next = edit(next, (draft) => route.prepareForUpdate?.(draft, current, context));
  if (write.target.subresource !== 'status') next = drop(next, true);
  if (!definition.tracksGeneration) return next;
  const statusIsApart = definition.subresources !== undefined && Object.hasOwn(definition.subresources, 'status');
  return sameExcept(next, current, statusIsApart ? ['metadata', 'status'] : ['metadata'])
    ? next
    : withMetadata(next, { generation: (old.generation ?? 0) + 1 });
}

/**
 * Returns the object with the stored values of fields that only the server sets; the same object when the client sent them all unchanged.
 */
function withSystemFields(object: ApiObject, old: ObjectMeta, namespaced: boolean): ApiObject {
  const submitted = object.metadata;
  const namespace = namespaced ? submitted.namespace : undefined;
  const uid = submitted.uid === undefined || submitted.uid === '' ? old.uid : submitted.uid;
  const deletionTimestamp = old.deletionTimestamp ?? submitted.deletionTimestamp;
  const deletionGracePeriodSeconds = submitted.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds;
  const same =
    submitted.namespace === namespace &&
    submitted.uid === uid &&
    submitted.deletionTimestamp === deletionTimestamp &&
    submitted.deletionGracePeriodSeconds === deletionGracePeriodSeconds &&
    submitted.resourceVersion === old.resourceVersion &&
    submitted.creationTimestamp === old.creationTimestamp &&
    submitted.generation === old.generation &&
    submitted.selfLink === old.selfLink;
  if (same) return object;
  const { generation, selfLink, resourceVersion, creationTimestamp } = old;
  return withMetadata(object, {
    namespace,
    generation,
    selfLink,
    resourceVersion,
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
  });
}

/** Returns whether an object that is being deleted may be removed after an update of the object or of a subresource (spec 7.1). */
function isRemovable({ environment }: Write, { metadata: old }: ApiObject, next: ApiObject): boolean {
  if (old.deletionTimestamp === undefined || (next.metadata.finalizers?.length ?? 0) > 0) return false;
  if ((old.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  const ready = environment.resource.definition.strategy?.readyToRemove;
  return ready ? ready(next) : true;
}
