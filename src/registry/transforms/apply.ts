import { applyOwnership } from '../../fields/index.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { decodeFields } from '../decode-fields.js';
import { placeObject } from '../name-checks.js';
import { ownershipRules } from '../ownership.js';
import type { RequestContext } from '../request-context.js';
import type { Transform, UpdateTarget } from '../update.js';

/** What an apply request carries, read. */
export interface AppliedDocument {
  readonly applied: JsonObject;
  /** What is questionable about its text; reported only when the apply itself succeeds. */
  readonly warnings: readonly string[];
  /** Why it is refused then; '' where it is not. */
  readonly refusal: string;
}

/** By whom, and whether fields of others are taken over. */
export interface ApplyOptions {
  readonly manager: string;
  readonly force: boolean;
}

/**
 * Applies a document to the stored object, or makes a new one (document 2, section 4.10).
 * @throws what the transform throws: ApiError 409 for conflicts, 400 and 500 as recorded for bodies that do not fit.
 */
export function applyTransform(
  target: UpdateTarget,
  context: RequestContext,
  document: AppliedDocument & ApplyOptions,
): Transform {
  const { resource, name } = target;
  const rules = ownershipRules(resource, target.subresource);
  const uid = uidOf(document.applied);
  return (live) => {
    if (!live && uid !== '')
      throw apiError.conflict(
        resource.groupResource,
        name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    const { applied, manager, force, warnings, refusal } = document;
    const now = context.host.clock.now();
    const merged = applyOwnership({ ...rules, manager, force, kind: resource.gvk.kind, live, applied, now });
    if (refusal !== '') throw apiError.badRequest(refusal);
    for (const warning of warnings) context.warn(warning);
    const next = merged === live ? live : decodeMerged(target, merged);
    return placeObject(resource, next, target);
  };
}

function decodeMerged({ resource }: UpdateTarget, merged: ApiObject): ApiObject {
  const document = merged as unknown as JsonObject; // objects are plain JSON
  return decodeFields(resource, document, (problem) => apiError.unknown(problem)).object;
}

function uidOf({ metadata }: JsonObject): string {
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}
