import { decodeManagedFields, encodeManagedFields } from '../../fields/managed-fields.js';
import { type Manager, ownerOf, withFields } from '../../fields/merge/managers.js';
import { difference, fieldPathSet, includes, isEmpty, type PathSet } from '../../fields/paths/path-set.js';
import { apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { ApiObject, ManagedFieldsEntry } from '../../meta/object-meta.js';
import { edit, withMetadata } from '../edit.js';
import type { ServedPart } from '../served/served-part.js';
import { trackOwners } from './ownership.js';
import { refuseInvalid, runMutatingAdmission } from './prepare.js';
import { type Transform, type Updated, type UpdateTarget, updateObject } from './update.js';
import type { Write } from './write.js';

interface PartOptions {
  /** The uid in the body of a PUT. It must be the uid of the stored object. */
  readonly uid?: string | undefined;
  /** Whether the transform itself tracks the owners of fields, as the transform of an apply does. Default false. */
  readonly ownsFields?: boolean;
}

/**
 * Changes a stored object through a `PartSubresource` (`/scale`), by the rules of the whole object.
 * @param make returns the transform of the part (the Scale) for the given target
 * @throws what the transform throws, and ApiError as `updateObject`.
 */
export async function updatePart(
  write: Write,
  served: ServedPart,
  make: (target: UpdateTarget) => Transform,
  { uid, ownsFields = false }: PartOptions = {},
): Promise<Updated> {
  const { environment, target } = write;
  const { resource, view } = served;
  const ofPart: Write = { ...write, target: { ...target, resource }, environment: { ...environment, resource } };
  const ofWhole: Write = { ...write, target: { ...target, subresource: '' } };
  const transform = partTransform(ofPart, served, make(ofPart.target), ownsFields);
  const { object, created } = await updateObject(ofWhole, transform, {
    mayCreate: false,
    ownsFields: true,
    part: { write: ofPart, view },
    ...(uid === undefined ? {} : { uid }),
  });
  // As in upstream, the response to a write may lack the part. The stored version may have dropped what was written.
  return { object: view(object), created };
}

/**
 * Returns a transform of the whole object that changes only the part which a subresource serves. The given transform, field ownership and
 * mutating admission all work on the part.
 * @param write a write whose target is the part, in the part's own kind
 * @param ownsFields whether the transform of the part tracks ownership itself (apply)
 * @throws what the transform throws; ApiError 404 for an absent object, 422 for a part that is not valid.
 */
function partTransform(write: Write, served: ServedPart, transform: Transform, ownsFields: boolean): Transform {
  return (current, pause) => run(changePart(write, served, transform, ownsFields, current, pause));
}

function* changePart(
  write: Write,
  { part, resource, viewForChange }: ServedPart,
  transform: Transform,
  ownsFields: boolean,
  current: ApiObject | undefined,
  pause: (() => Promise<void>) | undefined,
): Flow<ApiObject> {
  const { name } = write.target;
  if (current === undefined) throw apiError.notFound(resource.groupResource, name);
  const { fieldOfObject: field, fieldOfVersions: versions } = part;
  const ofWhole = { apiVersion: current.apiVersion ?? '', field, ...(versions && { versions }) };
  const ofPart = { apiVersion: resource.apiVersion, field: part.field };
  const { managedFields } = current.metadata;
  const old = withMetadata(viewForChange(current), { managedFields: ownersOfPart(managedFields, ofWhole, ofPart) });
  const transformed = yield* settled(transform(old, pause));
  const owned = ownsFields ? transformed : yield* trackOwners(write, transformed, old);
  const next = yield* runMutatingAdmission(write, owned, old);
  refuseInvalid(resource, next, part.validate(next));
  const changed = edit(current, (draft) => part.write(draft, next));
  return withMetadata(changed, {
    resourceVersion: next.metadata.resourceVersion,
    managedFields: ownersOfWhole(managedFields, next.metadata.managedFields, ofWhole, ofPart),
  });
}

/** The path of a field in a version of a kind: `{ apiVersion: 'apps/v1', field: 'spec.replicas' }`. */
interface VersionedField {
  readonly apiVersion: string;
  readonly field: string;
  /** See `PartSubresource.fieldOfVersions`. */
  readonly versions?: ReadonlyMap<string, string | undefined>;
}

type Entries = readonly ManagedFieldsEntry[] | undefined;

/**
 * Returns the managedFields of a part: the managers that own the corresponding field of the whole object own the part's field.
 * @throws UndecodableManagedFields
 */
function ownersOfPart(entries: Entries, whole: VersionedField, part: VersionedField): Entries {
  const fields = fieldSet(part.field);
  const owners = new Map<string, Manager>();
  for (const [id, manager] of decodeManagedFields(entries))
    if (ownedOf(manager, whole))
      owners.set(id, ownerOf({ ...manager, apiVersion: part.apiVersion }, fields, manager.time));
  return encodeManagedFields(owners);
}

/**
 * Returns the managedFields of the whole object after a write of its part. The managers that own the part's field become the only owners of
 * the object's field. A new entry for the field has no `time`, as in upstream.
 * @throws UndecodableManagedFields
 */
function ownersOfWhole(entries: Entries, partEntries: Entries, whole: VersionedField, part: VersionedField): Entries {
  const field = fieldSet(whole.field);
  const fieldOfPart = fieldSet(part.field);
  const ofPart = new Map(
    [...decodeManagedFields(partEntries)].filter(([, { fields }]) => includes(fields, fieldOfPart)),
  );
  const owners = new Map<string, Manager>();
  for (const [id, manager] of decodeManagedFields(entries)) {
    if (whole.versions?.has(manager.apiVersion) === false) continue;
    const owned = ownedOf(manager, whole);
    // The id of a manager with the operation Update contains an apiVersion, and the part has another one than the object. As in upstream,
    // the manager therefore gets a separate entry for the field, even if it owned the field before.
    const left = !owned || ofPart.delete(id) ? manager.fields : difference(manager.fields, owned);
    if (!isEmpty(left)) owners.set(id, withFields(manager, left));
  }
  for (const [id, manager] of ofPart)
    owners.set(id, ownerOf({ ...manager, apiVersion: whole.apiVersion }, field, undefined));
  return encodeManagedFields(owners, entries);
}

/**
 * Returns the path of the whole object's field in the API version of a manager's entry; undefined when the manager does not own the field.
 */
function ownedOf({ apiVersion, fields }: Manager, whole: VersionedField): PathSet | undefined {
  const name = apiVersion === whole.apiVersion ? whole.field : whole.versions?.get(apiVersion);
  if (name === undefined) return undefined;
  const field = fieldSet(name);
  return includes(fields, field) ? field : undefined;
}

const fieldSet = (field: string): PathSet => fieldPathSet([field]);
