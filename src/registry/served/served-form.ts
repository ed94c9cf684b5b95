import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withoutEmptyCollections } from '../../schema/empty-collections.js';
import { byName, inWireOrder } from '../../schema/wire-order.js';
import { deepFreeze } from '../../store/freeze.js';
import type { ServedResource } from './served-resource.js';

/** Turns stored objects into the version a resource serves, and back. */
export interface ServedForm {
  /**
   * Frozen; the same answer for the same stored object.
   * @throws TypeError for one that {@link ready} should have been called with.
   */
  fromStorage(stored: ApiObject): ApiObject;
  /** With its members in the order of the kind; of a built-in kind without empty lists. */
  toStorage(served: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Given where conversion has to be waited for: converts, at once, those of these objects that are not yet, so that `fromStorage`
   * has them. What was converted is kept as long as the stored object.
   * @throws ApiError 500 where they cannot be converted.
   */
  ready?(stored: readonly ApiObject[]): Promise<void> | undefined;
}

/** The object with its members in the order of its kind: that of its struct, and by name where users defined it. */
export function inOrderOf({ definition }: Pick<ServedResource, 'definition'>, object: ApiObject): ApiObject {
  return definition.decoding === 'typed' ? inWireOrder(definition.schema, object) : byName(object);
}

/** The form of a resource; most kinds are stored as they are served. */
export function servedForm(resource: ServedResource): ServedForm {
  if (!resource.definition.late) return formOf(resource);
  // What its rules say is asked when there is an object: then they are loaded.
  let made: ServedForm | undefined;
  const form = () => (made ??= formOf(resource));
  return {
    fromStorage: (stored) => form().fromStorage(stored),
    toStorage: (served) => form().toStorage(served),
  };
}

function formOf(resource: ServedResource): ServedForm {
  const { schema, decoding, storageForm, storedAs = storageForm } = resource.definition;
  const ordered = (object: ApiObject) => {
    const inOrder = inOrderOf(resource, object);
    return decoding === 'typed' ? withoutEmptyCollections(schema, inOrder) : inOrder;
  };
  if (!storedAs) return { fromStorage: (object) => object, toStorage: ordered };
  const { apiVersion, dialect, gvk } = resource;
  const storedVersion = formatGroupVersion({ ...gvk, version: resource.definition.storedVersion ?? gvk.version });
  const { converter } = storedAs;
  const served = new WeakMap<ApiObject, ApiObject>();
  const keep = (stored: ApiObject, object: ApiObject) => {
    // Defaults and conversions say nothing about the order of members.
    const frozen = deepFreeze(object === stored || decoding === 'typed' ? object : byName(object));
    served.set(stored, frozen);
    return frozen;
  };
  const fromStorage = (stored: ApiObject) => {
    const known = served.get(stored);
    if (known) return known;
    if (converter && stored.apiVersion !== apiVersion) throw new TypeError('a stored object was not converted yet');
    return keep(stored, storedAs.fromStorage(stored, dialect));
  };
  const toStorage = (object: ApiObject) => storedAs.toStorage(ordered(object), dialect);
  if (!converter) return { fromStorage, toStorage };
  return {
    fromStorage,
    toStorage(object) {
      if (storedVersion === apiVersion) return toStorage(object);
      return converter.convert([ordered(object)], storedVersion).then(([converted = object]) => ordered(converted));
    },
    ready(stored) {
      const missing = stored.filter((each) => each.apiVersion !== apiVersion && !served.has(each));
      if (missing.length === 0) return undefined;
      return converter.convert(missing, apiVersion, 'storage').then((converted) => {
        for (const [i, object] of converted.entries()) keep(missing[i] as ApiObject, object); // as many as asked for
      });
    },
  };
}

/** The object without waiting: as it is stored where a conversion would have to be waited for. */
export const servedNow = ({ fromStorage, ready }: ServedForm, stored: ApiObject): ApiObject =>
  ready ? stored : fromStorage(stored);

/** What a reader would see of the object once it was stored; what a conversion would have to be waited for is only put in order. */
export function asRead({ fromStorage, toStorage, ready }: ServedForm, object: ApiObject): ApiObject {
  if (ready) return byName(object);
  const stored = toStorage(object);
  return stored instanceof Promise ? object : fromStorage(stored);
}
