import { AUDIT_FLAGS } from './flag-groups/audit-flags.js';
import { type Capability, FLAGS, type FlagDefinition, type FlagName, type Flags } from './flags.js';

/** What the server can do today; flags of other capabilities are refused. */
const AVAILABLE: ReadonlySet<Capability> = new Set(['foundation']);

/** Flags of other capabilities that have their effect already. */
const READY: ReadonlySet<FlagName> = new Set<FlagName>([
  ...AUDIT_FLAGS.map(({ name }) => name),
  'max-requests-inflight',
  'max-mutating-requests-inflight',
  'enable-priority-and-fairness',
  'request-timeout',
  'min-request-timeout',
  // Nothing here profiles: the flag switches what is not there.
  'profiling',
  'anonymous-auth',
  'client-ca-file',
  'token-auth-file',
  'enable-bootstrap-token-auth',
  'requestheader-client-ca-file',
  'requestheader-allowed-names',
  'requestheader-username-headers',
  'requestheader-group-headers',
  'requestheader-extra-headers-prefix',
  'authentication-config',
  'authentication-token-webhook-config-file',
  'authentication-token-webhook-version',
  'authentication-token-webhook-cache-ttl',
  'oidc-issuer-url',
  'oidc-client-id',
  'oidc-username-claim',
  'oidc-username-prefix',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-required-claim',
  'oidc-ca-file',
  'oidc-signing-algs',
  'authorization-config',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
  'authorization-mode',
  'authorization-policy-file',
  'enable-admission-plugins',
  'disable-admission-plugins',
  'admission-control-config-file',
  'service-account-issuer',
  'service-account-key-file',
  'service-account-signing-key-file',
  'service-account-lookup',
  'service-account-max-token-expiration',
  'service-account-extend-token-expiration',
  'service-account-jwks-uri',
  'api-audiences',
  'controllers',
  'root-ca-file',
  'service-account-private-key-file',
  'cluster-signing-cert-file',
  'cluster-signing-key-file',
  'cluster-signing-duration',
  'legacy-service-account-token-clean-up-period',
  // Controllers always use accounts of their own.
  'use-service-account-credentials',
]);

/** Whether a flag has no effect yet: the server does not start with it, as what it asks for would silently be missing. */
export function isLaterFlag(
  { name, capability }: FlagDefinition,
  available: ReadonlySet<Capability> = AVAILABLE,
): boolean {
  return !available.has(capability) && !READY.has(name as FlagName); // all names are of FLAGS
}

/** One message for each given flag whose feature the server does not have yet; to switch such a feature off is fine. */
export function refuseLaterFlags({ given, values }: Flags, available: ReadonlySet<Capability> = AVAILABLE): string[] {
  const flags: readonly FlagDefinition[] = FLAGS.filter(({ name }) => given.has(name) && values[name] !== false);
  return flags.filter((flag) => isLaterFlag(flag, available)).map(({ name }) => `--${name} is not available yet`);
}
