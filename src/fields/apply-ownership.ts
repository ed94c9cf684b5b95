import { getOwn, isDeeperThan } from '../json/members.js';
import { canonicalJson } from '../json/order.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { apiError } from '../meta/api-error.js';
import { formatTime } from '../meta/clock.js';
import type { Rulings } from '../meta/dialect.js';
import { type Flow, settled } from '../meta/flow.js';
import { formatGroupVersionKind, parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { zeroValue } from '../schema/zero-value.js';
import { utf8Length } from '../values/utf8.js';
import { recordUpdate, stripManager, withManagedFields } from './field-manager.js';
import {
  decodeManagedFields,
  encodeManagedFields,
  isEntryList,
  MAX_DEPTH,
  UndecodableManagedFields,
} from './managed-fields.js';
import {
  type Manager,
  type Managers,
  type OwnershipOptions,
  strictly,
  type Typed,
  withFields,
  writeRules,
  writerOf,
} from './merge/managers.js';
import { applyFields, type Conflict, conflictError } from './merge/update.js';
import { difference, has, type PathSet } from './paths/path-set.js';
import { compare } from './typed/compare.js';
import { UnidentifiableItem } from './typed/item-element.js';
import { toFieldSet } from './typed/to-field-set.js';
import { findProblems, type Problem, problemsError, STORED } from './typed/validate-applied.js';

interface ApplyOptions extends OwnershipOptions {
  /** The kind that the request addresses; the applied object must have the same kind. */
  readonly kind: string;
  /** The stored object; undefined when apply creates it. */
  readonly live: ApiObject | undefined;
  /** The body as plain JSON. */
  readonly applied: JsonObject;
  /**
   * Whether the kind is a custom resource. A stored custom resource need not fit its schema, because the schema can change. Default false.
   */
  readonly isCustom?: boolean;
  /** Whether fields of other managers are taken over instead of refused as conflicts. */
  readonly force: boolean;
  /** The HTTP status of errors that only the client can cause (spec 19.20). Default 500. */
  readonly clientFault?: Rulings['clientFault'];
  /**
   * What happens to an apply whose conversion to another version would lose fields: it is refused, or the fields are kept (spec 6.10).
   * Default 'refused'.
   */
  readonly lossyMerge?: Rulings['lossyMerge'];
  /** Called between the steps, so that a large body does not block the event loop. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Runs server-side apply: returns the live object with the applied fields merged in, the fields that the manager gave up removed, and the
 * new owners in `managedFields` (spec 6.8). Returns `live` itself when nothing changed. The result has no defaults yet, and its members are
 * not sorted into serialization order.
 * @throws ApiError 400 for another kind or version, `managedFields` in the body, or too deep nesting; 409 for conflicts; 500 without a
 * `reason`, as upstream responds, for a body that does not fit the schema (spec 6.11).
 */
export function* applyInSteps(options: ApplyOptions): Flow<ApiObject> {
  const { live, applied, pause } = options;
  const managers = decodeLive(live);
  const { schema, apiVersion } = options;
  // API objects are plain JSON, so the cast is safe.
  const typed = { schema, apiVersion, value: (live ?? {}) as unknown as JsonObject };
  const before = managers.size === 0 && live !== undefined ? ownersBeforeFirstApply(options, typed) : managers;
  checkBody(options);
  const problems = findProblems(options.schema, applied);
  if (problems.length > 0) throw patchError(options, problems);
  if (options.isCustom === true) refuseMisfit(typed, live);
  if (pause) yield* settled(pause());
  try {
    return yield* applyChecked(options, typed, before);
  } catch (error) {
    if (!(error instanceof UnidentifiableItem)) throw error;
    refuseMisfit(typed, live);
    throw typedError('live', live ?? {}, [{ path: '', message: error.message }]);
  }
}

/** Checks that the live object fits its schema. @throws ApiError 500. */
function refuseMisfit({ schema, value }: Typed, live: ApiObject = {} as ApiObject): void {
  const problems = findProblems(schema, value, STORED);
  if (problems.length > 0) throw typedError('live', live, problems);
}

function checkBody({ applied, apiVersion, kind }: ApplyOptions): void {
  if (applied['apiVersion'] !== apiVersion || applied['kind'] !== kind) {
    throw apiError.badRequest(`invalid object type: ${formatKind(applied)}`);
  }
  const { metadata } = applied;
  if (isJsonObject(metadata) && metadata['managedFields'] && isEntryList(metadata['managedFields'])) {
    throw apiError.badRequest('metadata.managedFields must be nil');
  }
  if (isDeeperThan(applied, MAX_DEPTH))
    throw apiError.badRequest(`the object is nested deeper than ${MAX_DEPTH} levels`);
}

function decodeLive(live: ApiObject | undefined): Managers {
  try {
    return decodeManagedFields(live?.metadata?.managedFields);
  } catch (error) {
    if (!(error instanceof UndecodableManagedFields)) throw error;
    throw apiError.unknown(`failed to decode managed fields: ${error.message}`);
  }
}

function* applyChecked(options: ApplyOptions, typed: Typed, before: Managers): Flow<ApiObject> {
  const { live, applied, force, pause } = options;
  const { convert, resetFields } = writeRules(options);
  const keepsEmptied = options.lossyMerge === 'kept';
  const rules = { convert: keepsEmptied ? convert : strictly(convert), resetFields, keepsEmptied };
  const writer = writerOf(options, 'Apply');
  const document = { ...typed, value: applied };
  let result = yield* applyFields(typed, document, before, writer, force, rules, pause);
  while (result.conflicts !== undefined) {
    const isKubectl = options.manager === KUBECTL;
    const conflicts = isKubectl ? withoutLastApplied(result.conflicts, typed, options.kind) : result.conflicts;
    if (conflicts.length > 0) throw conflictError(conflicts);
    result = yield* applyFields(typed, document, before, writer, true, rules, pause);
  }

  const changed = result.object !== typed || live === undefined;
  const after = result.managers;
  stripManager(after, writer.id, before.get(writer.id));
  if (changed) stampManager(after, writer.id, formatTime(options.now));
  // Merging two objects of a kind yields an object of the kind, so the casts are safe.
  const merged = (result.object.value ?? {}) as JsonObject;
  const object = options.manager === KUBECTL ? withLastApplied(merged, applied) : merged;
  const base = object === typed.value && live !== undefined ? live : (object as unknown as ApiObject);
  return withManagedFields(base, encodeManagedFields(after, live?.metadata?.managedFields));
}

/**
 * Returns the manager `before-first-apply` as the owner of all fields of an object that has no managers. So the first apply conflicts with
 * the present values instead of taking the fields over silently.
 * @throws ApiError 500 for an object whose values do not have the types of its schema. Validation accepts some of them, such as a list
 * for a string with a format.
 */
function ownersBeforeFirstApply(options: ApplyOptions, live: Typed): Managers {
  const problems = findProblems(live.schema, live.value, STORED);
  if (problems.length > 0)
    throw problemsError(problems, (why) =>
      apiError.unknown(
        `failed to create manager for existing fields: failed to convert new object (${describe(options.live)}) to smd typed: ${why}`,
      ),
    );
  const nothing: JsonValue = zeroValue(options.schema);
  return recordUpdate({ ...options, manager: 'before-first-apply' }, { ...live, value: nothing }, live, new Map());
}

function stampManager(managers: Map<string, Manager>, id: string, time: string): void {
  const manager = managers.get(id);
  if (manager !== undefined) managers.set(id, withFields(manager, manager.fields, time));
}

/**
 * Returns the error for a body that does not fit the schema. Its status is `clientFault` if all errors are repeated keys, which only the
 * client can cause.
 */
function patchError({ applied, clientFault = 500 }: ApplyOptions, problems: readonly Problem[]) {
  const refusal = typedError('patch', applied, problems);
  return problems.every(({ repeats }) => repeats === true)
    ? apiError.clientFault({ rulings: { clientFault } }, refusal.message)
    : refusal;
}

function typedError(which: 'patch' | 'live', object: object, problems: readonly Problem[]) {
  const about = describe(object);
  return problemsError(problems, (why) =>
    apiError.unknown(`failed to create typed ${which} object (${about}): ${why}`),
  );
}

/** Returns the namespace, the name and the kind of an object, as messages print them. */
function describe(object: object = {}): string {
  const { metadata } = object as JsonObject; // The patch and the live object are both plain JSON, so the cast is safe.
  const text = (name: string) => (isJsonObject(metadata) && typeof metadata[name] === 'string' ? metadata[name] : '');
  return `${text('namespace')}/${text('name')}; ${formatKind(object as JsonObject)}`;
}

function formatKind({ apiVersion, kind }: JsonObject): string {
  const version = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  return formatGroupVersionKind({ group: '', version: '', ...version, kind: typeof kind === 'string' ? kind : '' });
}

// Client-side `kubectl apply` keeps the applied object in an annotation. In server-side apply the manager `kubectl` may take over the
// fields of that object without a conflict, and the annotation is updated (spec 6.14).

const KUBECTL = 'kubectl';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The maximum size of all annotations together, names and values, in bytes. */
const MAX_ANNOTATIONS = 256 * 1024;

/** Returns the conflicts about fields other than those that client-side apply has set. */
function withoutLastApplied(conflicts: readonly Conflict[], live: Typed, kind: string): readonly Conflict[] {
  const own = fieldsLastApplied(live, kind);
  return own ? conflicts.filter(({ path }) => !has(own, path)) : conflicts;
}

/**
 * Returns the fields of the live object that are unchanged since a client-side apply; undefined if there was none, or if its annotation
 * cannot be parsed, is about another kind or version, or does not fit the schema.
 */
function fieldsLastApplied(live: Typed, kind: string): PathSet | undefined {
  const text = lastAppliedOf(live.value);
  const applied = text === undefined ? undefined : parseObject(text);
  if (applied === undefined || getOwn(applied, 'kind') !== kind) return undefined;
  if (getOwn(applied, 'apiVersion') !== live.apiVersion) return undefined;
  if (isDeeperThan(applied, MAX_DEPTH)) return undefined;
  if (findProblems(live.schema, applied).length > 0 || findProblems(live.schema, live.value).length > 0)
    return undefined;
  const { added, modified, removed } = compare(live.schema, applied, live.value);
  return difference(difference(difference(toFieldSet(live.schema, applied), modified), added), removed);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the object with an updated last-applied annotation, if it has that annotation. The annotation is removed if all annotations
 * together would be too large.
 */
function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  if (lastAppliedOf(object) === undefined) return object;
  const { [LAST_APPLIED]: _, ...others } = annotationsOf(object);
  const text = `${canonicalJson(withoutAnnotation(applied))}\n`;
  const renewed = { ...others, [LAST_APPLIED]: text };
  return withAnnotations(object, sizeOf(renewed) > MAX_ANNOTATIONS ? others : renewed);
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const annotations = annotationsOf(applied);
  if (getOwn(annotations, LAST_APPLIED) === undefined) return applied;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return withAnnotations(applied, others);
}

function lastAppliedOf(object: JsonValue): string | undefined {
  const text = isJsonObject(object) ? getOwn(annotationsOf(object), LAST_APPLIED) : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
function annotationsOf({ metadata }: JsonObject): JsonObject {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  return isJsonObject(annotations) ? annotations : {};
}
function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, annotations } };
}
function sizeOf(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + utf8Length(name) + utf8Length(String(value)),
    0,
  );
}
