import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** Objects of one kind that a server creates when its storage is empty. */
export interface Seeds extends SeedOptions {
  readonly kind: ResourceDefinition;
  readonly objects: readonly Seed[];
}

export interface SeedOptions {
  /** The field manager that owns the fields. Default: the server or the controller. */
  readonly manager?: string;
  /**
   * Whether the field manager applies the seeds to objects that exist already (server-side apply). Such a seed has only the members to
   * apply. Each of them replaces the object's member of the same name as a whole. Default false.
   */
  readonly applied?: boolean;
  /** Paths of fields that the server sets and that no field manager owns. Default: none. */
  readonly unowned?: readonly string[];
  /** The subresource through which the field manager writes. Default: the object itself. */
  readonly subresource?: string;
  /**
   * Returns a cache key for the managed fields of a seed. It is the same object for all seeds with the same field names, and for all
   * servers of an API dialect, so that such managed fields are computed only once. For an applied seed, the key also stands for the managed
   * fields of the object to which it is applied. Default: the seed itself; applied seeds are not cached.
   */
  readonly likeness?: (seed: Seed) => object;
}

/**
 * An object in its stored form, with all defaults, its status, and the member order of its serialized form. A seed with the option
 * `applied` has only the members to apply. The kind, uid, times and managed fields are added when the seed is stored.
 */
export interface Seed {
  readonly metadata: ApiObject['metadata'];
  readonly status?: object;
}

/** The objects that {@link likenessOf} returns. There are about a dozen. */
const likenesses = new Map<string, object>();

/** Returns a `likeness` (see {@link SeedOptions}): the same object for the same kind and names of fields. */
export function likenessOf(kind: string, ...fields: readonly object[]): object {
  const names = JSON.stringify([kind, ...fields.map((each) => Object.keys(each))]);
  let likeness = likenesses.get(names);
  if (!likeness) likenesses.set(names, (likeness = {}));
  return likeness;
}

export function seedsOf<T extends ApiObject>(
  kind: ResourceDefinition<T>,
  objects: readonly Seed[],
  options: SeedOptions = {},
): Seeds {
  // After this call, nothing uses the static type of the objects, so the cast is safe.
  return { ...options, kind: kind as unknown as ResourceDefinition, objects };
}
