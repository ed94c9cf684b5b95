import { getOwn, isDeeperThan } from '../json/members.js';
import { canonicalJson } from '../json/order.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { utf8Length } from '../values/utf8.js';
import type { Typed } from './merge/versions.js';
import { MAX_DEPTH } from './paths/fields-v1.js';
import { difference, type PathSet } from './paths/path-set.js';
import { compare } from './typed/compare.js';
import { toFieldSet } from './typed/to-field-set.js';
import { findProblems } from './typed/validate-applied.js';

// Client-side `kubectl apply` keeps the applied object in an annotation. In server-side apply the manager `kubectl` may take over those
// fields without a conflict, and the annotation is updated (spec 6.14).

export const KUBECTL = 'kubectl';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The most bytes of all annotations together, names and values. */
const MAX_ANNOTATIONS = 256 * 1024;

/**
 * Returns the fields of the live object that are unchanged since a client-side apply; undefined without such an apply or with an unreadable
 * annotation.
 */
export function fieldsLastApplied(live: Typed): PathSet | undefined {
  const text = lastAppliedOf(live.value);
  const applied = text === undefined ? undefined : parseObject(text);
  if (applied === undefined || getOwn(applied, 'apiVersion') !== live.apiVersion) return undefined;
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
 * Returns the object with its annotation, if it has one, updated; the annotation is removed when all annotations together would be too
 * large.
 */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  if (lastAppliedOf(object) === undefined) return object;
  const { [LAST_APPLIED]: _, ...others } = annotationsOf(object);
  const text = `${canonicalJson(withoutLastApplied(applied))}\n`;
  const renewed = { ...others, [LAST_APPLIED]: text };
  return withAnnotations(object, sizeOf(renewed) > MAX_ANNOTATIONS ? others : renewed);
}

function withoutLastApplied(applied: JsonObject): JsonObject {
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
