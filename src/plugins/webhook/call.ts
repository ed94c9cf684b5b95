import type { AdmissionAttributes, AdmissionHost } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { randomUuid } from '../../meta/random.js';
import type { WebhookClient } from '../../outbound/webhook-client.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import type { Invocation } from './relevant-hooks.js';
import { type ReviewAnswer, readReview, rejection, reviewFor } from './review.js';
import { FailedCall, measureCall } from './webhook-metrics.js';

/** Returns the key of the audit annotation for one call: `mutation.webhook.admission.k8s.io/round_0_index_2`. */
export function annotationKey({ dialect }: AdmissionHost, sort: string, { index }: Invocation, round: number): string {
  return `${sort}.webhook.${groupOf(dialect, 'admission')}/round_${round}_index_${index}`;
}

const WITHOUT_EFFECTS = ['None', 'NoneOnDryRun'];

/**
 * Calls a webhook for a request, and passes on its warnings and audit annotations.
 * @returns the answer, which allows the request; undefined when the call failed and failures are ignored.
 * @throws ApiError with the webhook's status when it refuses; 500 when the call failed; 400 for a dry run that the webhook does not
 * support.
 */
export async function callWebhook(
  host: AdmissionHost,
  client: WebhookClient,
  invocation: Invocation,
  attributes: AdmissionAttributes,
  { mutating, round = 0 }: { readonly mutating: boolean; readonly round?: number },
): Promise<ReviewAnswer | undefined> {
  const { hook } = invocation;
  const ended = measureCall(host, hook.name, attributes, mutating);
  if (attributes.dryRun && !WITHOUT_EFFECTS.includes(hook.sideEffects)) {
    const message = `admission webhook ${quote(hook.name)} does not support dry run`;
    ended({ refused: new Error(message) });
    throw apiError.badRequest(message);
  }
  const uid = randomUuid(host.random);
  let answer: ReviewAnswer;
  try {
    answer = await ask(host, client, invocation, attributes, uid, mutating);
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
  ended('allowed');
  return answer;
}

async function ask(
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
  const answer = await client.post(hook, review, attributes.annotate).catch((error: unknown) => {
    throw new FailedCall(`failed to call webhook: ${messageOf(error)}`, 400);
  });
  try {
    return readReview(answer, review.apiVersion, uid, mutating);
  } catch (error) {
    throw new FailedCall(`received invalid webhook response: ${messageOf(error)}`, 503);
  }
}
