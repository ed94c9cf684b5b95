import type { New } from '../client/client.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** Objects of one kind that a server makes of itself when it has nothing yet. */
export interface Seeds {
  readonly kind: ResourceDefinition;
  readonly objects: readonly object[];
}

export function seedsOf<T extends ApiObject>(kind: ResourceDefinition<T>, objects: readonly New<T>[]): Seeds {
  return { kind: kind as unknown as ResourceDefinition, objects }; // objects of this kind
}
