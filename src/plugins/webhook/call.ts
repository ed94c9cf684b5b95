import type { AdmissionAttributes, AdmissionHost } from '../../admission/admission-plugin.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import { groupOf } from '../../meta/dialect.js';
import { randomUuid } from '../../meta/random.js';
import { counter, histogram } from '../../metrics/families.js';
import { FailedStatusError } from '../../outbound/failed-status.js';
import { AuthoritiesError } from '../../outbound/required-authorities.js';
import type { WebhookClient } from '../../outbound/webhook-client.js';
import { decodeBase64Text } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import type { Invocation } from './relevant-hooks.js';
import { decodeReview, type ReviewAnswer, readReview, rejection, reviewFor } from './review.js';

/** Returns the key of the audit annotation for one call: `mutation.webhook.admission.k8s.io/round_0_index_2`. */
export function annotationKey({ dialect }: AdmissionHost, sort: string, { index }: Invocation, round: number): string {
  return `${sort}.webhook.${groupOf(dialect, 'admission')}/round_${round}_index_${index}`;
}

interface CallOptions {
  readonly mutating: boolean;
  readonly round?: number;
  /** Applies the webhook's response to the object. It is measured with the call, and its errors count as internal errors of the server. */
  readonly apply?: (answer: ReviewAnswer) => Promise<void>;
}

const WITHOUT_EFFECTS = ['None', 'NoneOnDryRun'];

/**
 * Calls a webhook for a request, and passes on its warnings and audit annotations.
 * @returns the webhook's response, which allows the request; undefined when the call failed and the failure policy is Ignore.
 * @throws ApiError with the webhook's status when it refuses the request; 500 when the call failed; 400 for a dry run that the webhook does
 * not support.
 */
export async function callWebhook(
  host: AdmissionHost,
  client: WebhookClient,
  invocation: Invocation,
  attributes: AdmissionAttributes,
  { mutating, round = 0, apply }: CallOptions,
): Promise<ReviewAnswer | undefined> {
  const { hook } = invocation;
  const ended = measureCall(host, hook.name, attributes, mutating);
  if (attributes.dryRun && !WITHOUT_EFFECTS.includes(hook.sideEffects)) {
    const message = `admission webhook ${quote(hook.name)} does not support dry run`;
    ended('internalError');
    throw apiError.badRequest(message);
  }
  const uid = randomUuid(host.random);
  let answer: ReviewAnswer;
  try {
    answer = await sendReview(host, client, invocation, attributes, uid, mutating);
  } catch (error) {
    const failed = error instanceof FailedCall ? error : new FailedCall(messageOf(error), 400);
    if (hook.failurePolicy !== 'Ignore') {
      ended({ refused: failed });
      throw apiError.internal(`failed calling webhook ${quote(hook.name)}: ${failed.message}`);
    }
    ended({ ignored: failed });
    const sort = mutating ? 'mutation' : 'validating';
    attributes.annotate(`failed-open.${annotationKey(host, sort, invocation, round)}`, hook.name);
    return undefined;
  }
  for (const [key, value] of Object.entries(answer.auditAnnotations)) attributes.annotate(`${hook.name}/${key}`, value);
  for (const warning of answer.warnings) attributes.warn(warning);
  if (!answer.allowed) {
    const refused = rejection(hook.name, answer.status);
    ended({ refused });
    throw refused;
  }
  try {
    await apply?.(answer);
  } catch (error) {
    ended('internalError');
    throw error;
  }
  ended('allowed');
  return answer;
}

async function sendReview(
  { dialect }: AdmissionHost,
  client: WebhookClient,
  invocation: Invocation,
  attributes: AdmissionAttributes,
  uid: string,
  mutating: boolean,
): Promise<ReviewAnswer> {
  const { hook } = invocation;
  const review = await reviewFor(invocation, attributes, uid, dialect);
  if (!review)
    throw new Error(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  const { clientConfig, timeoutSeconds } = hook;
  const called = { clientConfig, timeoutSeconds, remaining: attributes.remaining?.() };
  const asked = client.post(called, review, attributes.annotate).then(decodeReview);
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof AuthoritiesError) throw new FailedCall(`could not get REST client: ${error.message}`, 400);
    const unreachable = mutating ? 503 : 400;
    const code = error instanceof FailedStatusError ? error.status : unreachable;
    throw new FailedCall(`failed to call webhook: ${messageOf(error)}`, code);
  });
  let read: ReviewAnswer;
  try {
    read = readReview(answer, review.apiVersion, uid, mutating);
  } catch (error) {
    throw new FailedCall(`received invalid webhook response: ${messageOf(error)}`, 503);
  }
  const { allowed, patch, patchType, status } = read;
  // Only a patch that is a list is refused here because of its patch type. As in upstream, a patch that is not a list fails later, whatever
  // its patch type is.
  if (allowed && patchType !== 'JSONPatch' && decodeBase64Text(patch).trimStart().startsWith('['))
    throw new FailedCall(`unsupported patch type ${quote(patchType)}`, rejection(hook.name, status).code);
  return read;
}

const duration = histogram(
  'apiserver_admission_webhook_admission_duration_seconds',
  'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ['name', 'type', 'operation', 'rejected'],
  [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
  { stability: 'STABLE' },
);
const requests = counter(
  'apiserver_admission_webhook_request_total',
  'Admission webhook request total, identified by name and broken out for each admission type (validating or mutating) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ['name', 'type', 'operation', 'code', 'rejected'],
);
const rejections = counter(
  'apiserver_admission_webhook_rejection_count',
  'Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ['name', 'type', 'operation', 'error_type', 'rejection_code'],
);
const failedOpen = counter(
  'apiserver_admission_webhook_fail_open_count',
  'Admission webhook fail open count, identified by name and broken out for each admission type (validating or mutating).',
  ['name', 'type'],
);

const GREATEST_CODE = 600;

/** The error of a failed call. Its code, which metrics contain, depends on the step that failed, as in upstream. */
class FailedCall extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'FailedCall';
    this.code = code;
  }
}

/**
 * The result of a call: the request was allowed, the server could not make the call or apply its response, a failure was ignored, or the
 * request was refused with an error.
 */
type Outcome =
  | 'allowed'
  | 'internalError'
  | { readonly ignored: FailedCall }
  | { readonly refused: FailedCall | ApiError };

/** Starts to measure a call. @returns a function that must be called with the outcome. */
function measureCall(
  { metrics, clock }: AdmissionHost,
  name: string,
  { operation }: AdmissionAttributes,
  mutating: boolean,
): (outcome: Outcome) => void {
  const type = mutating ? 'admit' : 'validating';
  const since = reading(clock);
  return (outcome) => {
    const code = String(Math.min(codeOf(outcome), GREATEST_CODE));
    const sort = sortOf(outcome);
    if (sort !== undefined) metrics.add(rejections, [name, type, operation, sort, code]);
    if (typeof outcome === 'object' && 'ignored' in outcome) metrics.add(failedOpen, [name, type]);
    const rejected = String(sort !== undefined);
    metrics.observe(duration, [name, type, operation, rejected], (reading(clock) - since) / 1000);
    metrics.add(requests, [name, type, operation, code, rejected]);
  };
}

function codeOf(outcome: Outcome): number {
  if (outcome === 'allowed') return 200;
  if (outcome === 'internalError') return 0;
  return 'ignored' in outcome ? outcome.ignored.code : outcome.refused.code;
}

/** Returns the label `error_type` of a refusal; undefined if the request was not refused. */
function sortOf(outcome: Outcome): string | undefined {
  if (outcome === 'internalError') return 'apiserver_internal_error';
  if (outcome === 'allowed' || 'ignored' in outcome) return undefined;
  return outcome.refused instanceof FailedCall ? 'calling_webhook_error' : 'no_error';
}
