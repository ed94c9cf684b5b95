import type { AdmissionHost } from '../admission/admission-plugin.js';
import type { ApiServices } from '../aggregation/api-services.js';
import type { Backends } from '../aggregation/backends.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { TokenAuthenticator } from '../authentication/tokens/bearer-token.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { FlowControl } from '../flow-control/flow-control.js';
import type { Host } from '../meta/host.js';
import type { SharedTimeouts } from '../meta/shared-timeouts.js';
import type { OpenApiDocuments } from '../openapi/documents.js';
import type { EventStream } from '../registry/reads/resource-watch.js';
import type { RequestContext } from '../registry/request-context.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { AnswerForm } from '../serialization/media-type.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import type { HealthChecks } from './documents/health.js';
import type { MetricsPages } from './documents/metrics-route.js';
import type { InFlight, LongRunning, Shutdown } from './in-flight.js';
import type { Interception } from './interception.js';
import type { RequestMeter } from './measures/request-meter.js';
import type { RequestRecord } from './request-record.js';

/** A watch of a client that has not ended. */
export interface OpenWatch {
  readonly watch: Pick<EventStream, 'hasUntaken' | 'held'>;
  readonly path: string;
  /** The name of the user. */
  readonly user: string;
  /** The User-Agent header; '' if the client sent none. */
  readonly userAgent: string;
}

/** The components and settings of a server that its requests share. */
export interface RequestEnvironment {
  /** The API dialect, the clock, the random source and the listers. */
  readonly host: Host;
  readonly registry: ResourceRegistry;
  /** The form of a response whose request has not negotiated another one: JSON without indentation. */
  readonly plainForm: AnswerForm;
  readonly authenticator: TokenAuthenticator;
  readonly authorizer: Authorizer;
  /** The health checks. They are created with the first health request, because most servers in tests never receive one. */
  readonly health: () => HealthChecks;
  /** Counts and measures the requests; undefined if no metrics are recorded. */
  readonly meter: RequestMeter | undefined;
  /** The pages of metrics; empty if the server serves no metrics. */
  readonly metrics: MetricsPages;
  /** The OpenAPI documents. They are loaded with the first request for them. */
  readonly openApi: () => Promise<OpenApiDocuments>;
  /** The version in the document of /version; undefined for one that names this library. */
  readonly reportedVersion: string | undefined;
  /** Issues the tokens of service accounts, and has the keys that verify them. */
  readonly accountTokens: AccountTokens;
  /** Updates the status of an object as the server itself, not as the user whose request is served. */
  readonly updateStatus: AdmissionHost['updateStatus'];
  readonly listAsServer: RequestContext['listAsServer'];
  /** Receives the audit events of requests; undefined if none are recorded. */
  readonly audit: AuditTrail | undefined;
  /** Decides which requests are served, wait or are refused; if undefined, {@link inFlight} decides. */
  readonly flowControl: FlowControl | undefined;
  /** Limits how many requests are served at once, if flow control is off, and how many are authenticated at once. */
  readonly inFlight: InFlight;
  /** Counts and limits the long-running requests. */
  readonly longRunning: LongRunning;
  /** The registered group versions, including those that other servers serve. */
  readonly apiServices: ApiServices;
  readonly backends: Backends;
  /**
   * The names and prefixes, in lower case, of the headers with which authenticating proxies name users to this server. Other servers read
   * them from the ConfigMap `extension-apiserver-authentication`.
   */
  readonly proxyHeaders: { readonly names: readonly string[]; readonly prefixes: readonly string[] };
  /** Requests that are being forwarded at this moment, each with the number of times it has passed through this server. */
  readonly forwardedPasses: Map<string, number>;
  /** Called with the record of each request from outside this process, once its response is complete. */
  readonly logRequest?: ((request: RequestRecord) => void) | undefined;
  /** The public address of this server, `host` or `host:port`; if undefined, the address to which each client is connected. */
  readonly externalAddress: string | undefined;
  /** The interceptors of requests. */
  readonly interception: Interception;
  /** The watches of clients that have not ended. */
  readonly openWatches: Set<OpenWatch>;
  /** The progress of the server's shutdown. */
  readonly shutdown: Shutdown;
  /** Settings of response headers for browsers; a member is undefined if its header is not sent. */
  readonly browsers: {
    readonly strictTransportSecurity?: string;
    readonly allowOrigin?: (origin: string) => boolean;
  };
  /** The probability, from 0 to 1, that an HTTP/2 connection ends after a request. */
  readonly goawayChance: number;
  /** The shortest lifetime, in milliseconds, of a watch that names no timeout; the actual lifetime is up to twice as long. */
  readonly minRequestTimeout: number;
  /** The time limit of a request other than a watch, in milliseconds. */
  readonly requestTimeout: number;
  /** The timeouts of requests that wait for their bodies or audit events. */
  readonly timeouts: SharedTimeouts;
  /** The maximum size of a request body, in bytes. */
  readonly bodyLimit: number;
}
