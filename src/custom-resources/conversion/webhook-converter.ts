import type { JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { mapYielding } from '../../meta/flow.js';
import { formatGroupVersionKind, parseGroupVersion } from '../../meta/group-version.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
import { WebhookClient } from '../../outbound/webhook-client.js';
import type { Converter } from '../../registry/resource-definition.js';
import type { CustomResourceConversion as CrdConversion } from '../../resources/apiextensions/apiextensions-v1.types.js';
import { messageOf } from '../../values/message-of.js';
import { perObject } from '../../values/remembering.js';
import { readStored, shaped, type VersionSchemas } from '../stored-form.js';
import { type ConversionFailure, measureQuestion } from './conversion-metrics.js';
import { encodeReview, isBare, type ReviewKind, readConverted, reviewKind } from './conversion-review.js';
import { acceptConverted } from './converted-object.js';
import { InFlightConversions } from './in-flight-conversions.js';

/** Timeout in seconds, as in the reference. */
const TIMEOUT = 30;
/** Maximum characters of objects in one request. A list is sent in one request unless it is very large. */
const MAX_QUESTION = 2 * 1024 * 1024;
/** Maximum size of an answer in bytes: a minimum that has room for the largest object, plus a multiple of the size of the request. */
const LEAST_ANSWER = 4 * 1024 * 1024;
const ANSWER_GROWTH = 4;

const underWayOf = perObject((_: Host) => new InFlightConversions());

/**
 * Returns a converter that asks the webhook of a definition (spec 21.8). Its results are pruned by the schema of the target version.
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

  const ask = async (
    review: ReviewKind,
    objects: readonly ApiObject[],
    encoded: readonly string[],
    desiredAPIVersion: string,
  ) => {
    const uid = randomUuid(host.random);
    const ended = measureQuestion(host, definition, versionOf(objects[0]?.apiVersion), versionOf(desiredAPIVersion));
    const failed = (failure: ConversionFailure, why: string, object = objects[0]) => {
      ended(failure);
      return apiError.unknown(`conversion webhook for ${kindOf(object)} ${why}`);
    };
    const body = encodeReview(review, { uid, desiredAPIVersion, objects: encoded });
    const sender = (client ??= new WebhookClient(host));
    const maxAnswer = LEAST_ANSWER + ANSWER_GROWTH * body.length;
    const answer = await underWayOf(host)
      .run(definition, body.length + maxAnswer, () => sender.send(hook, review, body, maxAnswer))
      .catch((error: unknown) => {
        throw failed('call', `failed: ${messageOf(error)}`);
      });
    let converted: readonly JsonValue[];
    try {
      converted = readConverted(answer, review, uid);
    } catch (error) {
      throw failed('malformed_response', `failed: ${messageOf(error)}`);
    }
    if (converted.length !== objects.length)
      throw failed('partial_response', `returned ${converted.length} objects, expected ${objects.length}`);
    const accepted = await mapYielding(objects, (object, i) => {
      try {
        return acceptConverted(object, converted[i] ?? null, desiredAPIVersion);
      } catch (error) {
        throw failed('invalid_converted_object', messageOf(error), object);
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
        for (const { some, encoded } of questions(foreign))
          for (const [i, object] of (await ask(review, some, encoded, apiVersion)).entries())
            converted.set(some[i] as ApiObject, object); // `ask` returns as many objects as it is given
      return await mapYielding(objects, (object) => {
        const whole = converted.get(object) ?? object;
        return from === 'merge' ? whole : shaped(target, whole, apiVersion);
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

/** Splits objects into requests of limited size and encodes them. The resourceVersion is left out, because it belongs to the storage. */
function* questions(objects: readonly ApiObject[]) {
  let some: ApiObject[] = [];
  let encoded: string[] = [];
  let size = 0;
  for (const object of objects) {
    const { resourceVersion: _, ...metadata } = object.metadata ?? {};
    const text = JSON.stringify(object.metadata ? { ...object, metadata } : object);
    if (some.length > 0 && size + text.length > MAX_QUESTION) {
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
