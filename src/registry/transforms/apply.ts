import { applyInSteps } from '../../fields/apply-ownership.js';
import { dropUndeclared } from '../../fields/typed/validate-applied.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import { formatGroupVersionKind } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { restoreNumbers } from '../../patch/restore-numbers.js';
import { restoreProblem } from '../../patch/restore-problem.js';
import { quote } from '../../values/quote.js';
import type { RequestContext } from '../request-context.js';
import { ownershipRules, type ServedResource } from '../served/served-resource.js';
import { decodeFields, withConversions } from '../writes/ownership.js';
import { placeObject } from '../writes/prepare.js';
import type { Transform, UpdateTarget } from '../writes/update.js';

/** The decoded body of an apply request. */
export interface AppliedDocument {
  readonly applied: JsonObject;
  /** Warnings about the syntax of the document. They are sent only when the apply itself succeeds. */
  readonly warnings: readonly string[];
  /** The reason for which the document is refused after an otherwise successful apply; '' when it is not refused. */
  readonly refusal: string;
}

/** The document to apply, and whether fields of other managers are taken over. */
export interface ApplyOptions {
  /**
   * Returns the document. It is called only after the stored object was read, because an absent object may be refused first. @throws
   * ApiError 400.
   */
  read(): AppliedDocument;
  readonly force: boolean;
}

/**
 * Returns a transform that applies a document to the stored object, or creates an object from it (spec 6.8).
 * @throws when the transform runs: ApiError 409 for conflicts, 400 or 500 as in upstream for documents that do not fit the schema.
 */
export function applyTransform(target: UpdateTarget, context: RequestContext, options: ApplyOptions): Transform {
  return (live, pause) => run(applyDocument({ target, context, options, live, pause }));
}

interface ApplyAttempt {
  readonly target: UpdateTarget;
  readonly context: RequestContext;
  readonly options: ApplyOptions;
  readonly live: ApiObject | undefined;
  readonly pause: (() => Promise<void>) | undefined;
}

function* applyDocument({ target, context, options, live, pause }: ApplyAttempt): Flow<ApiObject> {
  const { resource, name } = target;
  const { applied, warnings, refusal } = knownFields(resource, context, options.read());
  if (pause) yield* settled(pause());
  const { schema, apiVersion, subresource, resetFields } = ownershipRules(resource, target.subresource);
  const now = context.host.clock.now();
  const { kind } = resource.gvk;
  const { clientFault, lossyMerge } = resource.dialect.rulings;
  const attempt = {
    schema,
    apiVersion,
    subresource,
    resetFields,
    convert: resource.convert,
    manager: context.fieldManager,
    force: options.force,
    kind,
    isCustom: resource.definition.decoding === 'structural',
    live,
    applied,
    now,
    pause,
    clientFault,
    lossyMerge,
  };
  const merged = yield* resource.convertLater
    ? withConversions(resource.convertLater, (convert) => applyInSteps({ ...attempt, convert }))
    : applyInSteps(attempt);
  // An apply that changes only owners sets no defaults. The live object can lack some if it is stored in another version.
  const keepsContent = live !== undefined && differsOnlyInOwners(merged, live);
  if (pause && !keepsContent) yield* settled(pause());
  const next = keepsContent ? merged : decodeMerged(target, merged, applied);
  if (refusal !== '') throw apiError.badRequest(refusal);
  for (const warning of warnings) context.warn(warning);
  const { uid = '' } = next.metadata;
  if (!live && uid !== '')
    throw apiError.conflict(
      resource.groupResource,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  return placeObject(resource, next, target);
}

/** Whether two objects share all members except `metadata.managedFields`. */
const differsOnlyInOwners = (a: ApiObject, b: ApiObject): boolean =>
  a === b || (sharesMembers(a, b, 'metadata') && sharesMembers(a.metadata, b.metadata, 'managedFields'));

function sharesMembers(a: object, b: object, except: string): boolean {
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  return Object.keys({ ...a, ...b }).every((name) => name === except || left[name] === right[name]);
}

/**
 * If the API dialect treats unknown fields by field validation level (spec 19.15), drops the applied fields that the kind does not have.
 * The level decides whether they are ignored, reported as warnings, or refused.
 */
function knownFields(
  { definition, dialect }: ServedResource,
  { fieldValidation }: RequestContext,
  document: AppliedDocument,
): AppliedDocument {
  if (dialect.rulings.appliedUnknownFields !== 'by-level') return document;
  const unknown: string[] = [];
  const known = dropUndeclared(definition.schema, document.applied, (path) => {
    if (unknown.length < MAX_REPORTED) unknown.push(`unknown field ${quote(path)}`);
  });
  if (unknown.length === 0) return document;
  const applied = known as JsonObject; // Given an object, `dropUndeclared` returns an object, so the cast is safe.
  const { warnings, refusal } = document;
  if (fieldValidation === 'Ignore') return { applied, warnings, refusal };
  if (fieldValidation === 'Warn') return { applied, warnings: [...warnings, ...unknown], refusal };
  return { applied, warnings, refusal: refusal || `strict decoding error: ${unknown.join(', ')}` };
}

/** The maximum number of unknown fields that warnings and errors name (spec 3.10). */
const MAX_REPORTED = 100;

/**
 * Converts the merged document to an object. It is not decoded like a request body (spec 6.11), so that validation sees the nulls of a
 * custom resource. @throws ApiError 500.
 */
function decodeMerged({ resource }: UpdateTarget, merged: ApiObject, applied: JsonObject): ApiObject {
  const { schema } = resource.definition;
  const prunes = resource.dialect.rulings.lossyMerge === 'kept' ? true : 'unknown';
  // API objects are plain JSON, and given an object, `restoreNumbers` returns an object, so the casts are safe.
  const document = merged as unknown as JsonValue;
  // Upstream holds custom resources without Go types, so their numbers are not converted.
  const isTyped = resource.definition.decoding === 'typed';
  const restored = (isTyped ? restoreNumbers(schema, document) : document) as JsonObject;
  return decodeFields(
    resource,
    restored,
    (problem) => inconvertible(resource, applied, restoreProblem(schema, document) ?? problem),
    { prunes },
  ).object;
}

function inconvertible({ gvk }: ServedResource, { metadata }: JsonObject, problem: string) {
  const kind = formatGroupVersionKind(gvk);
  const text = (name: string) => (isJsonObject(metadata) && typeof metadata[name] === 'string' ? metadata[name] : '');
  const about = `${text('namespace')}/${text('name')}; ${kind}`;
  return apiError.unknown(
    `failed to convert new object (${about}) to proper version: unable to convert unstructured object to ${kind}: ${problem}`,
  );
}
