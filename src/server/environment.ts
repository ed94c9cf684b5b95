import type { AdmissionHost } from '../admission/admission-plugin.js';
import type { ApiServerOptions } from '../api-server-options.js';
import { AUDIT_EVENTS, AUDIT_REJECTIONS } from '../audit/audit-metrics.js';
import type { TokenAuthenticator } from '../authentication/tokens/bearer-token.js';
import type { ControllerHost } from '../controllers/controller.js';
import { reading } from '../meta/clock.js';
import type { ApiObject } from '../meta/object-meta.js';
import { SharedTimeouts } from '../meta/shared-timeouts.js';
import { joinHostPort, splitHostPort } from '../outbound/host-port.js';
import { hostToDial } from '../outbound/ip-address.js';
import { declareWeakCertificates } from '../outbound/weak-certificates.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import { collectionPrefix } from '../registry/served/served-resource.js';
import type { RequestEnvironment } from '../requests/environment.js';
import { InFlight, LongRunning, Shutdown } from '../requests/in-flight.js';
import { filterNames } from '../requests/pipeline.js';
import { mediaTypesOf } from '../serialization/media-type.js';
import type { Storage } from '../store/storage.js';
import { once } from '../values/memoize.js';
import { healthChecks, healthObserver } from './health.js';
import { metricsPages } from './metrics.js';
import type { ResolvedOptions } from './parts.js';

const MINUTE = 60_000;
const READING_IN_FLIGHT = 400;
const MUTATING_IN_FLIGHT = 200;
const BODY_LIMIT = 3 * 1024 * 1024;

export interface EnvironmentParts
  extends Pick<ResolvedOptions, 'options' | 'defaults' | 'accountTokens' | 'progress' | 'metrics' | 'interception'> {
  readonly host: ControllerHost;
  readonly registry: ResourceRegistry;
  readonly storage: Storage<ApiObject>;
  readonly authenticator: TokenAuthenticator;
  readonly updateStatus: AdmissionHost['updateStatus'];
  readonly listAsServer: RequestEnvironment['listAsServer'];
  /** Whether the default roles are created. */
  readonly roles: boolean;
}

/**
 * Creates the environment that all requests of the server share, and applies the default limits. Modules that only some servers need are
 * loaded only if the options require them.
 */
export async function requestEnvironment(parts: EnvironmentParts): Promise<RequestEnvironment> {
  const { options, host, registry, authenticator, accountTokens, progress, roles, metrics } = parts;
  const { updateStatus, listAsServer } = parts;
  if (metrics) {
    host.metrics.declare(AUDIT_EVENTS, AUDIT_REJECTIONS);
    declareWeakCertificates(host.metrics);
  }
  const { limits = {}, network = {}, browsers = {} } = options;
  // The health checks depend on the groups that are served at the start and on its time, so both are read at this point and not at the
  // first health request.
  const { groups } = registry.current;
  const began = reading(host.clock);
  const { maxRequestsInFlight = READING_IN_FLIGHT, maxMutatingRequestsInFlight = MUTATING_IN_FLIGHT } = limits;
  const flows = limits.priorityAndFairness
    ? await flowControl(parts, maxRequestsInFlight + maxMutatingRequestsInFlight)
    : undefined;
  const meter =
    metrics &&
    new (await import('../requests/measures/request-meter.js')).RequestMeter(
      host.metrics,
      host.clock,
      filterNames(flows !== undefined),
      flows ? undefined : { readOnly: maxRequestsInFlight, mutating: maxMutatingRequestsInFlight },
    );
  const mediaTypes = mediaTypesOf(host.dialect);
  if (meter) flows?.followRoom((waiting, served) => meter.traffic.compareWith(waiting, served));
  return {
    host,
    registry,
    mediaTypes,
    plainForm: { mediaType: mediaTypes[0], pretty: false },
    authenticator,
    authorizer: host.authorizer,
    accountTokens,
    updateStatus,
    listAsServer,
    apiServices: host.apiServices,
    backends: host.backends,
    proxyHeaders: options.authenticationTrust ? proxyHeaders(options.authenticationTrust) : NO_PROXY_HEADERS,
    forwardedPasses: new Map(),
    openApi: once(async () => {
      const { OpenApiDocuments } = await import('../openapi/documents.js');
      return new OpenApiDocuments(registry, () => host.openApi.current, host.gates.OpenAPIEnums);
    }),
    health: once(() =>
      healthChecks({
        progress,
        host,
        roles,
        flows: flows !== undefined,
        storageProblem: () => parts.storage.problem,
        groups,
        began,
        livezGracePeriod: options.livezGracePeriod ?? 0,
        ...(metrics ? { observe: healthObserver(metrics.indicators) } : {}),
      }),
    ),
    logRequest: options.logRequest,
    externalAddress: network.externalAddress === undefined ? undefined : addressToDial(network.externalAddress),
    interception: parts.interception,
    openWatches: new Set(),
    shutdown: new Shutdown(),
    browsers,
    goawayChance: limits.goawayChance ?? 0,
    metrics: metrics ? metricsPages(metrics, host.gates) : new Map(),
    meter,
    reportedVersion: options.reportedVersion,
    flowControl: flows,
    inFlight: new InFlight(maxRequestsInFlight, maxMutatingRequestsInFlight),
    longRunning: new LongRunning(limits.longRunning, limits.storageFull),
    audit: options.audit && new (await import('../audit/audit-trail.js')).AuditTrail(options.audit, host),
    minRequestTimeout: limits.minRequestTimeout ?? 30 * MINUTE,
    requestTimeout: limits.requestTimeout ?? MINUTE,
    timeouts: new SharedTimeouts(host.clock),
    bodyLimit: limits.bodySize ?? BODY_LIMIT,
  };
}

/** Normalizes the host in `host` or `host:port`, as {@link hostToDial} does. */
function addressToDial(address: string): string {
  const { host, port } = splitHostPort(address);
  return joinHostPort(hostToDial(host), port);
}

const NO_PROXY_HEADERS: RequestEnvironment['proxyHeaders'] = { names: [], prefixes: [] };

function proxyHeaders(
  configuredTrust: NonNullable<ApiServerOptions['authenticationTrust']>,
): RequestEnvironment['proxyHeaders'] {
  const trust = typeof configuredTrust === 'function' ? configuredTrust() : configuredTrust;
  const proxies = trust ? trust.requestHeader : undefined;
  const { usernameHeaders = [], groupHeaders = [], extraHeaderPrefixes = [] } = proxies ?? {};
  const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());
  return { names: lower([...usernameHeaders, ...groupHeaders]), prefixes: lower(extraHeaderPrefixes) };
}

/** Creates priority and fairness. */
async function flowControl({ defaults, host, registry, storage }: EnvironmentParts, seats: number) {
  return await defaults.flowControl?.({
    host,
    seats,
    objectCount(group, resource) {
      const found = registry.current.preferred(group, resource);
      return found && storage.count(collectionPrefix(found, ''));
    },
  });
}
