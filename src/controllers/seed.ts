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
   * Whether the seeds are not whole objects but members (lists or plain values) that the manager applies to existing objects. Default
   * false.
   */
  readonly applied?: boolean;
  /** Paths of fields that the kind sets by itself, so that they have no owner. Default: none. */
  readonly unowned?: readonly string[];
  /** The subresource that the manager writes. Default: the object itself. */
  readonly subresource?: string;
  /**
   * Returns an object that is the same for all seeds with the same fields, in every server of a dialect. The owners of such seeds are computed
   * once. Default: the seed itself.
   */
  readonly likeness?: (seed: Seed) => object;
}

/**
 * An object in its stored form, with all defaults and its status, and with its members in the order of the wire; for applied seeds, some of
 * its members. What identifies the object (kind, uid, times) and the owners of its fields are added.
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
  // The static type of the kind's objects does not matter from here on.
  return { ...options, kind: kind as unknown as ResourceDefinition, objects };
}
