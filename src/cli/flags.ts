import { AUTHENTICATION_FLAGS } from './authentication/methods.js';
import type { FlagDefinition, ValuesOf } from './flag-definition.js';
import { AGGREGATION_FLAGS } from './flag-groups/aggregation-flags.js';
import { AUDIT_FLAGS } from './flag-groups/audit-flags.js';
import { LEADER_ELECTION_FLAGS } from './flag-groups/leader-election-flags.js';
import { LIMIT_FLAGS } from './flag-groups/limit-flags.js';
import { METRICS_FLAGS } from './flag-groups/metrics-flags.js';
import { OPERATIONS_FLAGS } from './flag-groups/operations-flags.js';
import { STORAGE_FLAGS } from './flag-groups/storage-flags.js';
import { TLS_FLAGS } from './flag-groups/tls-flags.js';

export type { FlagDefinition, FlagType } from './flag-definition.js';

const own = { group: 'This program' } as const;
const serving = { group: 'Serving' } as const;
const features = { group: 'Features' } as const;
const accounts = { group: 'Service accounts' } as const;
const authorization = { group: 'Authorization' } as const;
const admission = { group: 'Admission' } as const;
const controllers = { group: 'Controllers' } as const;

/** All flags of this program, including those with the same names as in kube-apiserver and kube-controller-manager (upstream). */
export const FLAGS = [
  {
    ...own,
    name: 'dialect',
    type: 'string',
    default: 'orch',
    choices: ['orch', 'k8s'],
    help: 'dialect of the API, orch or k8s',
  },
  {
    ...own,
    name: 'write-kubeconfig',
    type: 'string',
    help: "file for an administrator's kubeconfig (default: a temporary file)",
  },
  {
    ...own,
    name: 'load',
    type: 'list',
    whole: true,
    help: 'file, folder or glob of objects to load at the start; repeatable; the file of --save need not exist',
  },
  { ...own, name: 'save', type: 'string', help: 'file for all objects at the shutdown, for --load' },
  {
    ...own,
    name: 'services',
    type: 'list',
    help: 'target of a service, namespace/name=URL, or network to connect to service addresses; repeatable',
  },
  {
    ...own,
    name: 'test-kit',
    type: 'boolean',
    default: false,
    help: 'serve the test kit (faults, order, forks) on a second port, which the kubeconfig contains',
  },
  {
    ...own,
    name: 'test-clock',
    type: 'string',
    help: 'start time, RFC 3339, of a clock that only the test kit advances',
  },
  {
    ...own,
    name: 'test-steps',
    type: 'boolean',
    default: false,
    help: 'run controllers only during a settle or step of the test kit',
  },
  ...STORAGE_FLAGS,
  { ...own, name: 'help', type: 'boolean', short: 'h', default: false, help: 'print this text' },
  {
    ...own,
    name: 'version',
    type: 'version',
    default: false,
    help: 'print the version (raw: all that /version reports); v1.31.0-NAME reports that version instead',
  },

  { ...serving, name: 'bind-address', type: 'string', default: '127.0.0.1', help: 'address to listen on' },
  { ...serving, name: 'secure-port', type: 'integer', default: 6443, help: 'port for HTTPS; 0 selects a free one' },
  {
    ...serving,
    name: 'advertise-address',
    type: 'string',
    help: 'address at which others reach the server; also in the generated certificate',
  },
  {
    ...serving,
    name: 'external-hostname',
    type: 'string',
    help: 'host or host:port in discovery documents (default: --advertise-address)',
  },
  ...TLS_FLAGS,
  {
    ...serving,
    name: 'tls-cert-file',
    type: 'string',
    help: 'serving certificate, PEM (default: generated at the start)',
  },
  { ...serving, name: 'tls-private-key-file', type: 'string', help: 'key of the serving certificate, PEM' },
  {
    ...serving,
    name: 'cert-dir',
    type: 'string',
    help: 'folder for ca.crt, ca.key, sa.key, and for apiserver.crt and .key (default: in --data-dir)',
  },
  {
    ...serving,
    name: 'service-cluster-ip-range',
    type: 'string',
    default: '10.0.0.0/24',
    help: 'range of service addresses, or one range of each IP family',
  },
  {
    ...serving,
    name: 'service-node-port-range',
    type: 'string',
    default: '30000-32767',
    help: 'range of node ports, first-last or first+count',
  },
  {
    ...serving,
    name: 'kubernetes-service-node-port',
    type: 'integer',
    default: 0,
    help: "node port of the server's own Service; 0 means none",
  },
  {
    ...serving,
    name: 'endpoint-reconciler-type',
    type: 'string',
    default: 'lease',
    choices: ['lease', 'master-count', 'none'],
    help: "lease, or none to omit the endpoints of the server's own Service",
  },

  {
    ...own,
    name: 'max-connections',
    type: 'integer',
    default: 10_000,
    help: 'maximum number of concurrent connections; 0 means no limit',
  },
  {
    ...own,
    name: 'watch-stall-timeout',
    type: 'duration',
    default: '5m0s',
    help: 'time after which a watch ends if its client reads nothing',
  },

  { ...features, name: 'feature-gates', type: 'map', help: 'feature gates, Name=true|false (names below)' },
  { ...features, name: 'allow-privileged', type: 'boolean', default: true, help: 'allow privileged containers' },
  {
    ...features,
    name: 'runtime-config',
    type: 'map',
    help: 'API versions and resources to enable or disable, key[=true|false]',
  },

  ...LIMIT_FLAGS,

  ...AUTHENTICATION_FLAGS,

  {
    ...accounts,
    name: 'service-account-issuer',
    type: 'list',
    whole: true,
    help: 'issuer of service account tokens; repeatable, new tokens have the first one',
  },
  {
    ...accounts,
    name: 'service-account-key-file',
    type: 'list',
    whole: true,
    help: 'keys that verify service account tokens, PEM; repeatable',
  },
  {
    ...accounts,
    name: 'service-account-signing-key-file',
    type: 'string',
    help: 'key that signs service account tokens, PEM',
  },
  {
    ...accounts,
    name: 'service-account-lookup',
    type: 'boolean',
    default: true,
    help: 'refuse tokens whose service account or Secret does not exist any more',
  },
  {
    ...accounts,
    name: 'service-account-max-token-expiration',
    type: 'duration',
    default: '0s',
    help: 'maximum lifetime of a token; 0 means no limit',
  },
  {
    ...accounts,
    name: 'service-account-extend-token-expiration',
    type: 'boolean',
    default: true,
    help: 'extend the lifetime of mounted tokens',
  },
  {
    ...accounts,
    name: 'service-account-jwks-uri',
    type: 'string',
    help: "https URL of the keys in the issuer's discovery document",
  },
  { ...accounts, name: 'api-audiences', type: 'list', help: 'audiences of this server (default: the issuer)' },

  {
    ...authorization,
    name: 'authorization-mode',
    type: 'list',
    help: 'authorizers in order: AlwaysAllow (the default), AlwaysDeny, ABAC, RBAC, Node, Webhook',
  },
  { ...authorization, name: 'authorization-config', type: 'string', help: 'file with an AuthorizationConfiguration' },
  {
    ...authorization,
    name: 'authorization-policy-file',
    type: 'string',
    help: 'file with the policies of mode ABAC, one JSON object per line',
  },
  {
    ...authorization,
    name: 'authorization-webhook-config-file',
    type: 'string',
    help: 'kubeconfig of the webhook of mode Webhook',
  },
  {
    ...authorization,
    name: 'authorization-webhook-version',
    type: 'string',
    default: 'v1beta1',
    help: 'API version of the SubjectAccessReview that is sent',
  },
  {
    ...authorization,
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    default: '5m0s',
    help: 'time for which a permission is cached',
  },
  {
    ...authorization,
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    default: '30s',
    help: 'time for which a refusal is cached',
  },

  {
    ...admission,
    name: 'enable-admission-plugins',
    type: 'list',
    help: 'plug-ins to enable in addition to the default ones (names below)',
  },
  {
    ...admission,
    name: 'disable-admission-plugins',
    type: 'list',
    help: 'default plug-ins to disable (names below)',
  },
  {
    ...admission,
    name: 'admission-control',
    type: 'list',
    deprecated:
      'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
    help: 'the only plug-ins to enable (deprecated: use --enable-admission-plugins)',
  },
  {
    ...admission,
    name: 'default-not-ready-toleration-seconds',
    type: 'integer',
    default: 300,
    help: 'seconds for which new pods tolerate a node that is not ready',
  },
  {
    ...admission,
    name: 'default-unreachable-toleration-seconds',
    type: 'integer',
    default: 300,
    help: 'seconds for which new pods tolerate a node that cannot be reached',
  },
  { ...admission, name: 'admission-control-config-file', type: 'string', help: 'file with an AdmissionConfiguration' },

  { ...controllers, name: 'controllers', type: 'list', help: 'controllers to run: *, name, -name (names below)' },
  {
    ...controllers,
    name: 'use-service-account-credentials',
    type: 'boolean',
    default: false,
    help: 'accepted without effect: each controller always has its own service account',
  },
  {
    ...controllers,
    name: 'root-ca-file',
    type: 'string',
    help: 'certificate authority that is published to service accounts, PEM',
  },
  {
    ...controllers,
    name: 'service-account-private-key-file',
    type: 'string',
    help: 'key that signs tokens of Secrets, PEM',
  },
  {
    ...controllers,
    name: 'cluster-signing-cert-file',
    type: 'string',
    help: 'certificate authority that signs certificate requests, PEM',
  },
  { ...controllers, name: 'cluster-signing-key-file', type: 'string', help: 'key of the signing authority, PEM' },
  {
    ...controllers,
    name: 'cluster-signing-duration',
    type: 'duration',
    default: '8760h0m0s',
    help: 'maximum lifetime of signed certificates',
  },
  {
    ...controllers,
    name: 'legacy-service-account-token-clean-up-period',
    type: 'duration',
    default: '8760h0m0s',
    help: 'time after which unused tokens of Secrets are invalidated, and later deleted',
  },
  ...LEADER_ELECTION_FLAGS,
  ...METRICS_FLAGS,
  ...AGGREGATION_FLAGS,
  ...AUDIT_FLAGS,
  ...OPERATIONS_FLAGS,
] as const satisfies readonly FlagDefinition[];

type Flag = (typeof FLAGS)[number];
export type FlagName = Flag['name'];

/** The values of all flags by name: the value on the command line, or else the default, or else undefined. */
export type FlagValues = ValuesOf<Flag>;

/** A parsed command line. */
export interface Flags {
  readonly values: FlagValues;
  /** The names of the flags on the command line. */
  readonly setFlags: ReadonlySet<FlagName>;
  /** Warnings about deprecated flags. */
  readonly warnings: readonly string[];
}
