import type { AdmissionHost, AdmissionPlugin, ServedKind } from '../admission/admission-plugin.js';
import { AdmissionMeter } from '../admission/measured-admission.js';
import { isRuled, LazyPlugin } from '../admission/ruled-plugin.js';
import { ApiServices } from '../aggregation/api-services.js';
import { Backends } from '../aggregation/backends.js';
import { RemoteOpenApi } from '../aggregation/remote-openapi.js';
import { anonymous } from '../authentication/anonymous.js';
import type { AuthenticatorFactory } from '../authentication/authenticator.js';
import { x509 } from '../authentication/certificates/x509.js';
import { requestAuthenticator } from '../authentication/request-authenticator.js';
import { ALWAYS_ALLOW } from '../authorization/always-allow.js';
import { privilegedGroups } from '../authorization/privileged-groups.js';
import { unionAuthorizer } from '../authorization/union.js';
import type { ControllerHost } from '../controllers/controller.js';
import { ControllerManager } from '../controllers/controller-manager.js';
import { serverAuthorities } from '../controllers/server-authorities.js';
import { systemClock } from '../meta/clock.js';
import { gateWarnings, measureGates } from '../meta/features/feature-gates.js';
import type { GroupVersionKind } from '../meta/group-version.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import { pluginsOf } from '../meta/plugin-list.js';
import { systemRandom } from '../meta/random.js';
import { DEFAULT_SERVICE_NETWORK } from '../meta/services/service-network.js';
import { noMetrics } from '../metrics/metrics.js';
import { hostToDial } from '../outbound/ip-address.js';
import { systemFetch, withDialledUrls } from '../outbound/system-fetch.js';
import { defaultAuthorization } from '../plugins/default-authorization.js';
import { policyParameterAccess } from '../plugins/policy/param-access.js';
import { RBAC } from '../plugins/rbac/rbac.js';
import { rbacEscalation } from '../plugins/rbac/rbac-escalation.js';
import { rbacGroup } from '../plugins/rbac/rbac-objects.js';
import { serviceAccountTokens } from '../plugins/service-accounts/service-account-token.js';
import { StoreListers } from '../registry/reads/store-listers.js';
import { ResourceRegistry } from '../registry/resource-registry.js';
import type { RequestEnvironment } from '../requests/environment.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import type { Storage } from '../store/storage.js';
import { ownHandler, ownWork } from './clients.js';
import { requestEnvironment } from './environment.js';
import { EVENT_LIFETIME, expireObjects } from './expiry.js';
import { collectObjects } from './metrics.js';
import type { ResolvedOptions, ServerParts } from './parts.js';

/**
 * Creates the parts of a server: host, authorization, authentication, admission, registry, requests and controllers. Each part needs the
 * parts before it.
 * @param continues whether the storage continues from the state of another server.
 * @throws TypeError for options that contradict each other.
 */
export async function assemble(
  resolved: ResolvedOptions,
  storage: Storage<ApiObject>,
  continues = false,
): Promise<ServerParts> {
  const { options, defaults, dialect, ownAuthority, accountTokens, served, switches } = resolved;
  // The registry needs the plug-ins only for requests, and the plug-ins need the registry from the beginning, so they are added below.
  const admission: { readonly plugins: (AdmissionPlugin | LazyPlugin)[]; meter?: AdmissionMeter } = { plugins: [] };
  const registry = new ResourceRegistry(served, dialect, storage, admission);
  const listers = new StoreListers(storage, registry);
  const host = makeHost(resolved, listers.lister, async () => {
    const { revision } = storage;
    await storage.waitFor();
    return storage.revision !== revision;
  });

  if (resolved.metrics) measureGates(host.metrics, host.gates, switches);
  for (const warning of gateWarnings(switches)) host.log(warning);

  const configuredAuthorizers = pluginsOf(options.authorization, defaultAuthorization).map((make) =>
    checkPlugin('authorization', make(host), 'authorize'),
  );
  const authorizerNames = new Set(configuredAuthorizers.flatMap(({ name, includes = [] }) => [name, ...includes]));
  const authorizers = [privilegedGroups, ...configuredAuthorizers];
  const authorizer = unionAuthorizer(authorizers);

  const { certificates = {}, network = {} } = options;
  const trustOwn = x509({ clientCA: ownAuthority.certificate });
  // If AlwaysAllow is among the authorizers, whatever the others are, `anonymous()` is not a default authenticator. Callers without
  // credentials would be allowed everything. They are refused, unless the option `authentication` lists it (spec 11.19).
  const defaultAuthentication = authorizerNames.has(ALWAYS_ALLOW) ? [trustOwn] : [trustOwn, anonymous()];
  const authentication = pluginsOf(options.authentication, defaultAuthentication);
  /** The listeners for uses of service account tokens that are stored in Secrets. */
  const secretUseListeners = new Set<SecretUse>();
  const serverHost: ControllerHost = {
    ...host,
    authorizer,
    accountTokens,
    ...(network.advertise
      ? { advertised: { ...network.advertise, address: hostToDial(network.advertise.address) } }
      : {}),
    hostname: network.hostname ?? 'localhost',
    authorities: serverAuthorities({
      own: ownAuthority,
      root: certificates.root,
      signing: certificates.signing,
      trust: options.authenticationTrust,
      trustsOwn: authentication.includes(trustOwn),
    }),
    kinds: registry,
    apiServices: new ApiServices(dialect, host.lister),
    openApi: new RemoteOpenApi(),
    backends: new Backends(host, { clientCertificate: certificates.proxyClient }),
    onSecretTokenUse(callback) {
      secretUseListeners.add(callback);
      return () => void secretUseListeners.delete(callback);
    },
  };
  const authenticator = makeAuthenticator(resolved, authentication, secretUseListeners, serverHost);

  // The last two plug-ins are mandatory. They prevent users from granting permissions that they do not have, and from using policies to
  // read parameters that they may not read.
  const { updateStatus, createNamespace, listAsServer } = ownWork(() => environment);
  const admissionHost: AdmissionHost = {
    ...serverHost,
    servedKind: (kind) => servedKind(registry, kind),
    updateStatus,
    createNamespace,
    runsController: (name) =>
      resolved.controllerMode === 'automatic' && resolved.controllers.some((controller) => controller.name === name),
  };
  const defaultPlugins = defaults.admission ?? [];
  const configuredAdmission = pluginsOf(options.admission, defaultPlugins);
  const meter = resolved.metrics && new AdmissionMeter(host);
  if (meter) admission.meter = meter;
  for (const make of [...configuredAdmission, policyParameterAccess, rbacEscalation]) {
    // With metrics, all plug-ins are created at the start, because some declare their metrics then.
    if (!meter && isRuled(make)) admission.plugins.push(new LazyPlugin(make, admissionHost));
    else {
      const plugin = checkPlugin('admission', make(admissionHost), 'name');
      admission.plugins.push(meter ? meter.plugin(plugin) : plugin);
    }
  }
  if (meter) collectObjects(host.metrics, registry, storage);

  const servesRoles = registry.current.find(rbacGroup(dialect), 'v1', 'clusterroles') !== undefined;
  const roles = authorizerNames.has(RBAC) && servesRoles ? defaults.roles : undefined;
  const environment: RequestEnvironment = await requestEnvironment({
    ...resolved,
    host: serverHost,
    registry,
    storage,
    authenticator,
    updateStatus,
    listAsServer,
    roles: roles !== undefined,
  });
  resolved.services.own = ownHandler(environment);
  const controllers = new ControllerManager(resolved.controllerMode === 'automatic', resolved.scheduling);
  return {
    resolved,
    host: serverHost,
    roles,
    seeds: options.audit === undefined && configuredAdmission.every((make) => defaultPlugins.includes(make)),
    environment,
    authorizers,
    storage,
    listers,
    stopExpiry: expireObjects(registry, storage, host, options.eventLifetime ?? EVENT_LIFETIME, continues),
    controllers,
    own: new Map(),
  };
}

function servedKind({ current }: ResourceRegistry, { group, version, kind }: GroupVersionKind): ServedKind | undefined {
  const store = current.mapKind(group, version, kind);
  if (!store || store.resource.definition.virtual) return undefined;
  const { gvr, gvk, namespaced } = store.resource;
  return {
    kind: gvk.kind,
    resource: gvr,
    namespaced,
    get: (namespace, name) => store.now(namespace, name),
    list: (namespace) => store.allNow(namespace),
  };
}

/** Creates the `Host`: the members of the server that plug-ins may use. */
export function makeHost(
  { options, dialect, gates, services, metrics }: ResolvedOptions,
  lister: Host['lister'],
  catchUp?: Host['catchUp'],
): Host {
  const { clock = systemClock, random = systemRandom, signatures = systemSignatures } = options;
  const { fetch, log = () => {}, allowPrivileged = true } = options;
  const serviceNetwork = { ...DEFAULT_SERVICE_NETWORK, ...options.network?.serviceNetwork };
  return {
    dialect,
    clock,
    random,
    signatures,
    fetch: fetch ? withDialledUrls(fetch) : systemFetch,
    services,
    log,
    serviceNetwork,
    gates,
    metrics: metrics?.all ?? noMetrics,
    allowPrivileged,
    lister,
    ...(catchUp ? { catchUp } : {}),
  };
}

/** Creates the authenticator. It always accepts the server's own tokens and the client certificates that the server issued. */
function makeAuthenticator(
  { accountTokens, ownAuthority }: ResolvedOptions,
  configured: readonly AuthenticatorFactory[],
  secretUseListeners: ReadonlySet<SecretUse>,
  host: ControllerHost,
) {
  const onSecretUse: SecretUse = (namespace, secret) => {
    for (const callback of secretUseListeners) callback(namespace, secret);
  };
  // The server's own tokens are checked first, so that no other authenticator (such as a webhook) sees them.
  const { issuers, verifyingKeys: keys, lookup } = accountTokens;
  const ownTokens = serviceAccountTokens({ issuers, keys, lookup, onSecretUse });
  const all = [ownTokens, ...configured, ownAuthority.authenticator];
  return requestAuthenticator(
    all.map((make) => checkPlugin('authentication', make(host), 'name')),
    host,
    accountTokens.apiAudiences,
  );
}

/**
 * Checks the value that a plug-in factory returned.
 * @throws TypeError for a value that is not a plug-in, such as a function because the options list `alwaysAllow` instead of
 * `alwaysAllow()`.
 */
function checkPlugin<P extends object>(option: string, plugin: P, member: keyof P & string): P {
  if (typeof plugin === 'object' && plugin !== null && member in plugin) return plugin;
  const value: unknown = plugin;
  const made =
    typeof value === 'function'
      ? 'a function: call what you named in the list'
      : typeof value === 'object' && value !== null
        ? `an object without it (${Object.keys(value).join(', ')})`
        : String(value);
  throw new TypeError(
    `ApiServer: option ${option}: a member must return an object with ${member}, but returned ${made}`,
  );
}

type SecretUse = (namespace: string, secret: string) => void;
