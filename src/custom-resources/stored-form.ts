import type { JsonValue } from '../json/value.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Converter, StorageForm } from '../registry/resource-definition.js';
import { applyDefaults, DefaultsTooLarge } from '../schema/defaults.js';
import { prune } from '../schema/prune.js';
import type { ObjectSchema } from '../schema/schema.js';

/** The schemas of all versions of a kind, by apiVersion. */
export type VersionSchemas = ReadonlyMap<string, ObjectSchema>;

/**
 * How objects of a version are stored and read (spec 21.3): stored in the storage version as they were written. What is read is pruned
 * and filled with defaults by the schema of the version it was stored in, then pruned by its own. An object that needs nothing of
 * that stays the same.
 * @param converter asked for what only the apiVersion does not make another version of
 */
export function storedForm(
  schemas: VersionSchemas,
  apiVersion: string,
  storageVersion: string,
  converter: Converter | undefined,
): StorageForm {
  return {
    toStorage: (object) => named(object, storageVersion),
    fromStorage(stored) {
      const own = schemas.get(apiVersion);
      const written = schemas.get(stored.apiVersion) ?? own;
      const value = written ? readStored(written, stored) : stored;
      return own && own !== written ? shaped(own, value, apiVersion) : named(value, apiVersion);
    },
    ...(converter ? { converter } : { hasOneForm: true }),
  };
}

/** An object as the schema of the version it was stored in has it. What that would make huge stays readable, without defaults. */
export function readStored(schema: ObjectSchema, stored: ApiObject): ApiObject {
  const pruned = prune(wholeSchema(schema), stored as unknown as JsonValue); // objects are plain JSON
  try {
    return applyDefaults(schema, pruned) as unknown as ApiObject; // an object stays one
  } catch (error) {
    if (error instanceof DefaultsTooLarge) return pruned as unknown as ApiObject; // as above
    throw error;
  }
}

/** An object that comes from another version. */
export function shaped(schema: ObjectSchema, object: ApiObject, apiVersion: string): ApiObject {
  const value = prune(wholeSchema(schema), object as unknown as JsonValue);
  return named(value as unknown as ApiObject, apiVersion); // as above
}

const wholes = new WeakMap<ObjectSchema, ObjectSchema>();

/** The schema of a whole object: what every object has is known without being declared. */
function wholeSchema(schema: ObjectSchema): ObjectSchema {
  let whole = wholes.get(schema);
  if (!whole) wholes.set(schema, (whole = Object.freeze({ ...schema, embeddedResource: true })));
  return whole;
}

function named(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
