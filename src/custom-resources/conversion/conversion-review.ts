import { jsonTypeName } from '../../json/number-text.js';
import { printGoType } from '../../json/print-go.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { formatFieldErrors, shorten } from '../../meta/field-error.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import { validateAnnotations, validateLabels } from '../../meta/object-meta-validation.js';
import { textOf } from '../../outbound/review-webhook.js';
import { quote } from '../../values/quote.js';

const KIND = 'ConversionReview';
const VERSIONS = ['v1', 'v1beta1'];

/** The request of a ConversionReview. Its objects are already encoded as JSON. */
interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly string[];
}

/**
 * Returns the kind and apiVersion of the review. The version is the first of `versions` that this server supports; the result is undefined
 * when it supports none of them.
 */
export function reviewKind(group: string, versions: readonly string[]): ReviewKind | undefined {
  const version = versions.find((each) => VERSIONS.includes(each));
  return version === undefined ? undefined : { kind: KIND, apiVersion: `${group}/${version}` };
}
export type ReviewKind = JsonObject & { readonly kind: string; readonly apiVersion: string };

/** Encodes a ConversionReview as upstream does, with an empty response. */
export function encodeReview(
  { kind, apiVersion }: ReviewKind,
  { uid, desiredAPIVersion, objects }: ConversionRequest,
): string {
  const request = `{"uid":${JSON.stringify(uid)},"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)},"objects":[${objects.join(',')}]}`;
  const response = { uid: '', convertedObjects: null, result: { metadata: {} } };
  return `{"kind":"${kind}","apiVersion":"${apiVersion}","request":${request},"response":${JSON.stringify(response)}}`;
}

/**
 * Returns the converted objects of a response. The uid is checked only for `v1`, because `v1beta1` responses do not need to repeat it.
 * @throws Error with upstream's message for a malformed response, or when the response reports that the conversion failed.
 */
export function readConverted(answer: JsonObject, { apiVersion }: ReviewKind, uid: string): readonly JsonValue[] {
  const isV1 = apiVersion.endsWith('/v1');
  const [version, kind] = [textOf(answer, 'apiVersion'), textOf(answer, 'kind')];
  if (isV1 && (version !== apiVersion || kind !== KIND))
    throw new Error(
      `expected webhook response of ${apiVersion}, Kind=${KIND}, got ${version === '' ? '/' : version}, Kind=${kind}`,
    );
  const { response } = answer;
  if (!isJsonObject(response)) throw new Error('no response provided');
  const responseUid = textOf(response, 'uid');
  if (isV1 && responseUid !== uid) throw new Error(`expected response.uid=${quote(uid)}, got ${quote(responseUid)}`);
  const result = isJsonObject(response['result']) ? response['result'] : {};
  const status = textOf(result, 'status');
  if (status !== 'Success')
    throw new Error(textOf(result, 'message') || `response.result.status was '${status}', not 'Success'`);
  const { convertedObjects } = response;
  return Array.isArray(convertedObjects) ? convertedObjects : [];
}

/** Returns why a converted object cannot be decoded; undefined when it can be. */
export function decodingProblem(converted: JsonValue): string | undefined {
  if (converted === null) return 'unexpected end of JSON input';
  if (!isJsonObject(converted))
    return `json: cannot unmarshal ${jsonTypeName(converted)} into Go value of type map[string]interface {}`;
  const kind = textOf(converted, 'kind');
  return kind === '' ? `Object 'Kind' is missing in '${shorten(JSON.stringify(converted))}'` : undefined;
}

/** Returns whether an object consists only of `kind` and `apiVersion`. Such an object needs no conversion. */
export const isBare = (object: ApiObject): boolean =>
  Object.keys(object).every((name) => name === 'kind' || name === 'apiVersion');

/**
 * Checks an object that a converter returned, and restores the metadata of the original, because a converter may only change labels and
 * annotations.
 * @throws Error with upstream's message for a change that is not allowed.
 */
export function acceptConverted(original: ApiObject, converted: JsonValue, apiVersion: string): ApiObject {
  const object = isJsonObject(converted) ? converted : {};
  const { group = '', version = '' } = parseGroupVersion(textOf(object, 'apiVersion')) ?? {};
  const received = group === '' ? version : `${group}/${version}`;
  if (received !== apiVersion)
    throw new Error(
      `returned invalid object at index 0: invalid groupVersion (expected ${apiVersion}, received ${received})`,
    );
  const kind = textOf(object, 'kind');
  if (kind !== original.kind)
    throw new Error(`returned invalid object at index 0: invalid kind (expected ${original.kind}, received ${kind})`);
  const { metadata } = object;
  for (const [name, label] of IDENTITY) {
    const before = original.metadata?.[name] ?? '';
    const after = isJsonObject(metadata) ? textOf(metadata, name) : '';
    if (before !== after)
      throw new Error(`returned invalid object: must have the same ${label}: ${before} != ${after}`);
  }
  return { ...(object as unknown as ApiObject), metadata: restoreMetadata(original.metadata ?? {}, object) };
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

const VALIDATORS = { labels: validateLabels, annotations: validateAnnotations } as const;
/** The paths of the fields in messages. Upstream spells `metadata.annotation` without the s, too. */
const PATHS = { labels: 'metadata.labels', annotations: 'metadata.annotation' } as const;

function restoreMetadata(original: ObjectMeta, { metadata }: JsonObject): ObjectMeta {
  const invalid = (why: string) => new Error(`returned invalid metadata: ${why}`);
  if (metadata === undefined) throw invalid('missing metadata in converted object');
  if (!isJsonObject(metadata)) throw invalid(`invalid metadata of type ${printGoType(metadata)} in converted object`);
  const { labels: _labels, annotations: _annotations, ...others } = original;
  const restored: { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] } = others;
  for (const name of ['labels', 'annotations'] as const) {
    const entries = metadata[name];
    if (entries === undefined || entries === null) continue;
    if (!isJsonObject(entries))
      throw invalid(`invalid metadata.${name} of type ${printGoType(entries)} in converted object`);
    for (const [key, value] of Object.entries(entries))
      if (typeof value !== 'string')
        throw invalid(`metadata.${name}[${key}] must be a string, but is ${printGoType(value)} in converted object`);
    // The preceding loop has checked that all values are strings, so the cast is safe.
    const texts = entries as Readonly<Record<string, string>>;
    const before = original[name] ?? {};
    const keys = Object.keys(texts);
    const same =
      keys.length === Object.keys(before).length &&
      keys.every((key) => Object.hasOwn(before, key) && before[key] === texts[key]);
    const problems = same ? [] : VALIDATORS[name](texts, PATHS[name]);
    if (problems.length > 0) throw invalid(formatFieldErrors(problems));
    restored[name] = same ? before : texts;
  }
  return restored;
}
