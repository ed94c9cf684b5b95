import type { JsonValue } from '../json/value.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { StorageForm } from '../registry/resource-definition.js';
import { applyDefaults } from '../schema/defaults.js';
import { prune } from '../schema/prune.js';
import type { ObjectSchema } from '../schema/schema.js';

/**
 * How objects of a version are stored and read (spec 21.3): stored in the storage version as they were written, and when they are
 * read pruned and filled with defaults by the version's own schema. An object that needs neither stays the same.
 */
export function storedForm(schema: ObjectSchema, apiVersion: string, storageVersion: string): StorageForm {
  // What every object has is known without being declared.
  const whole: ObjectSchema = Object.freeze({ ...schema, embeddedResource: true });
  return {
    toStorage: (object) => named(object, storageVersion),
    fromStorage(stored) {
      const pruned = prune(whole, stored as unknown as JsonValue); // objects are plain JSON
      return named(applyDefaults(schema, pruned) as unknown as ApiObject, apiVersion); // an object stays one
    },
  };
}

function named(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
