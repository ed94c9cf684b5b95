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
   * Whether the manager applies the seeds to existing objects. An applied seed has only the applied members (lists or plain values).
   * Default false.
   */
  readonly applied?: boolean;
  /** Paths of fields that the server sets and no manager owns. Default: none. */
  readonly unowned?: readonly string[];
  /** The subresource that the manager writes. Default: the object itself. */
  readonly subresource?: string;
  /**
   * Returns an object that is the same for all seeds with the same field names, in every server of a dialect. The managed fields of such
   * seeds are computed only once. Default: the seed itself.
   */
  readonly likeness?: (seed: Seed) => object;
}

/**
 * An object in its stored form, with all defaults, its status, and the member order of its serialized form. An applied seed has only some
 * members. The kind, uid, times and managed fields are added when it is stored.
 */
export interface Seed {
  readonly metadata: ApiObject['metadata'];
  readonly status?: object;
}

export function seedsOf<T extends ApiObject>(
  kind: ResourceDefinition<T>,
  objects: readonly Seed[],
  options: SeedOptions = {},
): Seeds {
  // The static type of the objects is not needed any more, so the cast is safe.
  return { ...options, kind: kind as unknown as ResourceDefinition, objects };
}
