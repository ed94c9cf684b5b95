import { formatGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { withoutEmptyCollections } from '../../schema/empty-collections.js';
import { byName, inWireOrder } from '../../schema/wire-order.js';
import { deepFreeze } from '../../store/freeze.js';
import type { ServedResource } from './served-resource.js';

/** Converts stored objects to the version that a resource serves, and back. */
export interface ServedForm {
  /**
   * Returns the served form of a stored object, frozen. The same stored object always has the same result.
   * @throws TypeError when conversion is asynchronous and {@link ready} was not called with the object before.
   */
  fromStorage(stored: ApiObject): ApiObject;
  /** Returns the object to store, with its members in the order of the kind, and without empty lists and maps if it is stored in protobuf. */
  toStorage(served: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Present when conversion is asynchronous: converts the given objects that are not converted yet, in one call, so that `fromStorage` can
   * return them. A converted object is cached as long as the stored object lives.
   * @throws ApiError 500 when an object cannot be converted.
   */
  ready?(stored: readonly ApiObject[]): Promise<void> | undefined;
}

/**
 * Returns the object with its members in the order of its kind: the order of the Go struct for built-in kinds, by name for custom
 * resources.
 */
export function inOrderOf({ definition }: Pick<ServedResource, 'definition'>, object: ApiObject): ApiObject {
  return definition.decoding === 'typed' ? inWireOrder(definition.schema, object) : byName(object);
}

/**
 * Returns the {@link ServedForm} of a resource. The objects of most kinds are stored as they are served and are not converted. All readers
 * of a resource share its ServedForm, which caches the converted objects.
 */
export function servedForm(resource: ServedResource): ServedForm {
  let form = forms.get(resource);
  if (!form) forms.set(resource, (form = makeForm(resource)));
  return form;
}

const forms = new WeakMap<ServedResource, ServedForm>();

function makeForm(resource: ServedResource): ServedForm {
  const { schema, decoding, inJson, storageForm, storedAs = storageForm } = resource.definition;
  const inServedOrder = (object: ApiObject) => {
    if (decoding !== 'typed') return byName(object);
    const inOrder = inWireOrder(schema, object);
    // Protobuf does not distinguish an empty list from an absent one; JSON does.
    return inJson ? inOrder : withoutEmptyCollections(schema, inOrder);
  };
  if (!storedAs) return { fromStorage: (object) => object, toStorage: inServedOrder };
  const { apiVersion, dialect, gvk } = resource;
  const storedVersion = formatGroupVersion({ ...gvk, version: resource.definition.storedVersion ?? gvk.version });
  const { converter } = storedAs;
  const served = new WeakMap<ApiObject, ApiObject>();
  const keep = (stored: ApiObject, object: ApiObject) => {
    // Defaults and conversions may leave the members in any order.
    const frozen = deepFreeze(object === stored ? object : inOrderOf(resource, object));
    served.set(stored, frozen);
    return frozen;
  };
  const fromStorage = (stored: ApiObject) => {
    const known = served.get(stored);
    if (known) return known;
    if (converter && stored.apiVersion !== apiVersion) throw new TypeError('a stored object was not converted yet');
    return keep(stored, storedAs.fromStorage(stored, dialect));
  };
  const toStorage = (object: ApiObject) => storedAs.toStorage(inServedOrder(object), dialect);
  if (!converter) return { fromStorage, toStorage };
  return {
    fromStorage,
    toStorage(object) {
      if (storedVersion === apiVersion) return toStorage(object);
      return converter
        .convert([inServedOrder(object)], storedVersion)
        .then(([converted = object]) => inServedOrder(converted));
    },
    ready(stored) {
      const missing = stored.filter((each) => each.apiVersion !== apiVersion && !served.has(each));
      if (missing.length === 0) return undefined;
      return converter.convert(missing, apiVersion, 'storage').then((converted) => {
        // A converter returns as many objects as it is passed, so `missing[i]` exists.
        for (const [i, object] of converted.entries()) keep(missing[i] as ApiObject, object);
      });
    },
  };
}

/** Returns a function that returns served objects, or the stored ones if conversion is asynchronous, for callers that cannot wait. */
export const readNow = ({ fromStorage, ready }: ServedForm): ServedForm['fromStorage'] =>
  ready ? (stored) => stored : fromStorage;

/**
 * Returns the object as a reader would see it after it was stored. If conversion is asynchronous, the object is not converted, and only the
 * order of its members changes.
 */
export function asRead({ fromStorage, toStorage, ready }: ServedForm, object: ApiObject): ApiObject {
  if (ready) return byName(object);
  const stored = toStorage(object);
  return stored instanceof Promise ? object : fromStorage(stored);
}
