import type { ApiObject } from '../../meta/object-meta.js';
import { withoutEmptyCollections } from '../../schema/empty-collections.js';
import { inWireOrder } from '../../schema/wire-order.js';
import { deepFreeze } from '../../store/freeze.js';
import type { ServedResource } from './served-resource.js';

/** Turns stored objects into the version a resource serves, and back. */
export interface ServedForm {
  /** Frozen; the same answer for the same stored object. */
  fromStorage(stored: ApiObject): ApiObject;
  /** With its members in the order of the kind; of a built-in kind without empty lists. */
  toStorage(served: ApiObject): ApiObject;
}

/** The form of a resource; most kinds are stored as they are served. */
export function servedForm(resource: ServedResource): ServedForm {
  const { schema, decoding, storageForm, storedAs = storageForm } = resource.definition;
  const ordered = (object: ApiObject) => {
    const inOrder = inWireOrder(schema, object);
    return decoding === 'typed' ? withoutEmptyCollections(schema, inOrder) : inOrder;
  };
  if (!storedAs) return { fromStorage: (object) => object, toStorage: ordered };
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
    toStorage: (object) => storedAs.toStorage(ordered(object), resource.dialect),
  };
}
