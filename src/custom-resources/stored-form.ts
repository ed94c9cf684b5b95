import type { JsonValue } from '../json/value.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { StorageForm } from '../registry/resource-definition.js';
import { applyDefaults } from '../schema/defaults.js';
import { prune } from '../schema/prune.js';
import type { ObjectSchema } from '../schema/schema.js';

/** The schemas of all versions of a kind, by apiVersion. */
export type VersionSchemas = ReadonlyMap<string, ObjectSchema>;

/**
 * How objects of a version are stored and read (spec 21.3): stored in the storage version as they were written. What is read is pruned
 * and filled with defaults by the schema of the version it was stored in, then pruned by its own. An object that needs nothing of
 * that stays the same.
 */
export function storedForm(schemas: VersionSchemas, apiVersion: string, storageVersion: string): StorageForm {
  return {
    toStorage: (object) => named(object, storageVersion),
    fromStorage(stored) {
      const own = schemas.get(apiVersion);
      const written = schemas.get(stored.apiVersion) ?? own;
      let value = stored as unknown as JsonValue; // objects are plain JSON
      if (written) value = applyDefaults(written, prune(wholeSchema(written), value));
      if (own && own !== written) value = prune(wholeSchema(own), value);
      return named(value as unknown as ApiObject, apiVersion); // an object stays one
    },
  };
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
