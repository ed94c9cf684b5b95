import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { admissionRequest } from '../../admission/admission-request.js';
import type { JsonObject } from '../../json/value.js';
import { isJsonObject } from '../../json/value.js';
import { ApiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Status, StatusReason } from '../../meta/status.js';
import { flagOf, textOf, textsOf } from '../../outbound/review-webhook.js';
import { usersKindByName } from '../../schema/wire-order.js';
import { quote } from '../../values/quote.js';
import type { Invocation } from './relevant-hooks.js';

/** The decoded `response` of a webhook's AdmissionReview. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  /** The Status that explains a refusal. */
  readonly status: JsonObject | undefined;
  /** The JSON patch in base64; '' for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

const VERSIONS = ['v1', 'v1beta1'];
const KIND = 'AdmissionReview';

/**
 * Returns the AdmissionReview to send to a webhook. Its version is the first of the webhook's versions that this server supports; the
 * result is undefined when there is none.
 */
export async function reviewFor(
  { hook, form }: Invocation,
  attributes: AdmissionAttributes,
  uid: string,
  dialect: Dialect,
): Promise<(JsonObject & { readonly apiVersion: string }) | undefined> {
  const version = hook.admissionReviewVersions.find((each) => VERSIONS.includes(each));
  if (version === undefined) return undefined;
  const { object, oldObject } = attributes;
  const { dryRun = false, options = {}, ...request } = admissionRequest(attributes, form, dialect);
  const shown = async (each: typeof object) => {
    const seen = each && (await form.from(each));
    // An API object consists of JSON values only, so the cast is safe.
    return seen ? (usersKindByName(seen) as unknown as JsonObject) : null;
  };
  return {
    kind: KIND,
    apiVersion: `${groupOf(dialect, 'admission')}/${version}`,
    request: { uid, ...request, object: await shown(object), oldObject: await shown(oldObject), dryRun, options },
  };
}

/**
 * Reads the AdmissionReview that a webhook responds with.
 * @param mutating whether the webhook may change the object
 * @throws Error with upstream's message for an invalid response.
 */
export function readReview(answer: JsonObject, requestVersion: string, uid: string, mutating: boolean): ReviewAnswer {
  const { response } = answer;
  if (response === undefined || response === null) throw new Error('webhook response was absent');
  if (!isJsonObject(response)) throw new Error('response is not an object');
  const responseUid = textOf(response, 'uid');
  const isV1 = requestVersion.endsWith('/v1');
  if (isV1 && responseUid !== uid) throw new Error(`expected response.uid=${quote(uid)}, got ${quote(responseUid)}`);
  const [version, kind] = [textOf(answer, 'apiVersion'), textOf(answer, 'kind')];
  if (isV1 && (version !== requestVersion || kind !== KIND))
    throw new Error(
      `expected webhook response of ${requestVersion}, Kind=${KIND}, got ${version === '' ? '/' : version}, Kind=${kind}`,
    );
  const patch = textOf(response, 'patch');
  const patchType = textOf(response, 'patchType');
  // The empty string is an invalid patch type, unlike an absent one.
  const presentPatchType = response['patchType'] ?? undefined;
  if (isV1) refuseHalfPatch(patch, presentPatchType === undefined ? undefined : patchType, mutating);
  const { status } = response;
  return {
    allowed: flagOf(response, 'allowed'),
    status: isJsonObject(status) ? status : undefined,
    patch: mutating ? patch : '',
    // Responses in older versions have no patch type.
    patchType: isV1 ? patchType : 'JSONPatch',
    auditAnnotations: annotationsOf(response['auditAnnotations']),
    warnings: textsOf(response, 'warnings'),
  };
}

function refuseHalfPatch(patch: string, patchType: string | undefined, mutating: boolean): void {
  const refusal = (what: string) => new Error(what);
  if (!mutating) {
    if (patch !== '') throw refusal('validating webhook may not return response.patch');
    if (patchType !== undefined) throw refusal('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === undefined)
    throw refusal('webhook returned response.patch but not response.patchType');
  if (patch !== '' && patchType === '') throw refusal('webhook returned invalid response.patchType of ""');
  if (patch === '' && patchType !== undefined)
    throw refusal('webhook returned response.patchType but not response.patch');
}

function annotationsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(value as never)) return {};
  return Object.fromEntries(
    Object.entries(value as JsonObject).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Returns the error for a request that a webhook refused. It has the webhook's status, but never a success code. */
export function rejection(hook: string, webhookStatus: JsonObject | undefined): ApiError {
  const { code, reason = '', message = '', details, status: word = '' } = webhookStatus ?? {};
  const denied = `admission webhook ${quote(hook)} denied the request`;
  const why = String(message) || String(reason);
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    // A webhook may send any string, which is passed on unchanged.
    status: (word === '' || word === 'Success' ? 'Failure' : String(word)) as Status['status'],
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason === '' ? {} : { reason: String(reason) as StatusReason }), // Any reason is passed on unchanged.
    ...(isJsonObject(details) ? { details } : {}),
    code: typeof code === 'number' && code >= 400 && code < 600 ? code : 400,
  };
  return new ApiError(status);
}
