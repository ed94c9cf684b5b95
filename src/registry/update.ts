import { apiError } from '../meta/api-error.js';
import { fieldError, printed } from '../meta/field-error.js';
import { type Flow, run, settled } from '../meta/flow.js';
import type { ApiObject, ObjectMeta } from '../meta/object-meta.js';
import { validateMetaOnUpdate } from '../meta/object-meta-validation.js';
import { forgetEncoding } from '../serialization/encoding-cache.js';
import type { Entry, Update } from '../store/storage.js';
import { prepareNew, withoutVersion } from './create.js';
import { edit, withMetadata } from './edit.js';
import { sameBesides } from './equality.js';
import {
  admissionValidated,
  admitted,
  metadataRules,
  refuseInvalid,
  tracked,
  validateKind,
  type WriteTarget,
} from './prepare.js';
import type { RequestContext } from './request-context.js';
import type { ObjectSubresource } from './resource-definition.js';
import { objectKey } from './served-resource.js';
import { interpretStoreError } from './store-errors.js';
import type { Strategy } from './strategy.js';
import type { WriteEnvironment } from './write-environment.js';

/** Makes the next object from the stored one; runs again when another write came between. */
export type Transform = (current: ApiObject | undefined) => ApiObject | Promise<ApiObject>;

/** Where a {@link Transform} works. */
export type UpdateTarget = Pick<WriteTarget, 'resource' | 'subresource' | 'namespace' | 'name'>;

export interface UpdateOptions {
  /** Uid the stored object must have (a PUT body's). */
  readonly uid?: string;
  /** Whether an absent object may be made: the kind's own rule for PUT, always for apply. */
  readonly mayCreate: boolean;
  /** The transform tracks ownership itself (apply). */
  readonly ownsFields?: boolean;
}

export interface Updated {
  readonly object: ApiObject;
  readonly created: boolean;
}

/** What came of the last attempt. */
interface Outcome {
  /** What the answer shows when it is not what was committed: dry runs, and objects that went with this update. */
  shown: ApiObject | undefined;
  created: boolean;
  /** Only the first attempt waits between its steps: the next ones cannot be overtaken any more. */
  pause: (() => Promise<void>) | undefined;
  /** As it was before. */
  current: ApiObject | undefined;
}

/** Changes a stored object: the one flow under PUT, every PATCH and apply (gap file 2.2.6). */
export async function updateObject(
  environment: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  transform: Transform,
  options: UpdateOptions,
): Promise<Updated> {
  const { storage, form, resource } = environment;
  const key = objectKey(resource, target.namespace, target.name);
  const outcome: Outcome = { shown: undefined, created: false, pause: context.pause, current: undefined };
  try {
    const { entry, outcome: done } = await storage.guaranteedUpdate(
      key,
      (current) => run(tryUpdate(environment, context, target, transform, options, current, outcome)),
      context,
    );
    const { shown, created, current } = outcome;
    if (done === 'updated' && current) forgetEncoding(current);
    if (shown) return { object: shown, created };
    if (!entry) throw apiError.notFound(resource.groupResource, target.name);
    return { object: form.fromStorage(entry.value), created };
  } catch (error) {
    throw interpretStoreError(error, 'write');
  }
}

function* tryUpdate(
  environment: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  transform: Transform,
  options: UpdateOptions,
  entry: Entry<ApiObject> | undefined,
  outcome: Outcome,
): Flow<Update<ApiObject>> {
  const { form } = environment;
  requireUid(environment, target, options.uid, entry);
  const current = entry && form.fromStorage(entry.value);
  outcome.created = current === undefined;
  outcome.current = current;
  const { pause } = outcome;
  outcome.pause = undefined;
  const next = current
    ? yield* replaceExisting(environment, context, target, transform, current, options, pause)
    : yield* makeAbsent(environment, context, target, transform, options, pause);
  const leaves = current !== undefined && mayGo(environment, target, current, next);
  outcome.shown = leaves ? next : undefined;
  if (context.dryRun) {
    outcome.shown = current === undefined ? withoutVersion(next) : next;
    return { action: 'keep' };
  }
  // Watchers are told of the last stored state, not of the one that let it go.
  if (leaves) return { action: 'delete' };
  // What changes nothing is not written: the store sees to that.
  return { action: 'put', value: form.toStorage(next) };
}

/** @throws ApiError 409 when the body names another uid than the stored object's, or one of an absent object. */
function requireUid(
  { resource }: WriteEnvironment,
  { namespace, name }: WriteTarget,
  uid: string | undefined,
  entry: Entry<ApiObject> | undefined,
): void {
  const stored = entry?.value.metadata.uid ?? '';
  if (uid === undefined || uid === '' || uid === stored) return;
  const key = objectKey(resource, namespace, name);
  throw apiError.conflict(
    resource.groupResource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`,
  );
}

function* makeAbsent(
  environment: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  transform: Transform,
  options: UpdateOptions,
  pause: (() => Promise<void>) | undefined,
): Flow<ApiObject> {
  const { resource, admission } = environment;
  if (!options.mayCreate || target.subresource !== '') throw apiError.notFound(resource.groupResource, target.name);
  const body = yield* settled(transform(undefined));
  yield* settled(context.requireVerb('create'));
  if (pause) yield* settled(pause());
  const owned = options.ownsFields ? body : tracked(target, context, body, undefined);
  if (pause) yield* settled(pause());
  const admittedObject = yield* admitted(admission, target, context, 'CREATE', owned, undefined);
  return withoutVersion(yield* prepareNew(environment, context, target, admittedObject));
}

function* replaceExisting(
  environment: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  transform: Transform,
  current: ApiObject,
  options: UpdateOptions,
  pause: (() => Promise<void>) | undefined,
): Flow<ApiObject> {
  const { resource, admission } = environment;
  const body = yield* settled(transform(current));
  if (pause) yield* settled(pause());
  const owned = options.ownsFields ? body : tracked(target, context, body, current);
  if (pause) yield* settled(pause());
  const admittedObject = yield* admitted(admission, target, context, 'UPDATE', owned, current);
  requireVersion(environment, target, admittedObject, current);
  const next = prepareChanged(environment, context, target, admittedObject, current);
  const route = routeOf(environment, target);
  refuseInvalid(resource, next, [
    ...validateMetaOnUpdate(next.metadata, current.metadata, metadataRules(resource, next), {
      changesOnly: target.subresource !== '' || resource.definition.groupStem === undefined,
    }),
    ...(yield* validateKind(resource, route, next, current, context)),
  ]);
  for (const warning of route?.warnings?.(next, current, context) ?? []) context.warn(warning);
  yield* admissionValidated(admission, target, context, 'UPDATE', next, current);
  return next;
}

/** The strategy of the route a write came by. */
function routeOf({ resource }: WriteEnvironment, { subresource }: WriteTarget): RouteStrategy | undefined {
  const { definition } = resource;
  if (subresource === '') return definition.strategy;
  return (definition.subresources?.[subresource] as ObjectSubresource<ApiObject> | undefined)?.strategy; // only these are updated
}
export type RouteStrategy = Pick<
  Strategy<ApiObject>,
  'prepareForUpdate' | 'validate' | 'validateUpdate' | 'warnings' | 'readyToRemove'
>;

/** @throws ApiError 409 for a stale version, 422 where the kind wants one, 500 for one that is no number. */
function requireVersion(
  { resource }: WriteEnvironment,
  { name }: WriteTarget,
  next: ApiObject,
  current: ApiObject,
): void {
  const version = next.metadata.resourceVersion ?? '';
  if (version !== '' && !/^\d+$/.test(version))
    throw apiError.unknown(`strconv.ParseUint: parsing "${version}": invalid syntax`);
  if (version === '' || Number(version) === 0) {
    if (resource.definition.allowUnconditionalUpdate !== false) return;
    const error = fieldError.invalid('metadata.resourceVersion', printed('0x0'), 'must be specified for an update');
    throw apiError.invalid({ group: resource.gvr.group, kind: resource.gvr.resource }, name, [error]);
  }
  if (Number(version) !== Number(current.metadata.resourceVersion))
    throw apiError.conflict(
      resource.groupResource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
}

/** Gives back what an update may not change, and lets the kind do the same. */
function prepareChanged(
  environment: WriteEnvironment,
  context: RequestContext,
  target: WriteTarget,
  admittedObject: ApiObject,
  current: ApiObject,
): ApiObject {
  const { definition, namespaced } = environment.resource;
  const old = current.metadata;
  let next = withSystemFields(admittedObject, old, namespaced);
  const route = routeOf(environment, target);
  if (route?.prepareForUpdate) next = edit(next, (draft) => route.prepareForUpdate?.(draft, current, context));
  if (!definition.tracksGeneration) return next;
  const statusIsApart = definition.subresources !== undefined && Object.hasOwn(definition.subresources, 'status');
  return sameBesides(next, current, statusIsApart ? ['metadata', 'status'] : ['metadata'])
    ? next
    : withMetadata(next, { generation: (old.generation ?? 0) + 1 });
}

/** The object with what the server alone says as it was; itself where a client sent all of it back. */
function withSystemFields(object: ApiObject, old: ObjectMeta, namespaced: boolean): ApiObject {
  const given = object.metadata;
  const namespace = namespaced ? given.namespace : undefined;
  const uid = given.uid === undefined || given.uid === '' ? old.uid : given.uid;
  const deletionTimestamp = old.deletionTimestamp ?? given.deletionTimestamp;
  const deletionGracePeriodSeconds = given.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds;
  const same =
    given.namespace === namespace &&
    given.uid === uid &&
    given.deletionTimestamp === deletionTimestamp &&
    given.deletionGracePeriodSeconds === deletionGracePeriodSeconds &&
    given.resourceVersion === old.resourceVersion &&
    given.creationTimestamp === old.creationTimestamp &&
    given.generation === old.generation &&
    given.selfLink === old.selfLink;
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

/** Whether this update lets go of the last thing that held a deleted object. */
function mayGo(environment: WriteEnvironment, target: WriteTarget, current: ApiObject, next: ApiObject): boolean {
  if (next.metadata.deletionTimestamp === undefined || (next.metadata.finalizers?.length ?? 0) > 0) return false;
  if ((next.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  const ready = environment.resource.definition.strategy?.readyToRemove;
  if (ready) return ready(next);
  // Without finalizers before this write the object waits for something else than finalizers.
  return target.subresource === '' && (current.metadata.finalizers?.length ?? 0) > 0;
}
