import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** Objects of one kind that a server makes of itself when it has nothing yet. */
export interface Seeds extends SeedOptions {
  readonly kind: ResourceDefinition;
  readonly objects: readonly Seed[];
}

export interface SeedOptions {
  /** Who owns the fields. Default: the server or the controller. */
  readonly manager?: string;
  /** They are members, lists or plain values, that the manager applies to objects that are there. Default false: new objects. */
  readonly applied?: boolean;
}

/** An object, without its status and what has a default; or some members of one. */
export interface Seed {
  readonly metadata: ApiObject['metadata'];
}

export function seedsOf<T extends ApiObject>(
  kind: ResourceDefinition<T>,
  objects: readonly Seed[],
  options: SeedOptions = {},
): Seeds {
  return { ...options, kind: kind as unknown as ResourceDefinition, objects }; // whatever its objects are
}
