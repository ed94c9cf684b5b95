import type { New } from '../client/client.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** Objects of one kind that a server makes of itself when it has nothing yet. */
export interface Seeds {
  readonly kind: ResourceDefinition;
  readonly objects: readonly Seed[];
  /** Who applies these members to objects that are there. Default: the objects are made, by the server or the controller. */
  readonly appliedBy?: string;
}

/** An object, its status and what has a default left out. */
interface Seed {
  readonly metadata: ApiObject['metadata'];
}

/** Objects that are made. */
export function seedsOf<T extends ApiObject>(kind: ResourceDefinition<T>, objects: readonly New<T>[]): Seeds {
  return { kind: kind as unknown as ResourceDefinition, objects }; // objects of this kind
}
