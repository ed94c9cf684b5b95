import type { ApiObject } from '../../meta/object-meta.js';
import { placeObject } from '../name-checks.js';
import { deduplicateOwners } from '../prepare.js';
import type { RequestContext } from '../request-context.js';
import type { Transform, UpdateTarget } from '../update.js';

/** Puts an object in the place of the stored one. @throws ApiError 400 when it is of another namespace or name. */
export function replaceTransform(target: UpdateTarget, context: RequestContext, given: ApiObject): Transform {
  const object = deduplicateOwners(placeObject(target.resource, given, target), context);
  return () => object;
}
