import type { JsonValue } from '../json/value.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Converter, StorageForm } from '../registry/resource-definition.js';
import { readEmbedded } from '../schema/decode-structural.js';
import { applyDefaults, DefaultsTooLarge } from '../schema/defaults.js';
import { type PruneOptions, prune } from '../schema/prune.js';
import type { ObjectSchema } from '../schema/schema.js';

/** The schemas of all versions of a kind, by apiVersion. */
export type VersionSchemas = ReadonlyMap<string, ObjectSchema>;

/**
 * Returns how objects of a version are stored and read (spec 21.3). An object is stored with the apiVersion of the storage version and is
 * otherwise unchanged. When it is read, it is pruned and defaulted by the schema of the version in which it was stored. If another version
 * is requested, the object is then pruned by the schema of that version. If nothing changes, the same object is returned.
 * @param converter converts objects between versions; undefined when an object differs between versions only in its apiVersion
 */
export function storedForm(
  schemas: VersionSchemas,
  apiVersion: string,
  storageVersion: string,
  converter: Converter | undefined,
): StorageForm {
  return {
    toStorage: (object) => withApiVersion(object, storageVersion),
    fromStorage(stored) {
      const own = schemas.get(apiVersion);
      const written = schemas.get(stored.apiVersion) ?? own;
      const value = written ? readStored(written, stored) : stored;
      return own && own !== written ? toServedShape(own, value, apiVersion) : withApiVersion(value, apiVersion);
    },
    ...(converter ? { converter } : { hasOneForm: true }),
  };
}

/**
 * Prunes and defaults an object by the schema of its stored version. If the defaults would become too large, the object stays readable
 * without them.
 */
export function readStored(schema: ObjectSchema, stored: ApiObject): ApiObject {
  // API objects are plain JSON, so the cast is safe.
  const pruned = prune(wholeSchema(schema), stored as unknown as JsonValue, EMBEDDED);
  try {
    // Defaulting keeps the apiVersion, kind and metadata, so the result is an API object.
    return applyDefaults(schema, pruned) as unknown as ApiObject;
  } catch (error) {
    // Pruning keeps the apiVersion, kind and metadata, so the result is an API object.
    if (error instanceof DefaultsTooLarge) return pruned as unknown as ApiObject;
    throw error;
  }
}

/** Prunes an object that was converted to `apiVersion`, and sets this apiVersion. `schema` is the schema of the version. */
export function toServedShape(schema: ObjectSchema, object: ApiObject, apiVersion: string): ApiObject {
  const value = prune(wholeSchema(schema), object as unknown as JsonValue, EMBEDDED);
  // Pruning keeps the apiVersion, kind and metadata, so the result is an API object.
  return withApiVersion(value as unknown as ApiObject, apiVersion);
}

/** Reads the common fields of embedded objects. Those of the object itself were decoded when it was written. */
const EMBEDDED: PruneOptions = {
  // For a field of the object itself the path is just the name; for a field of an embedded object it is longer.
  embeddedField: (name, member, path) => (path === name ? (member as JsonValue) : readEmbedded(name, member)),
};

const wholes = new WeakMap<ObjectSchema, ObjectSchema>();

/** Returns the schema with the metadata that every object has. The schema of a custom resource does not need to declare it. */
function wholeSchema(schema: ObjectSchema): ObjectSchema {
  let whole = wholes.get(schema);
  if (!whole) wholes.set(schema, (whole = Object.freeze({ ...schema, embeddedResource: true })));
  return whole;
}

function withApiVersion(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
