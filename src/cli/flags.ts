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
    help: 'names and rules of the API: orch or k8s',
  },
  {
    ...own,
    name: 'write-kubeconfig',
    type: 'string',
    help: "file for an administrator's kubeconfig (a temporary one unless given)",
  },
  {
    ...own,
    name: 'load',
    type: 'list',
    whole: true,
    help: 'file, folder or glob of objects to begin with; repeatable; the file of --save may be absent',
  },
  { ...own, name: 'save', type: 'string', help: 'file to write all objects to at the end, for --load' },
  {
    ...own,
    name: 'services',
    type: 'list',
    help: 'namespace/name=URL for what services lead to; network dials their addresses; repeatable',
  },
  {
    ...own,
    name: 'test-kit',
    type: 'boolean',
    default: false,
    help: 'let tests decide on faults and order, by a second listener that the kubeconfig names',
  },
  {
    ...own,
    name: 'test-clock',
    type: 'string',
    help: 'RFC 3339 time at which a clock begins that only --test-kit moves',
  },
  {
    ...own,
    name: 'test-steps',
    type: 'boolean',
    default: false,
    help: 'run controllers only when --test-kit lets the server settle, or one of them make a step',
  },
  ...STORAGE_FLAGS,
  { ...own, name: 'help', type: 'boolean', short: 'h', default: false, help: 'print this text' },
  { ...own, name: 'version', type: 'boolean', default: false, help: 'print the version' },

  { ...serving, name: 'bind-address', type: 'string', default: '127.0.0.1', help: 'address to listen on' },
  { ...serving, name: 'secure-port', type: 'integer', default: 6443, help: 'port for HTTPS; 0 takes a free one' },
  {
    ...serving,
    name: 'advertise-address',
    type: 'string',
    help: 'address that others reach; also in the certificate made at start',
  },
  {
    ...serving,
    name: 'external-hostname',
    type: 'string',
    help: 'host, or host:port, that discovery reports (--advertise-address unless given)',
  },
  ...TLS_FLAGS,
  { ...serving, name: 'tls-cert-file', type: 'string', help: 'serving certificate, PEM (made at start unless given)' },
  { ...serving, name: 'tls-private-key-file', type: 'string', help: 'key of the serving certificate, PEM' },
  {
    ...serving,
    name: 'cert-dir',
    type: 'string',
    help: 'folder that keeps ca.crt, ca.key and sa.key from start to start (in --data-dir, or memory)',
  },
  {
    ...serving,
    name: 'service-cluster-ip-range',
    type: 'string',
    default: '10.0.0.0/24',
    help: 'addresses of services: one range, or one of each family',
  },
  {
    ...serving,
    name: 'service-node-port-range',
    type: 'string',
    default: '30000-32767',
    help: 'ports that nodes lend to services: first-last, or first+more',
  },
  {
    ...serving,
    name: 'kubernetes-service-node-port',
    type: 'integer',
    default: 0,
    help: "one of them for the server's own Service; 0 for none",
  },
  {
    ...serving,
    name: 'endpoint-reconciler-type',
    type: 'string',
    default: 'lease',
    choices: ['lease', 'master-count', 'none'],
    help: "none: the server's own Service does not say where the server is",
  },

  {
    ...own,
    name: 'max-connections',
    type: 'integer',
    default: 10_000,
    help: 'connections at once; 0 for any number',
  },
  {
    ...own,
    name: 'watch-stall-timeout',
    type: 'duration',
    default: '5m0s',
    help: 'time after which a watch ends whose client does not read',
  },

  { ...features, name: 'feature-gates', type: 'map', help: 'features to switch: Name=true|false (names below)' },
  { ...features, name: 'allow-privileged', type: 'boolean', default: true, help: 'let containers be privileged' },
  { ...features, name: 'runtime-config', type: 'map', help: 'API versions and resources to switch: key[=true|false]' },

  ...LIMIT_FLAGS,

  ...AUTHENTICATION_FLAGS,

  {
    ...accounts,
    name: 'service-account-issuer',
    type: 'list',
    whole: true,
    help: 'issuer of tokens; repeatable: the first signs',
  },
  {
    ...accounts,
    name: 'service-account-key-file',
    type: 'list',
    whole: true,
    help: 'keys that verify tokens, PEM; repeatable',
  },
  { ...accounts, name: 'service-account-signing-key-file', type: 'string', help: 'key that signs tokens, PEM' },
  {
    ...accounts,
    name: 'service-account-lookup',
    type: 'boolean',
    default: true,
    help: 'refuse tokens whose objects do not exist any more',
  },
  {
    ...accounts,
    name: 'service-account-max-token-expiration',
    type: 'duration',
    default: '0s',
    help: 'longest life of a token',
  },
  {
    ...accounts,
    name: 'service-account-extend-token-expiration',
    type: 'boolean',
    default: true,
    help: 'extend the life of mounted tokens',
  },
  {
    ...accounts,
    name: 'service-account-jwks-uri',
    type: 'string',
    help: 'https URL of the keys, as discovery reports it',
  },
  { ...accounts, name: 'api-audiences', type: 'list', help: 'audiences of this server; the issuer unless given' },

  {
    ...authorization,
    name: 'authorization-mode',
    type: 'list',
    help: 'AlwaysAllow (the default), AlwaysDeny, ABAC, RBAC, Node: in order',
  },
  { ...authorization, name: 'authorization-config', type: 'string', help: 'file with an AuthorizationConfiguration' },
  {
    ...authorization,
    name: 'authorization-policy-file',
    type: 'string',
    help: 'policies of mode ABAC, one JSON object per line',
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
    help: 'version of the SubjectAccessReview sent',
  },
  {
    ...authorization,
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    default: '5m0s',
    help: 'time that a permission is cached',
  },
  {
    ...authorization,
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    default: '30s',
    help: 'time that a refusal is cached',
  },

  {
    ...admission,
    name: 'enable-admission-plugins',
    type: 'list',
    help: 'plug-ins to add to the default ones (names below)',
  },
  {
    ...admission,
    name: 'disable-admission-plugins',
    type: 'list',
    help: 'default plug-ins to leave out (names below)',
  },
  {
    ...admission,
    name: 'admission-control',
    type: 'list',
    deprecated:
      'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
    help: 'the only plug-ins (will go: --enable-admission-plugins, --disable-admission-plugins)',
  },
  {
    ...admission,
    name: 'default-not-ready-toleration-seconds',
    type: 'integer',
    default: 300,
    help: 'time that pods stay on a node that is not ready',
  },
  {
    ...admission,
    name: 'default-unreachable-toleration-seconds',
    type: 'integer',
    default: 300,
    help: 'time that pods stay on a node that cannot be reached',
  },
  { ...admission, name: 'admission-control-config-file', type: 'string', help: 'file with an AdmissionConfiguration' },

  { ...controllers, name: 'controllers', type: 'list', help: 'controllers to run: *, name, -name (names below)' },
  {
    ...controllers,
    name: 'use-service-account-credentials',
    type: 'boolean',
    default: false,
    help: 'each controller acts as its own account',
  },
  { ...controllers, name: 'root-ca-file', type: 'string', help: 'authority that service accounts trust, PEM' },
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
    help: 'authority that signs certificate requests, PEM',
  },
  { ...controllers, name: 'cluster-signing-key-file', type: 'string', help: 'key of the signing authority, PEM' },
  {
    ...controllers,
    name: 'cluster-signing-duration',
    type: 'duration',
    default: '8760h0m0s',
    help: 'longest life of signed certificates',
  },
  {
    ...controllers,
    name: 'legacy-service-account-token-clean-up-period',
    type: 'duration',
    default: '8760h0m0s',
    help: 'time until unused tokens of Secrets are removed',
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
