import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { textOf } from '../../outbound/review-webhook.js';
import { quote } from '../../values/quote.js';

const KIND = 'ConversionReview';
const VERSIONS = ['v1', 'v1beta1'];

/** The request of a ConversionReview. Its objects are encoded already. */
export interface ConversionQuestion {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly string[];
}

/** Returns the kind of the review, in the first of the versions that this server supports; undefined when it supports none of them. */
export function reviewKind(group: string, versions: readonly string[]): ReviewKind | undefined {
  const version = versions.find((each) => VERSIONS.includes(each));
  return version === undefined ? undefined : { kind: KIND, apiVersion: `${group}/${version}` };
}
export type ReviewKind = JsonObject & { readonly kind: string; readonly apiVersion: string };

/** Encodes a review in the form of the reference, which includes an empty response. */
export function encodeReview(
  { kind, apiVersion }: ReviewKind,
  { uid, desiredAPIVersion, objects }: ConversionQuestion,
): string {
  const request = `{"uid":${JSON.stringify(uid)},"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)},"objects":[${objects.join(',')}]}`;
  const response = { uid: '', convertedObjects: null, result: { metadata: {} } };
  return `{"kind":"${kind}","apiVersion":"${apiVersion}","request":${request},"response":${JSON.stringify(response)}}`;
}

/**
 * Returns the converted objects of an answer. Only `v1` repeats the uid of the request, so only that is checked.
 * @throws Error with the reference's words for a malformed answer, or when it reports that the conversion failed.
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

/** Whether an object consists only of `kind` and `apiVersion`, so that there is nothing to convert. */
export const isBare = (object: ApiObject): boolean =>
  Object.keys(object).every((name) => name === 'kind' || name === 'apiVersion');
