import { trackOwnership } from '../../fields/field-manager.js';
import { ConversionNeeded, type Convert, type Typed } from '../../fields/merge/managers.js';
import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { type Flow, settled } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type DecodeOptions, decodeTyped } from '../../schema/decode.js';
import { decodeStructural } from '../../schema/decode-structural.js';
import { DefaultsTooLarge } from '../../schema/defaults.js';
import { withMember } from '../../schema/json-objects.js';
import { editOwn } from '../edit.js';
import type { StorageForm } from '../resource-definition.js';
import { type ConvertLater, ownershipRules, type ServedResource } from '../served/served-resource.js';
import type { Write } from './write.js';

/** Returns the conversion between versions whose objects share one storage (a key prefix). */
export function conversionBetween(
  versions: readonly ServedResource[],
): Pick<ServedResource, 'convert'> | Pick<ServedResource, 'convertLater'> {
  // Only conversion webhooks need to be waited for; built-in kinds convert synchronously.
  return versions.some((version) => formOf(version)?.converter)
    ? { convertLater: convertLater(versions) }
    : { convert: convertBetween(versions) };
}

/**
 * Returns the conversion between API versions that store their objects under one key prefix. With this conversion, a field that a manager
 * owns in one version stays owned in all versions.
 */
function convertBetween(versions: readonly ServedResource[]): Convert {
  return (object, apiVersion) => {
    const from = versions.find((version) => version.apiVersion === object.apiVersion);
    const to = versions.find((version) => version.apiVersion === apiVersion);
    if (from === undefined || to === undefined) return undefined;
    // The value is an object in the version `object.apiVersion`, so the cast is safe.
    const fieldsObject = object.value as unknown as ApiObject;
    if (formOf(to)?.hasOneForm) return typedIn(to, { ...fieldsObject, apiVersion });
    const value = { ...fieldsObject, metadata: fieldsObject.metadata ?? {} };
    const stored = formOf(from)?.toStorage(value, from.dialect) ?? value;
    const converted = withoutEmptyMetadata(formOf(to)?.fromStorage(stored, to.dialect) ?? stored);
    return typedIn(to, converted);
  };
}

/** Removes metadata that was added for the conversion, because the fields that a manager owns may not include metadata. */
function withoutEmptyMetadata(object: ApiObject): Partial<ApiObject> {
  const { metadata, ...others } = object;
  return Object.keys(metadata).length === 0 ? others : object;
}

/** Pairs an object with the schema of its version. The object may lack its metadata. */
const typedIn = ({ apiVersion, definition }: ServedResource, object: Partial<ApiObject>): Typed => ({
  apiVersion,
  schema: definition.schema,
  value: object as unknown as JsonValue, // API objects are plain JSON, so the cast is safe.
});

function convertLater(versions: readonly ServedResource[]): ConvertLater {
  return (object, apiVersion) => {
    const to = versions.find((version) => version.apiVersion === apiVersion);
    const converter = to && formOf(to)?.converter;
    if (!converter || !versions.some((version) => version.apiVersion === object.apiVersion)) return undefined;
    // The value is an object in the version `object.apiVersion`, so the cast is safe.
    const value = object.value as unknown as ApiObject;
    return converter.convert([value], apiVersion, 'merge').then(([converted = value]) => typedIn(to, converted));
  };
}

const formOf = ({ definition }: ServedResource): StorageForm | undefined =>
  definition.storedAs ?? definition.storageForm;

/**
 * The maximum number of conversions per merge. It only guards against endless restarts, because a merge needs only a few conversions for
 * each manager's version.
 */
const MAX_CONVERSIONS = 1000;

/**
 * Runs work that converts objects asynchronously. The work restarts whenever it needs a conversion that is not known yet, so it must have
 * no side effects. A conversion that fails throws inside the work.
 */
export function* withConversions<T extends object>(
  later: ConvertLater,
  work: (convert: Convert) => T | Flow<T>,
): Flow<T> {
  const known = new Map<string, () => ReturnType<Convert>>();
  const knownOrRequested: Convert = (object, apiVersion) => {
    const found = known.get(keyOf(object, apiVersion));
    if (!found) throw new ConversionNeeded(object, apiVersion);
    return found();
  };
  for (;;) {
    try {
      return yield* flowOf(work(knownOrRequested));
    } catch (error) {
      if (!(error instanceof ConversionNeeded) || known.size === MAX_CONVERSIONS) throw error;
      known.set(keyOf(error.object, error.apiVersion), yield* outcomeOf(later, error));
    }
  }
}

/** Waits for a conversion. Returns a function that returns the converted object or throws the error of the conversion. */
function* outcomeOf(later: ConvertLater, { object, apiVersion }: ConversionNeeded): Flow<() => ReturnType<Convert>> {
  try {
    const converted = yield* settled(later(object, apiVersion));
    return () => converted;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/**
 * Returns the cache key of a conversion. It is made from the object's content, not its identity, because restarted work builds its objects
 * again.
 */
const keyOf = ({ apiVersion, value }: Parameters<Convert>[0], targetVersion: string) =>
  `${apiVersion} ${targetVersion} ${JSON.stringify(value)}`;

function* flowOf<T extends object>(result: T | Flow<T>): Flow<T> {
  return Symbol.iterator in result && 'throw' in result ? yield* result : result;
}

/** Records which fields the caller owns after this write (spec 6.5). */
export function* trackOwners(
  { target, context }: Write,
  next: ApiObject,
  live: ApiObject | undefined,
): Flow<ApiObject> {
  const { resource } = target;
  // The members are listed instead of spread, which Node 20 does many times slower.
  const { schema, apiVersion, subresource, resetFields } = ownershipRules(resource, target.subresource);
  const options = {
    schema,
    apiVersion,
    subresource,
    resetFields,
    convert: resource.convert,
    live,
    next,
    manager: context.fieldManager,
    now: context.host.clock.now(),
    rulings: resource.dialect.rulings,
    isCustom: resource.definition.decoding === 'structural',
  };
  if (!resource.convertLater) return trackOwnership(options);
  return yield* withConversions(resource.convertLater, (convert) => trackOwnership({ ...options, convert }));
}

/**
 * Decodes a JSON value, such as the result of a patch, as the resource's kind.
 * @throws the error that `badRequest` makes from the decoder's message; ApiError 413 when defaults would make the object too large
 */
export function decodeFields(
  { definition, gvk, apiVersion, dialect }: ServedResource,
  value: JsonObject,
  badRequest: (problem: string) => Error,
  { setsDefaults = true, ...options }: DecodeOptions & { readonly setsDefaults?: boolean } = {},
): { readonly object: ApiObject; readonly unknownFields: readonly string[] } {
  const named = value['kind'] === gvk.kind && value['apiVersion'] === apiVersion;
  const whole = named ? value : withMember(withMember(value, 'kind', gvk.kind), 'apiVersion', apiVersion);
  try {
    const decode = definition.decoding === 'typed' ? decodeTyped : decodeStructural;
    const { value: decoded, unknownFields } = decode(definition.schema, whole, options);
    // The schema describes a whole object, so the decoded value is an object and the cast is safe.
    const read = decoded as unknown as ApiObject;
    const { metadata } = value;
    const sent = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
    // Decoding drops an empty list of managedFields, although it resets ownership (spec 6.6).
    const resets = Array.isArray(sent) && sent.length === 0;
    const object = resets ? { ...read, metadata: { ...read.metadata, managedFields: [] } } : read;
    const fill = setsDefaults ? definition.setDefaults : undefined;
    return { object: fill ? editOwn(object, (draft) => fill(draft, dialect)) : object, unknownFields };
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    if (error instanceof DefaultsTooLarge) throw apiError.tooLarge(error.message);
    throw error;
  }
}

/**
 * Decodes a value from the storage as an object in the form in which the kind is stored. Defaults are filled in only if the kind has no
 * {@link StorageForm}; otherwise `fromStorage` fills them in at every read.
 * @throws as {@link decodeFields}
 */
export function decodeStored(
  resource: ServedResource,
  value: JsonObject,
  badRequest: (problem: string) => Error,
): ApiObject {
  // The caller may go on using `value`, so the decoded object shares nothing with it.
  const options = { copyRaw: true, setsDefaults: resource.definition.storageForm === undefined };
  return decodeFields(resource, value, badRequest, options).object;
}
