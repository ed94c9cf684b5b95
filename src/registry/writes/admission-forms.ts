import type { ResourceForm } from '../../admission/admission-plugin.js';
import { equalJson } from '../../json/equal.js';
import type { JsonObject, JsonValue } from '../../json/value.js';
import { isJsonObject } from '../../json/value.js';
import { apiError, isApiError, quotingContent, REDACTED } from '../../meta/api-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { readTypeMeta } from '../../meta/type-meta.js';
import { applyJsonPatch, decodeJsonPatch } from '../../patch/json-patch.js';
import type { KnownKinds } from '../request-context.js';
import type { ServedResource } from '../served/served-resource.js';
import { conversionProblem, missingKind, otherType } from '../type-problems.js';
import { decodeFields } from './ownership.js';
import type { Write } from './write.js';

/** Returns the versions in which webhooks can receive the object of a write; the version of the write comes first. */
export function resourceForms({ environment, target, context }: Write): readonly ResourceForm[] {
  const { kinds } = context;
  const own = target.resource;
  const { gvr, peers = [] } = environment.resource;
  // A subresource with a kind of its own (Scale) has the same kind in all versions of the resource.
  const isOwnKind = !isSameVersion(own.gvk, gvr);
  return [
    formOf(kinds, own, own, gvr),
    ...peers
      .filter((peer) => !isSameVersion(peer.gvr, gvr) && offers(peer, target.subresource))
      .map((peer) => formOf(kinds, own, isOwnKind ? own : peer, peer.gvr)),
  ];
}

interface Version {
  readonly group: string;
  readonly version: string;
}
const isSameVersion = (left: Version, right: Version) => left.group === right.group && left.version === right.version;

const offers = ({ definition }: ServedResource, subresource: string) =>
  subresource === '' || Object.hasOwn(definition.subresources ?? {}, subresource);

function formOf(
  kinds: KnownKinds,
  own: ServedResource,
  version: ServedResource,
  resource: ResourceForm['resource'],
): ResourceForm {
  const from = (object: ApiObject) => (version === own ? object : convertObject(own, version, object));
  return {
    resource,
    kind: version.gvk,
    from,
    async patch(object, document) {
      const before = await from(object);
      const patched = patchJson(before as unknown as JsonObject, document);
      if (!isJsonObject(patched)) throw apiError.internal('the patched object is not an object');
      refuseOtherKind(kinds, version, patched);
      const decode = (to: ServedResource, value: JsonObject) =>
        decodeFields(to, value, (problem) => apiError.internal(problem), { prunes: to === own }).object;
      const after = decode(version, patched);
      if (equalJson(after, before)) return object;
      if (version === own) return after;
      // API objects are plain JSON, so the cast is safe.
      return decode(own, (await convertObject(version, own, after)) as unknown as JsonObject);
    },
  };
}

/** @throws ApiError when a patch changed the kind of an object: 422 for a custom resource, else 500. */
function refuseOtherKind(kinds: KnownKinds, version: ServedResource, patched: JsonObject): void {
  const typeMeta = typeMetaOf(patched);
  const { apiVersion, kind } = typeMeta;
  if (version.definition.decoding === 'structural') {
    if (kind === '') {
      const refusal = (text: string) => apiError.internal(missingKind(text));
      throw quotingContent(refusal(JSON.stringify(patched)), refusal(REDACTED));
    }
    const refusal = otherType(version, typeMeta, patched);
    if (refusal) throw refusal;
    return;
  }
  const { gvk } = version;
  const admittedKind = { ...((apiVersion && parseGroupVersion(apiVersion)) || gvk), kind: kind || gvk.kind };
  if (admittedKind.kind === gvk.kind && (apiVersion === '' || apiVersion === version.apiVersion)) return;
  const problem = conversionProblem(kinds, version, admittedKind);
  if (problem !== undefined) throw apiError.internal(problem);
}

function typeMetaOf(patched: JsonObject) {
  try {
    return readTypeMeta(patched);
  } catch (error) {
    throw apiError.internal(error instanceof Error ? error.message : String(error));
  }
}

/** Converts an object between two versions of its kind. @throws ApiError 500 when that is not possible. */
function convertObject(from: ServedResource, to: ServedResource, object: ApiObject): ReturnType<ResourceForm['from']> {
  const value = object as unknown as JsonObject;
  const typed = { value, schema: from.definition.schema, apiVersion: from.apiVersion };
  const objectOf = (converted: typeof now) => {
    if (!converted)
      throw apiError.internal(`failed to convert ${from.apiVersion} ${from.gvk.kind} to ${to.apiVersion}`);
    return converted.value as unknown as ApiObject; // A conversion keeps the kind of the object, so the cast is safe.
  };
  const now = (from.convert ?? to.convert)?.(typed, to.apiVersion);
  const later = (from.convertLater ?? to.convertLater)?.(typed, to.apiVersion);
  return later ? later.then(objectOf) : objectOf(now);
}

/** @throws ApiError 500 with upstream's message when the document is not a patch or cannot be applied. */
export function patchJson(value: JsonObject, document: JsonValue): JsonValue {
  try {
    const patch = decodeJsonPatch(document, 'Ignore');
    return applyJsonPatch(value, patch);
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw apiError.internal(error.code === 422 ? failureOf(value, document) : error.message);
  }
}

/** The maximum number of operations of a patch that are applied one by one to find the failing one. */
const MAX_TRIED = 256;

function failureOf(value: JsonValue, document: JsonValue): string {
  let current = value;
  const operations = Array.isArray(document) ? (document as readonly JsonValue[]).slice(0, MAX_TRIED) : [];
  for (const operation of operations) {
    try {
      current = applyJsonPatch(current, { operations: [operation], problems: [] });
    } catch (error) {
      if (!isApiError(error)) throw error;
      return isJsonObject(operation) ? describeFailure(current, operation) : 'Unexpected kind: unknown';
    }
  }
  return 'the patch cannot be applied';
}

function describeFailure(value: JsonValue, { op, path }: JsonObject): string {
  const at = typeof path === 'string' ? path : '';
  const name = String(op);
  const parts = at
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = parts.pop() ?? '';
  const container = parts.reduce<JsonValue | undefined>(memberOf, value);
  if (name === 'test') return `testing value ${at} failed: test failed`;
  if (!['add', 'remove', 'replace', 'move', 'copy'].includes(name)) return `Unexpected kind: ${name}`;
  if (typeof container !== 'object' || container === null)
    return `${name} operation does not apply: doc is missing path: "${at}": missing value`;
  const why = Array.isArray(container)
    ? `Unable to access invalid index: ${key}: invalid index referenced`
    : `Unable to ${name} nonexistent key: ${key}: missing value`;
  return `error in ${name} for path: '${at}': ${why}`;
}

function memberOf(container: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(container)) return (container as readonly JsonValue[])[Number(name)];
  return isJsonObject(container) && Object.hasOwn(container, name) ? container[name] : undefined;
}
