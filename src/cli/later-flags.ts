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

/** Whether a flag has no effect yet: the server does not start with it, as what it asks for would silently be missing. */
export function isLaterFlag(
  { name, capability }: FlagDefinition,
  available: ReadonlySet<Capability> = AVAILABLE,
): boolean {
  return !available.has(capability) && !READY.has(name as FlagName); // all names are of FLAGS
}

/** One line for each given flag that has no effect yet. */
export function laterFlagNotices(
  given: ReadonlySet<FlagName>,
  available: ReadonlySet<Capability> = AVAILABLE,
): string[] {
  const flags: readonly FlagDefinition[] = FLAGS.filter((flag) => given.has(flag.name));
  return flags
    .filter((flag) => isLaterFlag(flag, available))
    .map((flag) => `--${flag.name} is accepted but has no effect yet`);
}
