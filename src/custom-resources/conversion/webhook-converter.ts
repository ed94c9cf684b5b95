import type { JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { awaitedTimer, type Clock, reading } from '../../meta/clock.js';
import { groupOf } from '../../meta/dialect.js';
import { mapYielding } from '../../meta/flow.js';
import { formatGroupVersionKind, parseGroupVersion } from '../../meta/group-version.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
import { counter, DOUBLING_SECONDS, histogram } from '../../metrics/families.js';
import { WebhookClient } from '../../outbound/webhook-client.js';
import type { Converter } from '../../registry/resource-definition.js';
import type { CustomResourceConversion as CrdConversion } from '../../resources/apiextensions/apiextensions-v1.types.js';
import { perObject } from '../../values/memoize.js';
import { messageOf } from '../../values/message-of.js';
import { readStored, toServedShape, type VersionSchemas } from '../stored-form.js';
import {
  acceptConverted,
  decodingProblem,
  encodeReview,
  isBare,
  type ReviewKind,
  readConverted,
  reviewKind,
} from './conversion-review.js';

/** The timeout in seconds, as in upstream. */
const TIMEOUT = 30;
/** The maximum number of characters of the objects in one request. A list is sent in one request unless it is very large. */
const MAX_REVIEW = 2 * 1024 * 1024;
/**
 * A response may have at most this many bytes, which is enough for the largest object, plus `ANSWER_GROWTH` times the size of the request.
 */
const LEAST_ANSWER = 4 * 1024 * 1024;
const ANSWER_GROWTH = 4;

const inFlightOf = perObject(({ clock }: Host) => new InFlightConversions(clock));

/**
 * Returns a converter that calls the webhook of a definition (spec 21.8). The converted objects are pruned by the schema of the target
 * version.
 * @param definition name of the definition
 */
export function webhookConverter(
  host: Host,
  { clientConfig = {}, conversionReviewVersions }: NonNullable<CrdConversion['webhook']>,
  schemas: VersionSchemas,
  definition: string,
): Converter {
  const hook = { clientConfig, timeoutSeconds: TIMEOUT };
  let client: WebhookClient | undefined;

  const callWebhook = async (
    review: ReviewKind,
    objects: readonly ApiObject[],
    encoded: readonly string[],
    desiredAPIVersion: string,
  ) => {
    const uid = randomUuid(host.random);
    const ended = measureConversion(host, definition, versionOf(objects[0]?.apiVersion), versionOf(desiredAPIVersion));
    const failConversion = (failure: ConversionFailure, why: string, object = objects[0]) => {
      ended(failure);
      return apiError.unknown(`conversion webhook for ${kindOf(object)} ${why}`);
    };
    const body = encodeReview(review, { uid, desiredAPIVersion, objects: encoded });
    const sender = (client ??= new WebhookClient(host));
    const maxAnswer = LEAST_ANSWER + ANSWER_GROWTH * body.length;
    const answer = await inFlightOf(host)
      .run(definition, body.length + maxAnswer, () => sender.send(hook, review, body, maxAnswer))
      .catch((error: unknown) => {
        throw failConversion('call', `failed: ${messageOf(error)}`);
      });
    let converted: readonly JsonValue[];
    try {
      converted = readConverted(answer, review, uid);
    } catch (error) {
      throw failConversion('malformed_response', `failed: ${messageOf(error)}`);
    }
    if (converted.length !== objects.length)
      throw failConversion('partial_response', `returned ${converted.length} objects, expected ${objects.length}`);
    const accepted = await mapYielding(objects, (object, i) => {
      const result = converted[i] ?? null;
      const problem = decodingProblem(result);
      if (problem !== undefined) {
        ended('invalid_converted_object');
        throw apiError.unknown(problem);
      }
      try {
        return acceptConverted(object, result, desiredAPIVersion);
      } catch (error) {
        throw failConversion('invalid_converted_object', messageOf(error), object);
      }
    });
    ended();
    return accepted;
  };

  return {
    async convert(objectsToConvert, apiVersion, from) {
      const target = schemas.get(apiVersion);
      if (!target) throw apiError.unknown(`request to convert CR to an invalid group/version: ${apiVersion}`);
      const objects = await mapYielding(objectsToConvert, (object) => {
        const schema = schemas.get(object.apiVersion ?? '');
        if (schema) return from === 'storage' ? readStored(schema, object) : object;
        throw apiError.unknown(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
      });
      const review = reviewKind(groupOf(host.dialect, 'apiextensions'), conversionReviewVersions);
      const foreign = objects.filter((object) => object.apiVersion !== apiVersion && !isBare(object));
      if (foreign.length > 0 && !review) throw apiError.unknown('no supported conversion review versions');
      const converted = new Map<ApiObject, ApiObject>();
      if (review)
        for (const { some, encoded } of reviewBatches(foreign))
          for (const [i, object] of (await callWebhook(review, some, encoded, apiVersion)).entries())
            converted.set(some[i] as ApiObject, object); // There is one object for each that was sent, so `some[i]` exists.
      return await mapYielding(objects, (object) => {
        const whole = converted.get(object) ?? object;
        return from === 'merge' ? whole : toServedShape(target, whole, apiVersion);
      });
    },
  };
}

const versionOf = (apiVersion = ''): string => parseGroupVersion(apiVersion)?.version ?? '';
const kindOf = (object: ApiObject | undefined): string =>
  formatGroupVersionKind({
    ...(parseGroupVersion(object?.apiVersion ?? '') ?? { group: '', version: '' }),
    kind: object?.kind ?? '',
  });

/**
 * Encodes objects and splits them into requests of limited size. The resourceVersion is left out, because a converter does not need it;
 * {@link acceptConverted} restores it from the original.
 */
function* reviewBatches(objects: readonly ApiObject[]) {
  let some: ApiObject[] = [];
  let encoded: string[] = [];
  let size = 0;
  for (const object of objects) {
    const { resourceVersion: _, ...metadata } = object.metadata ?? {};
    const text = JSON.stringify(object.metadata ? { ...object, metadata } : object);
    if (some.length > 0 && size + text.length > MAX_REVIEW) {
      yield { some, encoded };
      some = [];
      encoded = [];
      size = 0;
    }
    some.push(object);
    encoded.push(text);
    size += text.length;
  }
  if (some.length > 0) yield { some, encoded };
}

const RESULT = ['result', 'failure_type'];
const requests = counter(
  'apiserver_conversion_webhook_request_total',
  'Counter for conversion webhook requests with success/failure and failure error type',
  RESULT,
);
const duration = histogram(
  'apiserver_conversion_webhook_duration_seconds',
  'Conversion webhook request latency',
  RESULT,
  [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
);
const ofDefinition = histogram(
  'apiserver_crd_conversion_webhook_duration_seconds',
  'CRD webhook conversion duration in seconds',
  ['crd_name', 'from_version', 'to_version', 'succeeded'],
  DOUBLING_SECONDS,
);

/** The kind of failure of a conversion request. */
type ConversionFailure = 'call' | 'malformed_response' | 'partial_response' | 'invalid_converted_object';

/**
 * Starts to measure one request to a conversion webhook.
 * @returns a function to call at the end of the request; its argument is the kind of failure, undefined for a success.
 */
function measureConversion(
  { metrics, clock }: Pick<Host, 'metrics' | 'clock'>,
  definition: string,
  fromVersion: string,
  toVersion: string,
): (failure?: ConversionFailure) => void {
  const since = reading(clock);
  return (failure) => {
    const seconds = (reading(clock) - since) / 1000;
    const labels = failure === undefined ? ['success', ''] : ['failure', `conversion_webhook_${failure}_failure`];
    metrics.add(requests, labels);
    metrics.observe(duration, labels, seconds);
    metrics.observe(ofDefinition, [definition, fromVersion, toVersion, String(failure === undefined)], seconds);
  };
}

const MIB = 1024 * 1024;
/**
 * The maximum size in bytes of all concurrent requests together, each with its largest possible response. `MOST_OF_ONE` is the maximum of
 * the requests of one definition.
 */
const MOST = 256 * MIB;
const MOST_OF_ONE = 64 * MIB;
/**
 * The milliseconds for which a request waits for others to end. It is as long as the default time limit of the callers' requests, because
 * the requests of callers that are gone would otherwise accumulate while a webhook does not answer.
 */
const LONGEST_WAIT = 60_000;

interface Waiting {
  readonly definition: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Limits concurrent requests to conversion webhooks: a request that would exceed a limit waits until others end. Each definition also has
 * its own limit, so that a slow webhook delays only its own objects.
 */
export class InFlightConversions {
  readonly #clock: Clock;
  readonly #ofDefinition = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs `ask` as soon as the limits allow it.
   * @param bytes the maximum size of the request and its response together
   * @throws Error after {@link LONGEST_WAIT}
   */
  async run<T>(definition: string, bytes: number, ask: () => Promise<T>): Promise<T> {
    if (this.#fits(definition, bytes)) this.#add(definition, bytes);
    else await this.#turn(definition, bytes);
    try {
      return await ask();
    } finally {
      this.#add(definition, -bytes);
      this.#beginWaiting();
    }
  }

  /** Resolves when a request may begin, and has been counted. */
  #turn(definition: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(new Error('context deadline exceeded, because too many conversions wait for this or other webhooks'));
      };
      const cancel = awaitedTimer(this.#clock, giveUp, LONGEST_WAIT, 'wait for conversions under way');
      const begin = () => {
        cancel();
        resolve();
      };
      const waiting = { definition, bytes, begin };
      this.#waiting.add(waiting);
    });
  }

  #fits(definition: string, bytes: number): boolean {
    const own = this.#ofDefinition.get(definition);
    if (own === undefined) return this.#bytes === 0 || this.#bytes + bytes <= MOST;
    return own + bytes <= MOST_OF_ONE && this.#bytes + bytes <= MOST;
  }

  #add(definition: string, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#ofDefinition.get(definition) ?? 0) + bytes;
    if (own === 0) this.#ofDefinition.delete(definition);
    else this.#ofDefinition.set(definition, own);
  }

  #beginWaiting(): void {
    for (const each of this.#waiting) {
      if (!this.#fits(each.definition, each.bytes)) continue;
      this.#waiting.delete(each);
      this.#add(each.definition, each.bytes);
      each.begin();
    }
  }
}
