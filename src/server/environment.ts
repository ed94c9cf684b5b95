import type { TokenAuthenticator } from '../authentication/tokens/bearer-token.js';
import type { ControllerHost } from '../controllers/controller.js';
import { DiscoveryDocuments } from '../discovery/discovery.js';
import { versionDocument } from '../discovery/version.js';
import { OpenApiDocuments } from '../openapi/documents.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { RequestEnvironment } from '../requests/environment.js';
import { InFlight } from '../requests/in-flight.js';
import { RequestMeter } from '../requests/measures/request-meter.js';
import { VERSION } from '../version.js';
import { healthChecks } from './health.js';
import { metricsPages } from './metrics.js';
import type { Given } from './parts.js';

const MINUTE = 60_000;
const READING_IN_FLIGHT = 400;
const MUTATING_IN_FLIGHT = 200;
const BODY_LIMIT = 3 * 1024 * 1024;

export interface EnvironmentParts extends Pick<Given, 'options' | 'accountTokens' | 'progress' | 'metrics'> {
  readonly host: ControllerHost;
  readonly registry: ResourceRegistry;
  readonly authenticator: TokenAuthenticator;
  /** Whether the default roles are made. */
  readonly roles: boolean;
}

/** What every request of the server is answered with; the limits of requests and their defaults. */
export function requestEnvironment(parts: EnvironmentParts): RequestEnvironment {
  const { options, host, registry, authenticator, accountTokens, progress, roles, metrics } = parts;
  return {
    host,
    registry,
    authenticator,
    authorizer: host.authorizer,
    accountTokens,
    discovery: new DiscoveryDocuments(registry, host.gates.StorageVersionHash),
    openApi: new OpenApiDocuments(registry),
    health: healthChecks(progress, roles),
    metrics: metricsPages(metrics),
    meter: metrics && new RequestMeter(host.metrics, host.clock),
    version: versionDocument(VERSION),
    gates: { watchList: host.gates.WatchList },
    inFlight: new InFlight(
      options.maxRequestsInFlight ?? READING_IN_FLIGHT,
      options.maxMutatingRequestsInFlight ?? MUTATING_IN_FLIGHT,
    ),
    requestTimeout: options.requestTimeout ?? MINUTE,
    bodyLimit: options.bodyLimit ?? BODY_LIMIT,
  };
}
