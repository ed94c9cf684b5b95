import type { ApiObject } from '../../meta/object-meta.js';
import type { RequestContext } from '../request-context.js';
import { placeObject } from '../writes/name-checks.js';
import { deduplicateOwners } from '../writes/prepare.js';
import type { Transform, UpdateTarget } from '../writes/update.js';

/** Returns a transform that replaces the stored object. @throws ApiError 400 when the namespace or name differs from the path's. */
export function replaceTransform(target: UpdateTarget, context: RequestContext, replacement: ApiObject): Transform {
  const object = deduplicateOwners(placeObject(target.resource, replacement, target), context);
  return () => object;
}
