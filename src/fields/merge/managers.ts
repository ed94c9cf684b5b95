import type { JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { ManagedFieldsEntry } from '../../meta/object-meta.js';
import type { ObjectSchema, Schema } from '../../schema/schema.js';
import { cachedByText } from '../../values/memoize.js';
import { messageOf } from '../../values/message-of.js';
import { EMPTY, fieldPathSet, type PathSet } from '../paths/path-set.js';
import { findProblems, problemsError } from '../typed/validate-applied.js';

/** An owner of fields, and the operation by which it got them (spec 6.1). */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  /** The API version in which the paths of the fields are written. */
  readonly apiVersion: string;
  /** The subresource to which the field manager wrote; '' for the object itself. */
  readonly subresource: string;
  /**
   * The time at which the fields last changed (RFC 3339). It is absent if the manager has only applied values that the object already had.
   */
  readonly time?: string;
  readonly fields: PathSet;
  /** The managedFields entry from which this field manager was decoded; absent once the field manager differs from that entry. */
  readonly entry?: ManagedFieldsEntry;
}

/** The managers of an object, by {@link managerId}. */
export type Managers = ReadonlyMap<string, Manager>;

export const NO_MANAGERS: Managers = new Map();

/**
 * Returns the identity of a manager as a string: name, operation, subresource, and for updates the apiVersion (spec 6.1). The order of
 * these strings also breaks ties when managers are sorted.
 */
export function managerId({ name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>): string {
  const manager = name === '' ? '' : `"manager":${quoted(name)},`;
  const version = operation === 'Apply' ? '' : `,"apiVersion":${quoted(apiVersion)}`;
  const where = subresource === '' ? '' : `,"subresource":${quoted(subresource)}`;
  return `{${manager}"operation":"${operation}"${version}${where}}`;
}
const quoted = cachedByText((text) => JSON.stringify(text));

/** Returns the field manager with its fields or its time replaced; the same object when both are unchanged. */
export function withFields(manager: Manager, fields: PathSet, time: string | undefined = manager.time): Manager {
  if (fields === manager.fields && time === manager.time) return manager;
  return ownerOf(manager, fields, time);
}

/** Returns a field manager that owns the given fields. */
export function ownerOf(
  { name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>,
  fields: PathSet,
  time: string | undefined,
): Manager {
  if (time === undefined) return { name, operation, apiVersion, subresource, fields };
  return { name, operation, apiVersion, subresource, time, fields };
}

/** The fields that identify an object or that only the server sets. No manager owns them (spec 6.4). */
export const NEVER_OWNED = fieldPathSet([
  'apiVersion',
  'kind',
  'metadata',
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => `metadata.${name}`),
]);

/** A value with its version and schema. */
export interface Typed {
  readonly value: JsonValue;
  readonly schema: Schema;
  readonly apiVersion: string;
}

/**
 * Converts an object to another served version of its kind; undefined when the version is not served. The fields of a manager are kept in
 * the version it wrote, and compared in that version (spec 6.10).
 */
export type Convert = (object: Typed, apiVersion: string) => Typed | undefined;

/**
 * Thrown by a {@link Convert} whose conversion is asynchronous. The caller that passed the function runs the conversion and starts over.
 */
export class ConversionNeeded extends Error {
  override readonly name = 'ConversionNeeded';
  readonly object: Typed;
  readonly apiVersion: string;

  constructor(object: Typed, apiVersion: string) {
    super('the conversion has to be waited for');
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/**
 * Returns a conversion that refuses fields that the schema of the target version does not declare, as upstream's merge does. Duplicate keys
 * in lists are tolerated, because stored objects may have them.
 */
export function strictly(convert: Convert): Convert {
  return (object, apiVersion) => {
    const converted = convert(object, apiVersion);
    const problems = converted ? findProblems(converted.schema, converted.value, { allowDuplicates: true }) : [];
    if (problems.length > 0) throw problemsError(problems, apiError.unknown);
    return converted;
  };
}

/**
 * Converts an object to a version unless it already has that version.
 * @throws ApiError 500 whose message is `failure`, a colon and the reason.
 */
export function inVersion(object: Typed, apiVersion: string, convert: Convert, failure: string): Typed | undefined {
  if (object.apiVersion === apiVersion) return object;
  try {
    return convert(object, apiVersion);
  } catch (error) {
    if (error instanceof ConversionNeeded) throw error;
    throw apiError.unknown(`${failure}: ${messageOf(error)}`);
  }
}

/** The conversion of a kind with a single version. */
const oneVersion: Convert = (object, apiVersion) => (object.apiVersion === apiVersion ? object : undefined);

/** Paths that a write neither changes nor owns, by version. */
export type ResetFields = (apiVersion: string) => PathSet;

/** The rules that apply and other writes share. */
export interface WriteRules {
  readonly convert: Convert;
  readonly resetFields: ResetFields;
}

/** The options of field ownership that an apply and any other write have in common. */
export interface OwnershipOptions {
  /** The whole object's schema, `metadata` included, in the version of the request. */
  readonly schema: ObjectSchema;
  /** The writer's name, see `managerName`. */
  readonly manager: string;
  readonly apiVersion: string;
  /** The subresource of the request; '' for the object itself. */
  readonly subresource: string;
  /** The time of the write, in milliseconds since the epoch. */
  readonly now: number;
  /** Paths such as `status` or `spec.finalizers` that this write neither changes nor owns. Default none. */
  readonly resetFields?: readonly string[] | undefined;
  /** Converts objects between the versions of the kind. Default: only the version of the request is served. */
  readonly convert?: Convert | undefined;
}

/** Returns the request's writer as a manager without fields, and its {@link managerId}. */
export function writerOf(
  { manager, apiVersion, subresource }: OwnershipOptions,
  operation: Manager['operation'],
): { readonly id: string; readonly manager: Omit<Manager, 'fields'> } {
  const writer = { name: manager || 'unknown', operation, apiVersion, subresource };
  return { id: managerId(writer), manager: writer };
}

/** Returns the rules of a write with these options. */
export function writeRules({ resetFields, convert = oneVersion }: OwnershipOptions): WriteRules {
  const paths = resetFields ? resetPaths(resetFields) : EMPTY;
  return { convert, resetFields: () => paths };
}

const resetSets = new WeakMap<readonly string[], PathSet>();
/** Returns the set of plain field paths. The set is cached, because the paths are those of a kind's definition. */
export function resetPaths(paths: readonly string[]): PathSet {
  let set = resetSets.get(paths);
  if (set === undefined) {
    set = fieldPathSet(paths);
    resetSets.set(paths, set);
  }
  return set;
}
