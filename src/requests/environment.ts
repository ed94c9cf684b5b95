import type { AdmissionHost } from '../admission/admission-plugin.js';
import type { ApiServices } from '../aggregation/api-services.js';
import type { Backends } from '../aggregation/backends.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { TokenAuthenticator } from '../authentication/tokens/bearer-token.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { FlowControl } from '../flow-control/flow-control.js';
import type { Host } from '../meta/host.js';
import type { OpenApiDocuments } from '../openapi/documents.js';
import type { RequestContext } from '../registry/request-context.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { HealthChecks } from './documents/health.js';
import type { MetricsPages } from './documents/metrics-route.js';
import type { InFlight } from './in-flight.js';
import type { LongRunning } from './long-running.js';
import type { RequestMeter } from './measures/request-meter.js';
import type { RequestRecord } from './request-record.js';
import type { Shutdown } from './shutdown.js';

/** What every request of one server is answered with. */
export interface RequestEnvironment {
  /** Dialect, clock, chance and listers. */
  readonly host: Host;
  readonly registry: ResourceRegistry;
  readonly authenticator: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly health: HealthChecks;
  /** Undefined where requests are not counted. */
  readonly meter: RequestMeter | undefined;
  /** What is shown of what is counted; empty where nothing is. */
  readonly metrics: MetricsPages;
  /** Loaded with the first request for them. */
  readonly openApi: () => Promise<OpenApiDocuments>;
  /** What /version answers. */
  readonly version: object;
  /** Who makes tokens of service accounts. */
  readonly accountTokens: AccountTokens;
  /** Writes the status of an object, as the server itself. */
  readonly updateStatus: AdmissionHost['updateStatus'];
  readonly listAsServer: RequestContext['listAsServer'];
  /** Where events of requests go; undefined where none are kept. */
  readonly audit: AuditTrail | undefined;
  /** Which requests are served, and which wait or are refused; undefined: {@link inFlight} decides. */
  readonly flowControl: FlowControl | undefined;
  /** How many requests are served at once. */
  readonly inFlight: InFlight;
  /** Counts and bounds the long-running requests. */
  readonly longRunning: LongRunning;
  /** The group versions that are registered, and those among them that other servers have. */
  readonly apiServices: ApiServices;
  readonly backends: Backends;
  /** Headers by which authenticating proxies name users here, in lower case, as published to other servers: exact names, and beginnings. */
  readonly proxyHeaders: { readonly names: readonly string[]; readonly prefixes: readonly string[] };
  /** Requests that are passed on at this moment, each with how often it came by. */
  readonly underway: Map<string, number>;
  /** Makes what the server makes of a kind when it is first asked for; undefined when nothing is left to make. */
  firstUse?(resource: ServedResource): Promise<unknown> | undefined;
  /** Makes the default roles, where they are still to be made. */
  rolesMade?(): Promise<unknown> | undefined;
  /** Called for each request from outside. */
  readonly logRequest?: ((request: RequestRecord) => void) | undefined;
  /** Where the server says that clients reach it, `host` or `host:port`; undefined: where each of them did. */
  readonly externalAddress: string | undefined;
  /** How far the server is on its way to its end. */
  readonly shutdown: Shutdown;
  /** What answers say to browsers; members are undefined where nothing is said. */
  readonly browsers: {
    readonly strictTransportSecurity: string | undefined;
    readonly allowOrigin: ((origin: string) => boolean) | undefined;
  };
  /** The chance, from 0 to 1, that a connection of HTTP/2 ends after a request. */
  readonly goawayChance: number;
  /** Milliseconds, up to twice of which a watch lasts that does not say how long. */
  readonly minRequestTimeout: number;
  /** Milliseconds a request other than a watch may take. */
  readonly requestTimeout: number;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
}
