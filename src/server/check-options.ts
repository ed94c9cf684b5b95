import type {
  ApiServerOptions,
  BrowserOptions,
  CertificatesOptions,
  ControllerOptions,
  LimitOptions,
  NetworkOptions,
  ShutdownOptions,
} from '../api-server-options.js';
import { readAuditPolicy } from '../audit/audit-policy.js';
import type { AuditOptions } from '../audit/audit-trail.js';
import {
  ELECTION_DEFAULTS,
  type LeaderElectionOptions,
  problemOfElection,
} from '../controllers/leader-election/election-options.js';
import { problemOfVersion, RELEASE } from '../discovery/version.js';
import type { Dialect } from '../meta/dialect.js';
import { featureGates, readSwitches } from '../meta/features/feature-gates.js';
import { problemOfMetricsOptions } from '../metrics/metrics-options.js';
import { type ServicesOption, ServiceTargets } from '../outbound/service-targets.js';
import { readBooleanText } from '../values/boolean-text.js';
import { didYouMean, refuseUnknownMembers } from '../values/did-you-mean.js';
import { messageOf } from '../values/message-of.js';
import { isPemText } from '../values/pem-text.js';
import { parseReference } from '../values/uri.js';
import { checkAdvertised, checkExternalAddress, checkServiceNetwork } from './check-service-network.js';

/** Returns the error of a value (`must be …`), or undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

const aNumber: Check = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be a number of at least 0';
const aFunction: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');
const aSwitch: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const anObject: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'must be an object');
const withMethods =
  (...names: readonly string[]): Check =>
  (value) =>
    names.every((name) => typeof (Object(value) as Record<string, unknown>)[name] === 'function')
      ? undefined
      : `must have ${names.map((name) => `${name}()`).join(', ')}`;
/**
 * Returns a check that accepts a list, or a function that receives the default list.
 * @param each checks one element
 */
const aListOf =
  (each: Check): Check =>
  (value) => {
    if (typeof value === 'function') return undefined;
    if (!Array.isArray(value))
      return 'must be a list, or a function that receives the default list: (defaults) => [...defaults, mine]';
    return value.map(each).find((problem) => problem !== undefined);
  };
const aFactory =
  (example: string): Check =>
  (value) =>
    typeof value === 'function' ? undefined : `must be a list of functions, such as ${example}`;
const aController: Check = (value) =>
  withMethods('follow', 'reconcile')(value) &&
  'must be a list of controllers, or { definitions, run, mode }, where run selects controllers by name';
const aKind: Check = (value) => anObject(value) && 'must be a list of definitions, which defineResource() returns';
const members =
  (known: readonly string[]): Check =>
  (value) => {
    if (anObject(value)) return anObject(value);
    const unknown = Object.keys(Object(value)).find((name) => !known.includes(name));
    return unknown === undefined ? undefined : `has no member ${unknown}${didYouMean(unknown, known)}`;
  };
const orFalse =
  (check: Check): Check =>
  (value) =>
    value === false ? undefined : check(value);
const pem: Check = (value) =>
  typeof value === 'string' && isPemText(value) ? undefined : 'must be PEM text, -----BEGIN …';
const keyPair: Check = (value) => {
  const { certificate, key } = Object(value) as { readonly certificate?: unknown; readonly key?: unknown };
  return pem(certificate) || pem(key) ? 'must have a certificate and its key, both PEM text' : undefined;
};

/** The checks of a group of options, one for each option. */
type Checks<Options> = { readonly [Option in keyof Options]-?: Check };

/** Returns a check for a group of options. Its error names the member: `grace must be …`. */
const groupOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    // The cast is safe, because `members` has checked that the value is an object.
    members(Object.keys(checks))(value) ?? problemIn(checks, value as Readonly<Record<string, unknown>>)?.join(' ');

const CONTROLLERS: Checks<ControllerOptions> = {
  definitions: aListOf(aController),
  run: (value) =>
    Array.isArray(value) && value.every((word) => typeof word === 'string')
      ? undefined
      : "must be a list of names, such as ['*']",
  leaderElection: (value) => {
    if (typeof value === 'boolean') return undefined;
    // The cast is safe, because `members` has checked that the value is an object.
    return members(Object.keys(ELECTION_DEFAULTS))(value) ?? problemOfElection(value as LeaderElectionOptions);
  },
  mode: (value) => (value === 'automatic' || value === 'stepped' ? undefined : "must be 'automatic' or 'stepped'"),
};
const CERTIFICATES: Checks<CertificatesOptions> = {
  authority: keyPair,
  root: orFalse((value) => (value === '' ? 'is empty: give a certificate, or false to publish none' : pem(value))),
  signing: orFalse(
    groupOf({
      authority: keyPair,
      duration: (value) => (typeof value === 'number' && value > 0 ? undefined : 'must be more than 0 milliseconds'),
    }),
  ),
  proxyClient: keyPair,
};
const LIMITS: Checks<LimitOptions> = {
  bodySize: aNumber,
  requestTimeout: aNumber,
  minRequestTimeout: aNumber,
  maxRequestsInFlight: aNumber,
  maxMutatingRequestsInFlight: aNumber,
  longRunning: groupOf({
    requests: aNumber,
    requestsPerUser: aNumber,
    bytes: aNumber,
    bytesPerUser: aNumber,
  }),
  priorityAndFairness: aSwitch,
  storageFull: aFunction,
  goawayChance: (value) => aNumber(value) ?? (Number(value) <= 0.02 ? undefined : 'must be at most 0.02'),
};
const SHUTDOWN: Checks<ShutdownOptions> = {
  delay: aNumber,
  grace: aNumber,
  sendRetryAfter: aSwitch,
};
const NETWORK: Checks<NetworkOptions> = {
  serviceNetwork: checkServiceNetwork,
  advertise: checkAdvertised,
  hostname: (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a name'),
  externalAddress: checkExternalAddress,
  aggregatorRouting: aSwitch,
};
const BROWSERS: Checks<BrowserOptions> = {
  allowOrigin: aFunction,
  strictTransportSecurity: (value) =>
    typeof value === 'string' && /^[\w=; -]+$/.test(value)
      ? undefined
      : "must be directives, such as 'max-age=31536000'",
};

const OPTIONS: Checks<ApiServerOptions> = {
  controllers: (value) =>
    anObject(value) || Array.isArray(value) ? aListOf(aController)(value) : groupOf(CONTROLLERS)(value),
  certificates: groupOf(CERTIFICATES),
  limits: groupOf(LIMITS),
  shutdown: groupOf(SHUTDOWN),
  network: groupOf(NETWORK),
  browsers: groupOf(BROWSERS),
  dialect: (value) => (value === 'orch' || value === 'k8s' ? undefined : "must be 'orch' or 'k8s'"),
  storage: (value) => (aFunction(value) ? 'must be a function that creates a storage, such as memory()' : undefined),
  resources: aListOf(aKind),
  authentication: aListOf(aFactory('anonymous()')),
  authenticationTrust: (value) =>
    typeof value === 'function' ? undefined : orFalse(members(['clientCA', 'requestHeader']))(value),
  authorization: aListOf(aFactory('rbac()')),
  admission: aListOf(aFactory('alwaysPullImages')),
  audit: checkAudit,
  clock: withMethods('now', 'setTimer'),
  random: withMethods('fill'),
  signatures: anObject,
  log: aFunction,
  logRequest: aFunction,
  featureGates: (value) => {
    if (anObject(value)) return 'must be an object of switches, such as { WatchList: true }';
    const switches = value as Readonly<Record<string, unknown>>;
    const invalidSwitch = Object.keys(switches).find((name) => readBooleanText(String(switches[name])) === undefined);
    if (invalidSwitch !== undefined) return `${invalidSwitch} must be true or false`;
    // The cast is safe, because the type of each value has been checked.
    featureGates(readSwitches(switches as NonNullable<ApiServerOptions['featureGates']>));
    return undefined;
  },
  runtimeConfig: (value) =>
    anObject(value) === undefined &&
    Object.values(Object(value)).every((each) => typeof each === 'string' || typeof each === 'boolean')
      ? undefined
      : "must be an object of switches, such as { 'api/all': true }",
  reportedVersion: (value) =>
    typeof value === 'string' ? problemOfVersion(value) : "must be a version, such as 'v1.31.0-custom'",
  serviceAccountTokens: (value) =>
    members([
      'issuers',
      'signingKey',
      'secretSigningKey',
      'keys',
      'apiAudiences',
      'maxExpirationSeconds',
      'extendExpiration',
      'jwksUri',
      'secretCleanUpPeriod',
      'lookup',
    ])(value) ?? problemOfKeySetUrl((value as NonNullable<ApiServerOptions['serviceAccountTokens']>).jwksUri),
  eventLifetime: aNumber,
  livezGracePeriod: aNumber,
  allowPrivileged: aSwitch,
  metrics: (value) => (typeof value === 'boolean' ? undefined : problemOfMetricsOptions(value, RELEASE)),
  fetch: aFunction,
  services: (value) => {
    if (anObject(value) && value !== 'network')
      return "must be 'network', or an object of targets, such as { 'namespace/name': handler }";
    // The constructor throws a TypeError for a value that is not a service or target.
    new ServiceTargets(value as ServicesOption);
    return undefined;
  },
};

function problemOfKeySetUrl(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const url = typeof value === 'string' ? parseReference(value) : undefined;
  return typeof url === 'object' && url.scheme === 'https' ? undefined : 'jwksUri must be an https URL';
}

/**
 * Checks each option of a server on its own; undefined members count as absent.
 * @returns a copy of the options. It has the inherited members as well, and stays as it was checked if the given object changes later.
 * @throws TypeError that names the option and what it must be.
 */
export function checkOptions(candidate: ApiServerOptions): ApiServerOptions {
  refuseUnknownMembers('ApiServer', candidate, Object.keys(OPTIONS));
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(OPTIONS)) {
    // The keys of `OPTIONS` are exactly the members of `ApiServerOptions`, so the casts are safe.
    const value = candidate[name as keyof ApiServerOptions];
    if (value !== undefined) members[name] = value;
  }
  const options = members as ApiServerOptions;
  const found = problemIn(OPTIONS, members);
  if (found) throw new TypeError(`ApiServer: option ${found[0]}: ${found[1]}`);
  if (options.network?.aggregatorRouting === true && options.services !== 'network')
    throw new TypeError("ApiServer: option network: aggregatorRouting needs services: 'network'");
  const { priorityAndFairness, maxRequestsInFlight, maxMutatingRequestsInFlight } = options.limits ?? {};
  if (priorityAndFairness === true && maxRequestsInFlight === 0 && maxMutatingRequestsInFlight === 0)
    throw new TypeError(
      'ApiServer: option limits: maxRequestsInFlight and maxMutatingRequestsInFlight must not both be 0 with priorityAndFairness',
    );
  return options;
}

/**
 * Checks the options of a fork.
 * @throws TypeError that names the option and what it must be.
 */
export function checkForkOptions(options: Pick<ApiServerOptions, 'clock' | 'random'>): void {
  const { clock, random } = OPTIONS;
  refuseUnknownMembers('fork', options, ['clock', 'random']);
  const found = problemIn({ clock, random }, { ...options });
  if (found) throw new TypeError(`fork: option ${found[0]}: ${found[1]}`);
}

/** Returns the name and the error of the first invalid member; undefined members count as absent. */
function problemIn(
  checks: Readonly<Record<string, Check>>,
  values: Readonly<Record<string, unknown>>,
): readonly [name: string, problem: string] | undefined {
  for (const [name, check] of Object.entries(checks)) {
    const problem = values[name] === undefined ? undefined : problemOf(check, values[name]);
    if (problem !== undefined) return [name, problem];
  }
  return undefined;
}

function problemOf(check: Check, value: unknown): string | undefined {
  try {
    return check(value);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

const MODES: readonly unknown[] = ['batch', 'blocking', 'blocking-strict'];

/** Returns the error of the option `audit`, or undefined if it is valid. */
function checkAudit(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'must be an object with policy and sinks';
  refuseUnknownMembers('audit', value, ['policy', 'sinks']);
  const { policy, sinks } = value as { readonly policy?: unknown; readonly sinks?: unknown };
  if (typeof policy !== 'object' || policy === null) return 'policy must be an object: { rules: [...] }';
  if (!Array.isArray(sinks)) return 'sinks must be a list';
  for (const [i, sink] of sinks.entries()) {
    if (typeof sink === 'function') continue;
    const { write, mode = 'batch', batch = {}, truncate = {} } = Object(sink) as Record<string, unknown>;
    if (typeof write !== 'function') return `sinks[${i}] must be a function of events, or have write()`;
    if (!MODES.includes(mode)) return `sinks[${i}].mode must be 'batch', 'blocking' or 'blocking-strict'`;
    for (const [name, value] of [...Object.entries(Object(batch)), ...Object.entries(Object(truncate))])
      if (name !== 'throttle' && !(typeof value === 'number' && value >= (name === 'maxWait' ? 0 : 1)))
        return `sinks[${i}]: ${name} must be a positive number`;
    const { throttle } = Object(batch) as { readonly throttle?: unknown };
    const { qps, burst } = Object(throttle) as { readonly qps?: unknown; readonly burst?: unknown };
    if (throttle !== undefined && !(Number(qps) > 0 && Number(burst) >= 1))
      return `sinks[${i}]: throttle must have a qps and a burst above 0`;
  }
  return undefined;
}

/**
 * Checks the audit policy.
 * @throws TypeError for a policy that cannot be used.
 */
export function checkPolicy(audit: AuditOptions, dialect: Dialect): void {
  try {
    readAuditPolicy(audit.policy, dialect);
  } catch (error) {
    throw new TypeError(`ApiServer: option audit: policy: ${messageOf(error)}`, { cause: error });
  }
}
