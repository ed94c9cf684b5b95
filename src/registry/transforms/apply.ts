import { applyInSteps } from '../../fields/index.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { RequestContext } from '../request-context.js';
import { decodeFields } from '../writes/decode-fields.js';
import { placeObject } from '../writes/name-checks.js';
import { ownershipRules } from '../writes/ownership.js';
import type { Transform, UpdateTarget } from '../writes/update.js';

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
 * Applies a document to the stored object, or makes a new one (spec 6.8).
 * @throws what the transform throws: ApiError 409 for conflicts, 400 and 500 as recorded for bodies that do not fit.
 */
export function applyTransform(
  target: UpdateTarget,
  context: RequestContext,
  document: AppliedDocument & ApplyOptions,
): Transform {
  return (live, pause) => run(applyDocument({ target, context, document, live, pause }));
}

interface Application {
  readonly target: UpdateTarget;
  readonly context: RequestContext;
  readonly document: AppliedDocument & ApplyOptions;
  readonly live: ApiObject | undefined;
  readonly pause: (() => Promise<void>) | undefined;
}

function* applyDocument({ target, context, document, live, pause }: Application): Flow<ApiObject> {
  const { resource, name } = target;
  const { applied, manager, force, warnings, refusal } = document;
  const uid = uidOf(applied);
  if (!live && uid !== '')
    throw apiError.conflict(
      resource.groupResource,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  const rules = ownershipRules(resource, target.subresource);
  const now = context.host.clock.now();
  const { kind } = resource.gvk;
  const merged = yield* applyInSteps({ ...rules, manager, force, kind, live, applied, now, pause });
  if (refusal !== '') throw apiError.badRequest(refusal);
  for (const warning of warnings) context.warn(warning);
  if (pause && merged !== live) yield* settled(pause());
  const next = merged === live ? live : decodeMerged(target, merged);
  return placeObject(resource, next, target);
}

function decodeMerged({ resource }: UpdateTarget, merged: ApiObject): ApiObject {
  const document = merged as unknown as JsonObject; // objects are plain JSON
  return decodeFields(resource, document, (problem) => apiError.unknown(problem)).object;
}

function uidOf({ metadata }: JsonObject): string {
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined;
  return typeof uid === 'string' ? uid : '';
}
