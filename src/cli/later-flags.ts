import { type Capability, FLAGS, type FlagDefinition, type FlagName } from './flags.js';

/** What the server can do today; the flags of other capabilities are accepted and say so. */
const AVAILABLE: ReadonlySet<Capability> = new Set(['foundation']);

/** Flags of other capabilities that have their effect already. */
const READY: ReadonlySet<FlagName> = new Set<FlagName>([
  'max-requests-inflight',
  'max-mutating-requests-inflight',
  'request-timeout',
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
]);

/** One line for each given flag that has no effect yet. */
export function laterFlagNotices(
  given: ReadonlySet<FlagName>,
  available: ReadonlySet<Capability> = AVAILABLE,
): string[] {
  const flags: readonly FlagDefinition[] = FLAGS.filter((flag) => given.has(flag.name));
  return flags
    .filter((flag) => !available.has(flag.capability) && !READY.has(flag.name as FlagName)) // all names are of FLAGS
    .map((flag) => `--${flag.name} is accepted but has no effect yet`);
}
