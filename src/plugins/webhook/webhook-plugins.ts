import type {
  AdmissionAttributes,
  AdmissionPlugin,
  AdmissionPluginFactory,
  AdmissionRounds,
} from '../../admission/admission-plugin.js';
import { EVERY_REQUEST, ruledPlugin } from '../../admission/ruled-plugin.js';
import { equalJson } from '../../json/equal.js';
import type { JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import { reading } from '../../meta/clock.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { WebhookClient, type WebhookClientOptions } from '../../outbound/webhook-client.js';
import { parseJson } from '../../serialization/json/decode.js';
import { decodeBase64 } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { annotationKey, callWebhook } from './call.js';
import { type Invocation, WebhookSource } from './relevant-hooks.js';
import type { ReviewAnswer } from './review.js';

/**
 * The state that is kept between the first pass and the reinvocation. A webhook is identified by the names of its configuration and of
 * itself.
 */
class Reinvocations {
  /** The webhooks that allow reinvocation and were called since the object last changed. */
  readonly #called = new Set<string>();
  readonly #toReinvoke = new Set<string>();
  /**
   * The object after the last webhook of the first pass. If it differs at the start of the reinvocation, other plug-ins have changed it.
   */
  left: ApiObject | undefined;

  /** Marks all webhooks that were called before for reinvocation, because the object has changed. */
  changed(): void {
    for (const id of this.#called) this.#toReinvoke.add(id);
    this.#called.clear();
  }
  noteCalled(id: string): void {
    this.#called.add(id);
  }
  needsReinvocation(id: string): boolean {
    return this.#toReinvoke.has(id);
  }
}

const idOf = ({ configuration, hook }: Invocation) => `${configuration}/${hook.name}`;

function reinvocationsOf(plugin: AdmissionPlugin, { kept }: AdmissionRounds): Reinvocations {
  const before = kept.get(plugin);
  if (before instanceof Reinvocations) return before;
  const reinvocations = new Reinvocations();
  kept.set(plugin, reinvocations);
  return reinvocations;
}

const MUTATING = 'MutatingAdmissionWebhook';

/**
 * Calls the webhooks of MutatingWebhookConfigurations one after the other, so that each receives the object with the changes of all earlier
 * ones.
 */
export const mutatingAdmissionWebhook = (options: WebhookClientOptions = {}): AdmissionPluginFactory =>
  ruledPlugin({
    name: MUTATING,
    rules: EVERY_REQUEST,
    connects: true,
    create(host) {
      const source = new WebhookSource(host, 'mutating');
      const client = new WebhookClient(host, options);
      const plugin: AdmissionPlugin = {
        name: MUTATING,
        handles: source.mayConcern,
        async admit(initial, rounds) {
          const forms = initial.forms();
          const reinvocations = reinvocationsOf(plugin, rounds);
          if (rounds.again && !equalJson(initial.object, reinvocations.left)) reinvocations.changed();
          let attributes: AdmissionAttributes = initial;
          const round = rounds.again ? 1 : 0;
          for (const candidate of source.candidates(initial, forms)) {
            attributes.throwIfGivenUp?.();
            const invocation = await source.invocation(attributes, forms, candidate, undefined);
            if (!invocation || (rounds.again && !reinvocations.needsReinvocation(idOf(invocation)))) continue;
            const key = annotationKey(host, 'mutation', invocation, round);
            let answer: ReviewAnswer | undefined;
            let object: ApiObject | undefined;
            const since = reading(host.clock);
            try {
              const before = attributes;
              const apply = async (allowed: ReviewAnswer) => {
                object = await applyPatch(invocation, before, allowed);
              };
              answer = await callWebhook(host, client, invocation, attributes, { mutating: true, round, apply });
            } catch (error) {
              annotateCall(attributes, invocation, key, { mutated: false });
              throw error;
            } finally {
              attributes.waited?.(reading(host.clock) - since);
            }
            const mutated = object !== undefined && object !== attributes.object;
            annotateCall(attributes, invocation, key, { mutated });
            // As in upstream, an audit annotation records the patch even if the patch changes nothing.
            if (object && answer) {
              const { patch, patchType } = answer;
              const applied = { patch: readPatch(patch), patchType };
              annotateCall(attributes, invocation, annotationKey(host, 'patch', invocation, round), applied, 'Request');
            }
            if (mutated) {
              attributes = { ...attributes, object };
              reinvocations.changed();
              rounds.askAgain();
            }
            if (invocation.hook.reinvocationPolicy === 'IfNeeded') reinvocations.noteCalled(idOf(invocation));
          }
          reinvocations.left = attributes.object;
          return attributes.object;
        },
      };
      return plugin;
    },
  });

/** Adds an audit annotation about a call. */
function annotateCall(
  { annotate }: AdmissionAttributes,
  { configuration, hook }: Invocation,
  key: string,
  what: object,
  level?: 'Request',
): void {
  annotate(key, JSON.stringify({ configuration, webhook: hook.name, ...what }), level);
}

/** Returns the object with the patch in a webhook's response applied; undefined without a patch. @throws ApiError 500. */
async function applyPatch(
  { hook, form }: Invocation,
  { object }: AdmissionAttributes,
  answer: ReviewAnswer,
): Promise<ApiObject | undefined> {
  if (answer.patch === '') return undefined;
  const document = readPatch(answer.patch);
  if (!Array.isArray(document)) {
    const type = document === null ? 'null' : typeof document;
    if (document !== null)
      throw apiError.internal(`json: cannot unmarshal ${type} into Go value of type jsonpatch.Patch`);
    return undefined;
  }
  if (document.length === 0) return undefined;
  if (!object) {
    const what = `admission webhook ${quote(hook.name)} attempted to modify the object, which is not supported for this operation`;
    throw apiError.internal(what);
  }
  return await form.patch(object, document);
}

/** Decodes a base64-encoded patch. @throws ApiError 500 when it is not JSON. */
function readPatch(text: string): JsonValue {
  try {
    return parseJson(decodeBase64(text)).value;
  } catch (error) {
    throw apiError.internal(messageOf(error));
  }
}

/** Calls the webhooks of ValidatingWebhookConfigurations in parallel. The first refusal determines the response. */
export const validatingAdmissionWebhook = (options: WebhookClientOptions = {}): AdmissionPluginFactory =>
  ruledPlugin({
    name: 'ValidatingAdmissionWebhook',
    rules: EVERY_REQUEST,
    connects: true,
    create(host) {
      const source = new WebhookSource(host, 'validating');
      const client = new WebhookClient(host, options);
      return {
        handles: source.mayConcern,
        async validate(attributes) {
          attributes.throwIfGivenUp?.();
          const forms = attributes.forms();
          const relevant: Invocation[] = [];
          for (const candidate of source.candidates(attributes, forms)) {
            const invocation = await source.invocation(attributes, forms, candidate, relevant.length);
            if (invocation) relevant.push(invocation);
          }
          const refusals: unknown[] = [];
          const since = reading(host.clock);
          await Promise.all(
            relevant.map((invocation) =>
              callWebhook(host, client, invocation, attributes, { mutating: false }).catch((error: unknown) =>
                refusals.push(error),
              ),
            ),
          );
          attributes.waited?.(reading(host.clock) - since);
          if (refusals.length > 0) throw refusals[0];
        },
      };
    },
  });
