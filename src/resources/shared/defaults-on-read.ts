import type { Dialect } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { edit } from '../../registry/edit.js';
import type { StorageForm } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';

/**
 * Returns the storage form of a kind whose strategy removes or changes fields that `setDefaults` fills in. As in upstream, a new object is
 * stored without these fields, and every read fills them in. Therefore the first update of an object writes it even if the update changes
 * nothing else.
 */
export function defaultsOnRead<T extends ApiObject>(
  setDefaults: (draft: Draft<T>, dialect: Dialect) => void,
): StorageForm {
  return {
    toStorage: (object) => object,
    // This storage form reads only objects of the kind whose type is `T`, so the cast is safe.
    fromStorage: (stored, dialect) => edit(stored as T, (draft) => setDefaults(draft, dialect)),
  };
}
