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

/** The schema of all members of an AuthorizationConfiguration except apiVersion and kind. It is the same in all versions (spec 12.13). */
export const authorizationConfigurationSchema = structSchema(configuration);
export type DecodedAuthorizationConfiguration = OutputOf<typeof configuration>;
export type DecodedAuthorizer = OutputOf<typeof authorizer>;
export type DecodedWebhook = NonNullable<DecodedAuthorizer['webhook']>;

/** The content of the file that `--authorization-config` names. Durations are strings such as `30s`. */
export interface AuthorizationConfiguration {
  /** The API version of the configuration. It may be absent in the library; a file must have it. */
  readonly apiVersion?: string;
  /** The kind of the configuration. It may be absent in the library; a file must have it. */
  readonly kind?: 'AuthorizationConfiguration';
  /** The authorizers, in the order in which they are called. */
  readonly authorizers: readonly {
    readonly type: 'Webhook' | 'Node' | 'RBAC' | 'ABAC' | 'AlwaysAllow' | 'AlwaysDeny';
    /** The name of the authorizer, unique in a server. For every type but Webhook it must be the type in lower case. */
    readonly name: string;
    readonly webhook?: {
      /** How long an Allow is cached. Default `5m`. */
      readonly authorizedTTL?: string;
      /** How long a decision other than Allow is cached. Default `30s`. */
      readonly unauthorizedTTL?: string;
      /** The time limit of a call, at most `30s`. */
      readonly timeout: string;
      readonly subjectAccessReviewVersion: 'v1' | 'v1beta1';
      readonly matchConditionSubjectAccessReviewVersion?: 'v1';
      /** The decision when the webhook fails. */
      readonly failurePolicy: 'NoOpinion' | 'Deny';
      readonly connectionInfo: {
        readonly type: 'KubeConfigFile';
        /** The absolute path of a kubeconfig. The option `connections` has the connection for this path. */
        readonly kubeConfigFile: string;
      };
      /** CEL expressions over `request`. The webhook is called if all of them are true. */
      readonly matchConditions?: readonly { readonly expression: string }[];
    };
  }[];
}
