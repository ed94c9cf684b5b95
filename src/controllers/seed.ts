import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { isRecord } from '../schema/json-objects.js';

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
   * servers of an API dialect, so that such managed fields are computed only once. Default: the seed itself.
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

/** The objects that {@link likenessOf} returns. There are about two dozen. */
const likenesses = new Map<string, object>();

/**
 * Returns a `likeness` (see {@link SeedOptions}): the same object for the same kind and the same names of members, at any depth. The values
 * of members do not matter, and neither do the items of lists, so it fits seeds whose lists are owned as a whole.
 */
export function likenessOf(kind: string, ...values: readonly object[]): object {
  const names = `${kind} ${JSON.stringify({ ...values }, onlyNames)}`;
  let likeness = likenesses.get(names);
  if (!likeness) likenesses.set(names, (likeness = {}));
  return likeness;
}

const onlyNames = (_: string, value: unknown) => (isRecord(value) ? value : 0);

/** Returns the function `likeness` (see {@link SeedOptions}) for seeds whose lists are owned as a whole. */
export const likenessIn =
  ({ plural }: Pick<ResourceDefinition, 'plural'>) =>
  (seed: Seed): object =>
    likenessOf(plural, seed);

export function seedsOf<T extends ApiObject>(
  kind: ResourceDefinition<T>,
  objects: readonly Seed[],
  options: SeedOptions = {},
): Seeds {
  // After this call, nothing uses the static type of the objects, so the cast is safe.
  return { ...options, kind: kind as unknown as ResourceDefinition, objects };
}
