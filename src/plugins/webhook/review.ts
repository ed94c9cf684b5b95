import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { admissionRequest } from '../../admission/admission-request.js';
import type { JsonObject } from '../../json/value.js';
import { ApiError } from '../../meta/api-error.js';
import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Status } from '../../meta/status.js';
import {
  boolean,
  bytes,
  listAtomic,
  map,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  structSchema,
} from '../../schema/authoring.js';
import { decodeTyped } from '../../schema/decode.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { usersKindByName } from '../../schema/wire-order.js';
import { quote } from '../../values/quote.js';
import type { Invocation } from './relevant-hooks.js';

/** The parts of a webhook's AdmissionReview that are read. */
interface AnsweredReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly response?: AnsweredResponse;
}

interface AnsweredResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Partial<Status>;
  /** The JSON patch in base64. */
  readonly patch?: string;
  /** The empty string is an invalid patch type, unlike an absent one. */
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

const response = /* @__PURE__ */ struct('io.k8s.api.admission.v1.AdmissionResponse', '', () => ({
  uid: required(string()),
  allowed: required(boolean()),
  status: omitNull(metaV1.struct('Status')),
  patch: omitEmpty(bytes()),
  patchType: omitNull(string()),
  auditAnnotations: omitEmpty(map(string())),
  warnings: omitEmpty(listAtomic(string())),
}));
const answeredReview = /* @__PURE__ */ struct('io.k8s.api.admission.v1.AdmissionReview', '', () => ({
  kind: omitEmpty(string()),
  apiVersion: omitEmpty(string()),
  response: omitNull(response),
}));

/** The `response` of a webhook's AdmissionReview. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  /** The Status that explains a refusal. */
  readonly status: Partial<Status> | undefined;
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

/** Decodes the AdmissionReview that a webhook responds with. @throws DecodeError with upstream's message for members of wrong types. */
export const decodeReview = (review: JsonObject): AnsweredReview =>
  // Decoding with the schema guarantees the type, so the cast is safe.
  decodeTyped(structSchema(answeredReview), review).value as unknown as AnsweredReview;

/**
 * Checks the AdmissionReview that a webhook responds with, and returns its response.
 * @param mutating whether the webhook may change the object
 * @throws Error with upstream's message for an invalid response.
 */
export function readReview(
  { apiVersion: version = '', kind = '', response: answered }: AnsweredReview,
  requestVersion: string,
  uid: string,
  mutating: boolean,
): ReviewAnswer {
  if (answered === undefined) throw new Error('webhook response was absent');
  const { patch = '', patchType, status, auditAnnotations = {}, warnings = [] } = answered;
  const isV1 = requestVersion.endsWith('/v1');
  if (isV1 && answered.uid !== uid) throw new Error(`expected response.uid=${quote(uid)}, got ${quote(answered.uid)}`);
  if (isV1 && (version !== requestVersion || kind !== KIND))
    throw new Error(
      `expected webhook response of ${requestVersion}, Kind=${KIND}, got ${version === '' ? '/' : version}, Kind=${kind}`,
    );
  if (isV1) refuseHalfPatch(patch, patchType, mutating);
  return {
    allowed: answered.allowed,
    status,
    patch: mutating ? patch : '',
    // Responses in older versions have no patch type.
    patchType: isV1 ? (patchType ?? '') : 'JSONPatch',
    auditAnnotations,
    warnings,
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

/** Returns the error for a request that a webhook refused. It has the webhook's status, but never a success code. */
export function rejection(hook: string, webhookStatus: Partial<Status> | undefined): ApiError {
  const { code = 0, reason, message = '', details, status: word } = webhookStatus ?? {};
  const denied = `admission webhook ${quote(hook)} denied the request`;
  const why = message || (reason ?? '');
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    // The webhook's `status` is passed on unchanged, even if it is an unknown word, but a refusal must not be called a success.
    status: !word || word === 'Success' ? 'Failure' : word,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code: code >= 400 && code < 600 ? code : 400,
  };
  return new ApiError(status);
}
