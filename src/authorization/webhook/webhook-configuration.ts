import { always, list, type OutputOf, omitEmpty, omitNull, string, structSchema } from '../../schema/authoring.js';
import { configurationPart as part } from '../../schema/configuration/configuration-part.js';

const condition = part('WebhookMatchCondition', () => ({ expression: always(string()) }));
const connectionInfo = part('WebhookConnectionInfo', () => ({
  type: always(string()),
  kubeConfigFile: omitNull(string()),
}));
const webhook = part('WebhookConfiguration', () => ({
  authorizedTTL: omitNull(string()),
  unauthorizedTTL: omitNull(string()),
  timeout: omitNull(string()),
  subjectAccessReviewVersion: always(string()),
  matchConditionSubjectAccessReviewVersion: always(string()),
  failurePolicy: always(string()),
  connectionInfo: always(connectionInfo),
  matchConditions: omitEmpty(list(condition)),
}));
const authorizer = part('AuthorizerConfiguration', () => ({
  type: always(string()),
  name: always(string()),
  webhook: omitNull(webhook),
}));
const configuration = part('AuthorizationConfiguration', () => ({ authorizers: omitEmpty(list(authorizer)) }));

/** All members of an AuthorizationConfiguration but apiVersion and kind; the same in all its versions (spec 12.13). */
export const authorizationConfigurationSchema = structSchema(configuration);
export type DecodedAuthorizationConfiguration = OutputOf<typeof configuration>;
export type DecodedAuthorizer = OutputOf<typeof authorizer>;
export type DecodedWebhook = NonNullable<DecodedAuthorizer['webhook']>;

/** What `--authorization-config` holds. Times are texts: `30s`. */
export interface AuthorizationConfiguration {
  readonly apiVersion?: string;
  readonly kind?: 'AuthorizationConfiguration';
  readonly authorizers: readonly {
    readonly type: 'Webhook' | 'Node' | 'RBAC' | 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny';
    /** Unique; of all but webhooks the type in lower case. */
    readonly name: string;
    readonly webhook?: {
      /** How long an answer counts that allows. Default `5m`. */
      readonly authorizedTTL?: string;
      /** How long any other counts. Default `30s`. */
      readonly unauthorizedTTL?: string;
      /** At most `30s`. */
      readonly timeout: string;
      readonly subjectAccessReviewVersion: 'v1' | 'v1beta1';
      readonly matchConditionSubjectAccessReviewVersion?: 'v1';
      /** What a failure means. */
      readonly failurePolicy: 'NoOpinion' | 'Deny';
      readonly connectionInfo: {
        readonly type: 'KubeConfigFile';
        /** Absolute; says which of the connections that are given is meant. */
        readonly kubeConfigFile: string;
      };
      /** Over `request`; the webhook is asked where all are true. */
      readonly matchConditions?: readonly { readonly expression: string }[];
    };
  }[];
}
