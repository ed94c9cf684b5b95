import type { ApiObject } from '../meta/object-meta.js';
import { deepFreeze } from '../store/freeze.js';
import type { ServedResource } from './served-resource.js';

/** Turns stored objects into the version a resource serves, and back. */
export interface ServedForm {
  /** Frozen; the same answer for the same stored object. */
  fromStorage(stored: ApiObject): ApiObject;
  toStorage(served: ApiObject): ApiObject;
}

const asStored: ServedForm = { fromStorage: (object) => object, toStorage: (object) => object };

/** The form of a resource; most kinds are stored as they are served. */
export function servedForm(resource: ServedResource): ServedForm {
  const { storedAs } = resource.definition;
  if (!storedAs) return asStored;
  const served = new WeakMap<ApiObject, ApiObject>();
  return {
    fromStorage(stored) {
      let object = served.get(stored);
      if (!object) {
        object = deepFreeze(storedAs.fromStorage(stored, resource.dialect));
        served.set(stored, object);
      }
      return object;
    },
    toStorage: (object) => storedAs.toStorage(object, resource.dialect),
  };
}
