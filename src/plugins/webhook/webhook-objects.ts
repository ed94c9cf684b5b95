import type { Rule } from '../../admission/matching/rule.js';
import type { Selecting } from '../../admission/matching/selectors.js';
import type { ApiObject } from '../../meta/object-meta.js';

/** The fields of a webhook that calls need. */
export interface Webhook extends Selecting {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly Rule[];
  readonly failurePolicy?: string;
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
}

export interface WebhookConfiguration extends ApiObject {
  readonly webhooks?: readonly Webhook[];
}
