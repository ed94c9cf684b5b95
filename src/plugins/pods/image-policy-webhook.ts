import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { groupOf } from '../../meta/dialect.js';
import { ExpiringCache } from '../../outbound/expiring-cache.js';
import { flagOf, reviewWebhook, textOf, type WebhookConnection } from '../../outbound/review-webhook.js';
import type { Pod } from '../../resources/core/core-v1.types.js';
import { messageOf } from '../../values/message-of.js';

/** The options of `imagePolicyWebhook`. */
export interface ImagePolicyOptions {
  /** The connection to the webhook. */
  readonly connection: WebhookConnection;
  /** How long an approval is cached, in milliseconds. Default five minutes. */
  readonly allowLifetime?: number;
  /** How long a denial is cached, in milliseconds. Default 30 seconds. */
  readonly denyLifetime?: number;
  /** Milliseconds before the second attempt to call the webhook. Default 500. */
  readonly retryBackoff?: number;
  /** Whether images are admitted when the call of the webhook fails. Default false. */
  readonly defaultAllow?: boolean;
}

const SECOND = 1000;
const TIMEOUT = 30 * SECOND;
const MOST_ANSWERS = 1024;

/**
 * Returns the containers whose images the webhook reviews: for a pod its containers and init containers, for `ephemeralcontainers` the
 * ephemeral ones.
 */
function containersOf({ subresource, object }: AdmissionAttributes<Pod>): readonly { readonly image?: string }[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = object.spec;
  return subresource === '' ? [...containers, ...initContainers] : ephemeralContainers;
}

/** Admits pods only if a webhook allows their images. */
export const imagePolicyWebhook =
  (options: ImagePolicyOptions): AdmissionPluginFactory<Pod> =>
  (host) => {
    const {
      connection,
      allowLifetime = 300 * SECOND,
      denyLifetime = 30 * SECOND,
      retryBackoff,
      defaultAllow,
    } = options;
    const { dialect, clock } = host;
    const ask = reviewWebhook(connection, TIMEOUT, host, retryBackoff);
    const known = new ExpiringCache<JsonObject>(clock, MOST_ANSWERS);
    const ownAnnotations = `.${groupOf(dialect, 'image-policy')}/`;
    const audited = `imagepolicywebhook.${groupOf(dialect, 'image-policy')}/`;

    async function statusOf(spec: JsonObject): Promise<JsonObject> {
      const key = JSON.stringify(spec);
      const before = known.get(key);
      if (before) return before;
      const status = await ask({
        kind: 'ImageReview',
        apiVersion: `${groupOf(dialect, 'imagepolicy')}/v1alpha1`,
        metadata: { creationTimestamp: null },
        spec,
        status: { allowed: false },
      });
      known.set(key, status, flagOf(status, 'allowed') ? allowLifetime : denyLifetime);
      return status;
    }

    function reviewSpec(attributes: AdmissionAttributes<Pod>): JsonObject {
      const { namespace, object } = attributes;
      const containers = containersOf(attributes).map(({ image = '' }) => (image === '' ? {} : { image }));
      const allAnnotations = Object.entries(object.metadata.annotations ?? {});
      const annotations = Object.fromEntries(allAnnotations.filter(([name]) => name.includes(ownAnnotations)));
      return {
        ...(containers.length === 0 ? {} : { containers }),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
        ...(namespace === '' ? {} : { namespace }),
      };
    }

    /** Returns why the webhook refuses the images; undefined when it allows them. @throws Error when it gives no valid response */
    async function refusalOf(attributes: AdmissionAttributes<Pod>): Promise<string | undefined> {
      const status = await statusOf(reviewSpec(attributes));
      const { auditAnnotations } = status;
      for (const [name, text] of Object.entries(isJsonObject(auditAnnotations) ? auditAnnotations : {}))
        if (typeof text === 'string') attributes.annotate(audited + name, text);
      const reason = textOf(status, 'reason');
      if (flagOf(status, 'allowed')) return undefined;
      return reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${reason}`;
    }

    return {
      name: 'ImagePolicyWebhook',
      rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods', 'pods/ephemeralcontainers'] }],
      async validate(attributes) {
        let refusal: string | undefined;
        try {
          refusal = await refusalOf(attributes);
        } catch (error) {
          if (defaultAllow) attributes.annotate(`${audited}failed-open`, 'true');
          else refusal = messageOf(error);
        }
        if (refusal !== undefined) throw forbiddenRequest(attributes, refusal);
      },
    };
  };
