import { groupOf } from '../meta/dialect.js';
import { featureGates } from '../meta/features/feature-gates.js';
import type { FeatureGate } from '../meta/features/gates.js';
import { parseIp } from '../values/ip-address.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { parseReference } from '../values/uri.js';
import { checkAuditFlags } from './audit/check-audit-flags.js';
import { AUTHORIZATION_MODES } from './authorization-modes.js';
import { featureSwitches } from './feature-switches.js';
import type { Flags, FlagValues } from './flags.js';
import { checkLeaderElectionFlags } from './leader-election-options.js';
import { readModules } from './logger.js';
import { checkMetricsFlags } from './metrics-options.js';
import { selectedDialect } from './selected-dialect.js';
import { checkServiceNetwork } from './service-network.js';
import { checkServices } from './services.js';
import { checkEncryptionFlags } from './storage/encryption-file.js';
import { checkEtcdFlags } from './storage/etcd-storage.js';
import { checkTestFlags } from './test-kit/test-flags.js';
import { checkTls } from './tls-options.js';

const HOUR = 3_600_000;
const OIDC_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];

/**
 * Returns the errors in flags that are valid by themselves but cannot be used together, in upstream's words, with one message for each
 * error (spec 18.6, 12.3). The content of files is not checked.
 */
export function checkFlags(flags: Flags): readonly string[] {
  return [
    ...checkServing(flags),
    ...checkStorage(flags),
    ...checkTls(flags.values),
    ...checkBrowsers(flags.values),
    ...checkServiceNetwork(flags.values),
    ...checkServices(flags.values),
    ...checkFlowControl(flags.values),
    ...checkLeaderElectionFlags(flags),
    ...checkServiceAccounts(flags),
    ...checkAuthentication(flags),
    ...checkAuthorization(flags),
    ...checkAuditFlags(flags),
    ...checkMetricsFlags(flags),
    ...checkLogging(flags),
    ...checkFeatureGates(flags.values),
    ...checkTestFlags(flags.values),
  ];
}

function checkServing({ values }: Flags): string[] {
  const errors: string[] = [];
  const port = values['secure-port'];
  if (port < 0 || port > 65535) errors.push(`--secure-port ${port} must be between 0 and 65535, inclusive`);
  const bound = values['bind-address'];
  if (parseIp(bound) === undefined)
    errors.push(`invalid argument ${quote(bound)} for "--bind-address" flag: failed to parse IP: ${quote(bound)}`);
  for (const name of ['max-requests-inflight', 'max-mutating-requests-inflight'] as const)
    if (values[name] < 0) errors.push(`--${name} can not be negative value`);
  for (const name of ['request-timeout', 'min-request-timeout', 'shutdown-delay-duration'] as const)
    if (values[name] < 0) errors.push(`--${name} can not be negative value`);
  if (values['livez-grace-period'] < 0) errors.push('--livez-grace-period can not be a negative value');
  if (values['shutdown-watch-termination-grace-period'] < 0)
    errors.push('shutdown-watch-termination-grace-period, if provided, can not be a negative value');
  if (values['http2-max-streams-per-connection'] < 0)
    errors.push('--http2-max-streams-per-connection can not be negative value');
  const goaway = values['goaway-chance'];
  if (goaway < 0 || goaway > 0.02) errors.push('--goaway-chance can not be less than 0 or greater than 0.02');
  if (values['max-connections'] < 0) errors.push('--max-connections can not be negative value');
  for (const name of ['max-head-bytes', 'max-pending-bytes'] as const)
    if (values[name] <= 0) errors.push(`--${name} must be positive`);
  if (values['watch-stall-timeout'] <= 0) errors.push('--watch-stall-timeout must be positive');
  if (Boolean(values['proxy-client-cert-file']) !== Boolean(values['proxy-client-key-file']))
    errors.push('--proxy-client-cert-file and --proxy-client-key-file should be specified together');
  if (Boolean(values['tls-cert-file']) !== Boolean(values['tls-private-key-file'])) {
    errors.push('--tls-cert-file and --tls-private-key-file should be specified together');
  }
  return errors;
}

function checkStorage(flags: Flags): readonly string[] {
  const { values, setFlags } = flags;
  for (const name of ['data-dir', 'save', 'write-kubeconfig'] as const)
    if (values[name] === '') return [`--${name} must not be empty`];
  return setFlags.has('data-durability') && !setFlags.has('data-dir')
    ? ['--data-durability is about --data-dir: give both']
    : [...checkEtcdFlags(flags), ...checkEncryptionFlags(flags)];
}

/** Checks the flags about API priority and fairness, which works only with a positive number of seats and with its API group served. */
function checkFlowControl(values: FlagValues): string[] {
  if (!values['enable-priority-and-fairness']) return [];
  const { 'max-requests-inflight': reading, 'max-mutating-requests-inflight': mutating } = values;
  if (reading === 0 && mutating === 0)
    return [
      'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
    ];
  const dialect = selectedDialect(values);
  const keys = [`${groupOf(dialect, 'flowcontrol.apiserver')}/v1`, 'api/ga', 'api/all'];
  const off = keys.find((key) => values['runtime-config']?.get(key) === 'false');
  return off === undefined ? [] : [`--runtime-config=${off}=false conflicts with --enable-priority-and-fairness=true`];
}

const ORIGINS_HELP =
  'List of allowed origins for CORS, comma separated. An allowed origin can be a regular expression to support subdomain matching. If this ' +
  'list is empty CORS will not be enabled. Please ensure each expression matches the entire hostname by anchoring to the start with ' +
  "'^' or including the '//' prefix, and by anchoring to the end with '$' or including the ':' port separator suffix. Examples of valid " +
  "expressions are '//example\\.com(:|$)' and '^https://example\\.com(:|$)'";

/** Returns the error message for an invalid CORS origin pattern, in upstream's words. */
export const badOrigin = (why: string): string =>
  `--cors-allowed-origins has an invalid regular expression: ${why}, help: ${ORIGINS_HELP}`;

/**
 * Checks the flags for CORS and HSTS. CORS origin patterns must be anchored at both ends of the host. Otherwise `example.com.evil.org`
 * would match a pattern for `example.com`.
 */
function checkBrowsers(values: FlagValues): string[] {
  const errors: string[] = [];
  for (const pattern of values['cors-allowed-origins'] ?? [])
    if (pattern === '') errors.push(`empty value in --cors-allowed-origins, help: ${ORIGINS_HELP}`);
    else if (!/\^|\/\//.test(pattern) || !/[$:]/.test(pattern))
      errors.push(badOrigin('regular expression does not pin to start/end of host in the origin header'));
  for (const directive of values['strict-transport-security-directives'] ?? []) {
    if (directive.trim() === '') errors.push('empty value in strict-transport-security-directives');
    else if (!/^(?:max-age=[^=]*|includeSubDomains|preload)$/.test(directive))
      errors.push(
        '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
      );
  }
  return errors;
}

function checkLogging({ values }: Flags): string[] {
  const { vmodule, 'logging-format': format } = values;
  const errors: string[] = [];
  if (format !== 'text' && format !== 'json')
    errors.push(`format: Invalid value: ${quote(format)}: Unsupported log format`);
  if (vmodule !== '' && format !== 'text') errors.push('vmodule: Forbidden: Only supported for text log format');
  try {
    readModules(vmodule);
  } catch (error) {
    errors.push(`invalid argument ${quote(vmodule)} for "--vmodule" flag: ${messageOf(error)}`);
  }
  return errors;
}

function checkServiceAccounts({ values, setFlags }: Flags): string[] {
  const issuers = values['service-account-issuer'] ?? [];
  const jwksUri = values['service-account-jwks-uri'];
  const longest = values['service-account-max-token-expiration'];
  const errors: string[] = [];

  // Without a flag for the issuer or the keys, the server generates its own keys. If one of these flags is given, upstream's rules about
  // required flags apply.
  const appliesReferenceRules =
    setFlags.has('service-account-issuer') ||
    setFlags.has('service-account-key-file') ||
    setFlags.has('service-account-signing-key-file');
  if (appliesReferenceRules && issuers.length === 0) errors.push('service-account-issuer is a required flag');
  issuers.forEach((issuer, at) => {
    const url = issuer.includes(':') ? parseReference(issuer) : undefined;
    if (issuer === '') errors.push('service-account-issuer should not be an empty string');
    else if (typeof url === 'string')
      errors.push(`service-account-issuer "${issuer}" contained a ':' but was not a valid URL: ${url}`);
    else if (issuers.indexOf(issuer) < at) errors.push(`service-account-issuer "${issuer}" is already specified`);
  });
  const fallsBack = selectedDialect(values).rulings.serviceAccountKeyFallsBackToTlsKey;
  if (appliesReferenceRules && !fallsBack && !setFlags.has('service-account-key-file'))
    errors.push('service-account-key-file is a required flag');
  if (longest !== 0 && (longest < HOUR || longest > 2 ** 32 * 1000)) {
    errors.push('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
  }
  if (jwksUri) {
    const url = parseReference(jwksUri);
    if (typeof url === 'string') errors.push(`service-account-jwks-uri must be a valid URL: ${url}`);
    else if (url.scheme !== 'https')
      errors.push(`service-account-jwks-uri requires https scheme, parsed as: ${jwksUri}`);
  }
  if (appliesReferenceRules && (issuers.length === 0 || !values['service-account-signing-key-file'])) {
    errors.push(
      '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
    );
  }
  return errors;
}

function checkFeatureGates(values: FlagValues): string[] {
  try {
    featureGates(featureSwitches(values['feature-gates']));
    return [];
  } catch (error) {
    return [`invalid argument for "--feature-gates" flag: ${messageOf(error)}`];
  }
}

/** Returns whether a feature gate is off; false if the gates are invalid, which is an error of its own. */
function isOff(values: FlagValues, gate: FeatureGate): boolean {
  return checkFeatureGates(values).length === 0 && !featureGates(featureSwitches(values['feature-gates']))[gate];
}

function checkAuthentication({ values, setFlags }: Flags): string[] {
  const errors: string[] = [];
  const oidc = [...setFlags].some((name) => name.startsWith('oidc-'));
  if (values['authentication-config']) {
    if (isOff(values, 'StructuredAuthenticationConfiguration'))
      errors.push('set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file');
    if (oidc) errors.push('authentication-config file and oidc-* flags are mutually exclusive');
  } else if (oidc) {
    if (!values['oidc-issuer-url'] || !values['oidc-client-id'])
      errors.push('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
    const unknown = values['oidc-signing-algs'].find((algorithm) => !OIDC_ALGORITHMS.includes(algorithm));
    if (unknown !== undefined) errors.push(`oidc: unsupported signing alg: "${unknown}"`);
  }
  for (const name of [
    'requestheader-username-headers',
    'requestheader-group-headers',
    'requestheader-extra-headers-prefix',
    'requestheader-allowed-names',
  ] as const) {
    if (values[name]?.some((value) => value.trim() === '')) errors.push(`empty value in "${name}"`);
  }
  return errors;
}

function checkAuthorization({ values, setFlags }: Flags): string[] {
  if (values['authorization-config']) {
    if (isOff(values, 'StructuredAuthorizationConfiguration'))
      return [
        '--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag',
      ];
    const others = [...setFlags].some(
      (name) => name === 'authorization-mode' || name.startsWith('authorization-webhook-'),
    );
    return others
      ? [
          '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
        ]
      : [];
  }
  const modes = values['authorization-mode'] ?? [];
  const errors: string[] = [];
  for (const mode of modes)
    if (!AUTHORIZATION_MODES.includes(mode)) errors.push(`authorization-mode "${mode}" is not a valid mode`);
  if (modes.includes('ABAC') && !values['authorization-policy-file']) {
    errors.push("authorization-mode ABAC's authorization policy file not passed");
  }
  if (modes.includes('Webhook') && !values['authorization-webhook-config-file']) {
    errors.push("authorization-mode Webhook's authorization config file not passed");
  }
  if (values['authorization-policy-file'] && !modes.includes('ABAC')) {
    errors.push('cannot specify --authorization-policy-file without mode ABAC');
  }
  if (values['authorization-webhook-config-file'] && !modes.includes('Webhook')) {
    errors.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  }
  if (new Set(modes).size < modes.length) {
    errors.push(`authorization-mode [${modes.map((mode) => `"${mode}"`).join(' ')}] has mode specified more than once`);
  }
  return errors;
}
