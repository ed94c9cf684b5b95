import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { validateMetaOnCreate } from '../../meta/object-meta-validation.js';
import { withMetadata } from '../edit.js';
import { asRead } from '../served/served-form.js';
import { objectKey } from '../served/served-resource.js';
import { Claims } from './claims.js';
import { matchNamespace } from './name-checks.js';
import { canonical, commitNew, completeNew } from './new-object.js';
import {
  commitsOn,
  deduplicateOwners,
  metadataRules,
  readyLargeObject,
  refuseAtCommit,
  refuseInvalid,
  runMutatingAdmission,
  runValidatingAdmission,
  validateKind,
} from './prepare.js';
import { isTooLarge, toStorable } from './stored-size.js';
import { trackOwners } from './track-owners.js';
import { runInTime, type Write } from './write.js';

// A generated name that is taken is generated anew this often in all (spec 3.5).
const NAME_ATTEMPTS = 8;

/** Stores a new object (spec 3.4). */
export async function createObject(write: Write, body: ApiObject): Promise<ApiObject> {
  const { context } = write;
  const sent = deduplicateOwners(withoutSystemFields(body), context);
  // It is refused later, unless something else is wrong with it; to find the owners of its fields is the longest part of it.
  const isRefused = context.pause !== undefined && !context.dryRun && isTooLarge(sent);
  const own = isRefused
    ? withMetadata(sent, { managedFields: undefined })
    : await run(trackOwners(write, sent, undefined));
  // Not after admission: what it found (that the namespace lives) must still be so at the commit.
  const owned = context.pause ? await run(readyLargeObject(write, own, context.pause)) : own;
  const admittedObject = await runInTime(write, runMutatingAdmission(write, owned, undefined));
  for (let attempt = 1; ; attempt++) {
    const claims = new Claims();
    try {
      const created = await createOnce(write, admittedObject, claims, attempt);
      if (created) return created;
    } finally {
      claims.end();
    }
  }
}

/** One attempt; undefined when something that it was given was taken and another one may do. @throws ApiError */
async function createOnce(
  write: Write,
  admittedObject: ApiObject,
  claims: Claims,
  attempt: number,
): Promise<ApiObject | undefined> {
  const { context, target } = write;
  const { resource, storage, form } = write.environment;
  const object = await runInTime(write, prepareNew(write, admittedObject, claims));
  const name = object.metadata.name ?? '';
  const key = objectKey(resource, target.namespace, name);
  refuseResourceVersion(object, context.host.dialect);
  const unversioned = withoutVersion(object);
  // The size is refused before a name that is taken.
  const storable = context.dryRun ? undefined : toStorable(form, unversioned, false, context.host.dialect);
  const stored = storable instanceof Promise ? await storable : storable;
  const taken = storage.get(key);
  if (!taken) {
    if (!stored) return asRead(form, unversioned);
    let isLost = false;
    const check = () => {
      refuseAtCommit(write, object);
      isLost = !claims.areStillFree();
      return !isLost;
    };
    const result = await commitNew(write, key, stored, check, commitsOn(write, claims));
    // Another server was faster: something else is taken.
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
  // A prefix decides which, even beside a name of the caller's own.
  if ((object.metadata.generateName ?? '') !== '')
    throw apiError.generateNameConflict(resource.groupResource, name, isDeleting);
  throw (isDeleting ? apiError.alreadyExistsDeleting : apiError.alreadyExists)(resource.groupResource, name);
}

/** What the server alone says about an object; what a client says about it is ignored (spec 3.4). */
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
 * @param claims take what the object is given of its own; the caller ends them.
 * @param permit asked once the object is valid, by what was not authorized as a creation.
 */
export function* prepareNew(
  write: Write,
  admittedObject: ApiObject,
  claims: Claims,
  permit?: () => void | Promise<void>,
): Flow<ApiObject> {
  const { context } = write;
  const { resource } = write.environment;
  const { definition } = resource;
  // Admission may have moved it, which is refused as from anybody.
  const object = completeNew(write, matchNamespace(resource, admittedObject, write.target.namespace), claims);
  const { strategy } = definition;
  const metadataErrors = validateMetaOnCreate(object.metadata, metadataRules(resource, object));
  const ownErrors = yield* validateKind(write, object, undefined);
  // Where the kind does not look at the metadata, all kinds' flow does so once the kind found no fault.
  const looks = definition.looksAtMetadata !== 'nothing';
  refuseInvalid(resource, object, looks || ownErrors.length === 0 ? [...metadataErrors, ...ownErrors] : ownErrors);
  for (const warning of strategy?.warnings?.(object, undefined, context) ?? []) context.warn(warning);
  if (permit) yield* settled(permit());
  yield* runValidatingAdmission(write, object, undefined);
  return canonical(write, object);
}

/** @throws ApiError: a new object has no version yet; what is no number passes (spec 3.4). The dialect decides the status (spec 19.20). */
function refuseResourceVersion({ metadata }: ApiObject, dialect: Dialect): void {
  const version = metadata.resourceVersion ?? '';
  if (/^\d+$/.test(version) && Number(version) !== 0)
    throw apiError.clientFault(dialect, 'resourceVersion should not be set on objects to be created');
}

/** An object that is not stored has no version. */
export function withoutVersion(object: ApiObject): ApiObject {
  return object.metadata.resourceVersion === undefined ? object : withMetadata(object, { resourceVersion: undefined });
}
