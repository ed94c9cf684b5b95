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
}

/**
 * An object in its stored form, with all defaults, its status, and the member order of its serialized form. A seed with the option
 * `applied` has only the members to apply. The kind, uid, times and managed fields are added when the seed is stored.
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
  // After this call, nothing uses the static type of the objects, so the cast is safe.
  return { ...options, kind: kind as unknown as ResourceDefinition, objects };
}
