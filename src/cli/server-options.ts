import { hostname } from 'node:os';
import type { ApiServerOptions, BrowserOptions, CertificatesOptions } from '../api-server-options.js';
import type { AuthenticatorFactory } from '../authentication/authenticator.js';
import type { AuthenticationTrust } from '../controllers/server-authorities.js';
import { heapPressure } from '../http/heap-pressure.js';
import type { KeyPair } from '../pki/certificate-authority.js';
import type { RuntimeConfig } from '../registry/served/runtime-config.js';
import type { Encryption } from '../store/transformer.js';
import type { AccountTokenOptions } from '../tokens/account-tokens.js';
import { messageOf } from '../values/message-of.js';
import { auditOptions } from './audit/audit-options.js';
import type { ConfiguredMethod } from './authentication/method.js';
import { METHODS } from './authentication/methods.js';
import { admissionOptions, authorizationOptions } from './authorization-options.js';
import { badOrigin } from './check-flags.js';
import type { CliListen, CliServerFactory } from './cli-server.js';
import type { FollowedFile } from './configuration/follow-file.js';
import { featureSwitches } from './feature-switches.js';
import { readOptionalTextFile, readTextFile } from './files.js';
import type { Flags, FlagValues } from './flags.js';
import { keptKeys } from './kept-keys.js';
import { leaderElectionOptions } from './leader-election-options.js';
import type { Logger } from './logger.js';
import { metricsOptions } from './metrics-options.js';
import { selectedDialect } from './selected-dialect.js';
import { advertiseOption, externalAddress, readServiceNetwork } from './service-network.js';
import { readServices } from './services.js';
import { openDatabaseFolder } from './storage/data-folder.js';
import { encryptionOptions } from './storage/encryption-file.js';
import { etcdStorage } from './storage/etcd-storage.js';
import { testOptions } from './test-kit/test-flags.js';

const SECOND = 1000;

/** Creates the server that the flags describe. */
export const makeServer: CliServerFactory = async (flags, logger) => {
  const { ApiServer } = await import('../api-server.js');
  const { options, followed } = await serverOptions(flags, logger);
  const { network, targets } = readServices(flags.values);
  const server = new ApiServer(network ? { ...options, services: 'network' } : options);
  for (const [service, url] of targets) server.services.set(service, url);
  const stops: (() => void)[] = [];
  if (followed.length > 0) {
    const { followFile } = await import('./configuration/follow-file.js');
    server.once('started', () => void stops.push(...followed.map((file) => followFile(file, server.metrics))));
    server.once('closing', () => {
      for (const stop of stops) stop();
    });
  }
  return server;
};

/** Starts an HTTPS listener. */
export const listenOverHttp: CliListen = async (server, options) => {
  const { listen } = await import('../http/index.js');
  return await listen(server, options);
};

/** Converts flags to the options of ApiServer, and reads the files that the flags name. No other function maps flags to these options. */
async function serverOptions(
  flags: Flags,
  { log, request }: Logger,
): Promise<{ readonly options: ApiServerOptions; readonly followed: readonly FollowedFile[] }> {
  const { values, setFlags } = flags;
  const readKeyFile = readFilesOnce();
  await checkAccountKeys(values, readKeyFile);
  const foreign = await readOptionalTextFile(values['client-ca-file']);
  // The server has a certificate authority of its own unless `--client-ca-file` names another one. With `--write-kubeconfig` it always has
  // one, which issues the client certificate in the kubeconfig.
  const kept = await keptKeys(values, foreign === undefined || setFlags.has('write-kubeconfig'), log);
  const own = kept.authority;
  const rootCa = await readOptionalTextFile(values['root-ca-file']);
  const authorities = [foreign, own?.certificate].filter((pem) => pem !== undefined);
  const { followed, ...authentication } = await authenticationOptions(flags, authorities, log);
  const access = await authorizationOptions(flags, log);
  const audit = await auditOptions(values, log);
  const atRest = await encryptionOptions(values, log);
  const test = await testOptions(values);
  const options: ApiServerOptions = {
    dialect: selectedDialect(values).name,
    log,
    ...(request ? { logRequest: request } : {}),
    ...authentication,
    ...test.clock,
    ...(await controllerOptions(values, log, test.controllers)),
    authorization: access.authorization,
    admission: await admissionOptions(flags),
    serviceAccountTokens: {
      ...(kept.accountKey === undefined ? {} : { signingKey: kept.accountKey }),
      ...(await accountTokenOptions(values, readKeyFile)),
    },
    certificates: {
      ...(own ? { authority: own } : {}),
      ...(rootCa === undefined ? {} : { root: rootCa }),
      signing: await certificateSigning(values, own, log),
      ...(await proxyClient(values)),
    },
    ...(await storageOptions(values, atRest.encryption)),
    ...(typeof values.version === 'string' ? { reportedVersion: values.version } : {}),
    featureGates: featureSwitches(values['feature-gates']),
    runtimeConfig: runtimeConfigOf(values['runtime-config'] ?? new Map()),
    eventLifetime: values['event-ttl'],
    livezGracePeriod: values['livez-grace-period'],
    limits: {
      requestTimeout: values['request-timeout'],
      minRequestTimeout: values['min-request-timeout'] * SECOND,
      maxRequestsInFlight: values['max-requests-inflight'],
      maxMutatingRequestsInFlight: values['max-mutating-requests-inflight'],
      longRunning: {
        requests: values['max-longrunning-requests'],
        requestsPerUser: values['max-longrunning-requests-per-user'],
        bytes: values['max-longrunning-bytes'],
        bytesPerUser: values['max-longrunning-bytes-per-user'],
      },
      priorityAndFairness: values['enable-priority-and-fairness'],
      storageFull: heapPressure(),
      goawayChance: values['goaway-chance'],
    },
    shutdown: {
      delay: values['shutdown-delay-duration'],
      grace: values['shutdown-grace'],
      sendRetryAfter: values['shutdown-send-retry-after'],
    },
    allowPrivileged: values['allow-privileged'],
    metrics: await metricsOptions(values),
    ...(audit ? { audit } : {}),
    network: {
      serviceNetwork: readServiceNetwork(values),
      ...advertiseOption(values),
      hostname: hostname(),
      ...externalAddress(values),
      aggregatorRouting: values['enable-aggregator-routing'],
    },
    browsers: await browserOptions(values),
  };
  return { options, followed: [...followed, ...access.followed, ...atRest.followed] };
}

/**
 * Returns the switches of API versions. The core group has no name, so the flag also accepts `v1` and `api/v1` for it, with or without a
 * resource, and all of them switch the whole version. `api/legacy` has no effect.
 */
export function runtimeConfigOf(switches: ReadonlyMap<string, string>): RuntimeConfig {
  const named = [...switches].filter(([key]) => key !== 'api/legacy');
  return Object.fromEntries(named.map(([key, value]) => [/^(?:api\/)?v1(?:\/|$)/.test(key) ? '/v1' : key, value]));
}

/** Returns the storage. Its module is loaded only for data that is not kept in memory. */
async function storageOptions(
  values: FlagValues,
  encryption: Encryption | undefined,
): Promise<Pick<ApiServerOptions, 'storage'>> {
  const { 'data-dir': folder, 'data-durability': durability } = values;
  if (values['etcd-servers'] !== undefined) return { storage: await etcdStorage(values, encryption) };
  if (folder === undefined) return {};
  const { level } = await import('../store/level/level.js');
  const path = await openDatabaseFolder(folder);
  const kept = durability === 'process' ? 'process' : 'machine';
  return { storage: level({ path, durability: kept, ...(encryption ? { encryption } : {}) }) };
}

/** Returns the options for browsers. CORS origin patterns have upstream's regular expression syntax and match in linear time. */
async function browserOptions(values: FlagValues): Promise<BrowserOptions> {
  const directives = values['strict-transport-security-directives'] ?? [];
  const hsts = directives.length > 0 ? { strictTransportSecurity: directives.join('; ') } : {};
  const patterns = (values['cors-allowed-origins'] ?? []).map((pattern) => ({ type: 'string', pattern }) as const);
  if (patterns.length === 0) return hsts;
  const { loadPatternProblems, matchesPattern, prepareSchema } = await import('../schema/constraints/patterns.js');
  const problemOf = await loadPatternProblems();
  for (const each of patterns) {
    const problem = problemOf(each.pattern);
    if (problem !== undefined) throw new Error(badOrigin(problem));
    await prepareSchema(each);
  }
  return { ...hsts, allowOrigin: (origin: string) => patterns.some((pattern) => matchesPattern(pattern, origin)) };
}

/** Returns the client certificate for requests to other servers. The flags have been checked: either both files are given or neither. */
async function proxyClient(values: FlagValues): Promise<Pick<CertificatesOptions, 'proxyClient'>> {
  const certificate = await readOptionalTextFile(values['proxy-client-cert-file']);
  const key = await readOptionalTextFile(values['proxy-client-key-file']);
  return certificate === undefined || key === undefined ? {} : { proxyClient: { certificate, key } };
}

/** Returns the controllers to run. Selected controllers that this server does not have are logged. */
async function controllerOptions(
  values: FlagValues,
  log: (message: string) => void,
  mode: { readonly mode?: 'stepped' },
): Promise<Pick<ApiServerOptions, 'controllers'>> {
  const { controllers } = values;
  const election = { ...leaderElectionOptions(values), ...mode };
  if (!controllers) return { controllers: election };
  const { controllerSelection } = await import('./plugin-names.js');
  const { selection, notices } = controllerSelection(controllers);
  for (const notice of notices) log(notice);
  return { controllers: { ...election, run: selection } };
}

/**
 * Returns the options for signing certificates. If the server has neither its own authority nor signing files, it signs no certificates,
 * because clients would not trust a newly created authority. As in upstream, it signs none either if only one of the two files is given.
 */
async function certificateSigning(
  values: FlagValues,
  own: KeyPair | undefined,
  log: (message: string) => void,
): Promise<NonNullable<CertificatesOptions['signing']>> {
  const certificate = await readOptionalTextFile(values['cluster-signing-cert-file']);
  const key = await readOptionalTextFile(values['cluster-signing-key-file']);
  if ((certificate === undefined) !== (key === undefined)) {
    log('skipping CSR signer controller because no csr cert/key was specified');
    return false;
  }
  const authority = certificate !== undefined && key !== undefined ? { certificate, key } : own;
  return authority ? { authority, duration: values['cluster-signing-duration'] } : false;
}

/**
 * Reads the options of service account tokens from the flags and the files that they name. If `--service-account-key-file` is absent, the
 * private key of the serving certificate verifies tokens, provided that the API dialect allows it. If the signing key is absent as well,
 * that private key also signs tokens (spec 14.12, 19.7).
 */
export async function accountTokenOptions(values: FlagValues, read = readTextFile): Promise<AccountTokenOptions> {
  const dialect = selectedDialect(values);
  const {
    'service-account-issuer': issuers,
    'service-account-jwks-uri': jwksUri,
    'api-audiences': apiAudiences,
  } = values;
  const signingFile = values['service-account-signing-key-file'];
  const secretKeyFile = values['service-account-private-key-file'];
  const tlsKeyFile = values['tls-private-key-file'];
  const fallback = dialect.rulings.serviceAccountKeyFallsBackToTlsKey ? tlsKeyFile : undefined;
  const keyFileFlag = values['service-account-key-file'];
  // Tokens must be verified with the key that signed them. Without a signing key and without key files, the fallback key therefore signs
  // tokens as well.
  const signingFileOrFallback = signingFile ?? (keyFileFlag === undefined ? fallback : undefined);
  const keyFiles = keyFileFlag ?? (signingFile !== undefined && fallback !== undefined ? [fallback] : []);
  return {
    ...(issuers ? { issuers } : {}),
    ...(!signingFileOrFallback ? {} : { signingKey: await read(signingFileOrFallback) }),
    ...(!secretKeyFile ? {} : { secretSigningKey: await read(secretKeyFile) }),
    secretCleanUpPeriod: values['legacy-service-account-token-clean-up-period'],
    keys: await Promise.all(keyFiles.map((file) => read(file))),
    ...(apiAudiences ? { apiAudiences } : {}),
    maxExpirationSeconds: values['service-account-max-token-expiration'] / 1000,
    extendExpiration: values['service-account-extend-token-expiration'],
    ...(jwksUri ? { jwksUri } : {}),
    lookup: values['service-account-lookup'],
  };
}

/** Returns a function that reads each file once, so that the content that was checked is the content that is used. */
function readFilesOnce(): typeof readTextFile {
  const texts = new Map<string, Promise<string>>();
  return (file) => {
    const text = texts.get(file) ?? readTextFile(file);
    texts.set(file, text);
    return text;
  };
}

/**
 * Checks the key files of service account tokens. The server itself reads the keys when they are first needed, and would start without them.
 * @throws Error in upstream's words for a file that contains no key.
 */
async function checkAccountKeys(values: FlagValues, read: typeof readTextFile): Promise<void> {
  const privateKeys = [
    ['failed to parse service-account-issuer-key-file', values['service-account-signing-key-file']],
    ['error reading key for service account token controller', values['service-account-private-key-file']],
  ] as const;
  const keyFiles = values['service-account-key-file'] ?? [];
  if (keyFiles.length === 0 && privateKeys.every(([, file]) => !file)) return;
  const { loadKeys, loadSigningKey } = await import('../tokens/token-key.js');
  const check = async (what: string, file: string, load: (pem: string) => Promise<unknown>) => {
    const pem = await read(file);
    await load(pem).catch((error: unknown) => {
      throw new Error(`${what} key file ${file}: ${messageOf(error)}`, { cause: error });
    });
  };
  for (const [what, file] of privateKeys)
    if (file) await check(`${what}: error reading private`, file, (pem) => loadSigningKey(pem));
  for (const file of keyFiles)
    await check('invalid authentication config: error reading public', file, (pem) => loadKeys(pem));
}

interface AuthenticationOptions {
  readonly authentication: AuthenticatorFactory[];
  readonly authenticationTrust: () => AuthenticationTrust;
  /** Files that are read again when they change. */
  readonly followed: readonly FollowedFile[];
}

/**
 * Reads the authentication options from the flags and the files that they name: the methods in the order in which they are tried, and the
 * trust information that the server publishes.
 * @param authorities authorities of client certificates, PEM.
 */
async function authenticationOptions(
  flags: Flags,
  authorities: readonly string[],
  log: (message: string) => void,
): Promise<AuthenticationOptions> {
  const authentication: AuthenticatorFactory[] = [];
  const followed: FollowedFile[] = [];
  const trusts: (() => AuthenticationTrust)[] = [];
  let configuresAnonymous = false;
  for (const method of METHODS) {
    const configured: ConfiguredMethod = await method.read(flags, { authorities, configuresAnonymous, log });
    authentication.push(...(configured.authentication ?? []));
    followed.push(...(configured.followed ?? []));
    if (configured.trust) trusts.push(configured.trust);
    configuresAnonymous ||= configured.configuresAnonymous ?? false;
  }
  const authenticationTrust = () => Object.assign({}, ...trusts.map((trust) => trust())) as AuthenticationTrust;
  return { authentication, authenticationTrust, followed };
}
