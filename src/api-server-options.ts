import type { AdmissionPluginFactory } from './admission/admission-plugin.js';
import type { AuditOptions } from './audit/audit-trail.js';
import type { AuthenticatorFactory } from './authentication/authenticator.js';
import type { AuthorizerFactory } from './authorization/authorizer.js';
import type { AdvertisedAddress, ControllerDefinition } from './controllers/controller.js';
import type { LeaderElectionOptions } from './controllers/leader-election/election-options.js';
import type { AuthenticationTrust, CertificateSigner } from './controllers/server-authorities.js';
import type { Clock } from './meta/clock.js';
import type { Fetch } from './meta/fetch.js';
import type { PluginList } from './meta/plugin-list.js';
import type { Random } from './meta/random.js';
import type { ServiceNetwork } from './meta/services/service-network.js';
import type { MetricsOptions } from './metrics/metrics-options.js';
import type { ServicesOption } from './outbound/service-targets.js';
import type { KeyPair } from './pki/certificate-authority.js';
import type { ResourceDefinition } from './registry/resource-definition.js';
import type { RuntimeConfig } from './registry/served/runtime-config.js';
import type { LongRunningLimits } from './requests/in-flight.js';
import type { RequestRecord } from './requests/request-record.js';
import type { Signatures } from './signatures/signatures.js';
import type { StorageFactory } from './store/storage-factory.js';
import type { AccountTokenOptions } from './tokens/account-tokens.js';

/** The controllers of a server, and when they run. */
export interface ControllerOptions {
  /** The available controllers. Default: `defaultControllers` of `orch-apiserver/controllers`. */
  readonly definitions?: PluginList<ControllerDefinition>;
  /**
   * Which controllers run, in the syntax of kube-controller-manager's flag `--controllers`: `*` for all that are on by default, `name` and
   * `-name`; the first entry that matches decides. Controllers that the flag cannot switch always run. Default `['*']`.
   */
  readonly run?: readonly string[];
  /** `automatic` (default): controllers run as soon as there is work. `stepped`: they run only within `settle()`. */
  readonly mode?: 'automatic' | 'stepped';
  /**
   * Whether servers that share a storage elect a leader by a Lease, as kube-controller-manager does, so that only the leader's controllers
   * run. Controllers of the API server itself run in every server. With `true` or an object, the servers elect a leader on any storage, for
   * example beside a kube-controller-manager. With `false`, controllers run in every server. Default: a leader is elected only if the
   * storage can be shared by several servers, as etcd can.
   */
  readonly leaderElection?: boolean | LeaderElectionOptions;
}

/** Certificates that a server issues, publishes and presents. */
export interface CertificatesOptions {
  /** The server's own certificate authority with its key, in PEM. Default: an authority that the server creates on first use. */
  readonly authority?: KeyPair;
  /**
   * The CA certificate that is published in every namespace, in PEM. Default: the certificate of the server's own authority. With `false`,
   * no certificate is published.
   */
  readonly root?: string | false;
  /**
   * The authority that signs approved CertificateSigningRequests of the well-known signers, and the maximum lifetime of the certificates in
   * milliseconds. Default: the server's own authority, and one year. With `false`, the server does not sign approved requests.
   */
  readonly signing?: Partial<CertificateSigner> | false;
  /**
   * The client certificate and key, in PEM, that this server presents to aggregated API servers. An aggregated server accepts the user in
   * the request headers only if the client certificate is one that it trusts. Default: no certificate.
   */
  readonly proxyClient?: KeyPair;
}

/** The limits of a single request, and of requests that are served at the same time. */
export interface LimitOptions {
  /** The maximum size of a request body, in bytes. Default 3 MiB. */
  readonly bodySize?: number;
  /** The maximum duration of a request other than a watch, in milliseconds. Default 60,000. */
  readonly requestTimeout?: number;
  /**
   * The minimum lifetime, in milliseconds, of a watch that names no timeout. The actual lifetime is random, up to twice as long. Default
   * 1,800,000.
   */
  readonly minRequestTimeout?: number;
  /**
   * The maximum number of read requests served at once. Long-running requests (watches) and requests of system:masters are not limited. 0:
   * no limit. Default 400.
   */
  readonly maxRequestsInFlight?: number;
  /** The maximum number of write requests served at once, with the same exceptions as `maxRequestsInFlight`. Default 200. */
  readonly maxMutatingRequestsInFlight?: number;
  /** Limits of long-running requests such as watches, in all and for each user. Default: those of `LongRunningLimits`. */
  readonly longRunning?: LongRunningLimits;
  /**
   * Whether flow schemas and priority levels decide how many requests are served at once and which requests wait, as in Kubernetes. The
   * priority levels share as many seats as `maxRequestsInFlight` and `maxMutatingRequestsInFlight` have together, responses name their flow
   * schema, and a full server queues requests before it refuses them. Default false: only the two limits apply, and a request beyond them
   * is refused at once. The command-line program sets true.
   */
  readonly priorityAndFairness?: boolean;
  /**
   * Called for every write that would take storage space. While it returns true, such writes are refused (500, with the message of a
   * Kubernetes server whose storage is full), and each user has a sixteenth of the limits in `longRunning`, so that the users with most
   * watches cannot open more; reads and deletions go on. Under Node, `heapPressure()` of `orch-apiserver/http` returns a suitable function.
   * Default: always false.
   */
  readonly storageFull?: () => boolean;
  /** The probability that an HTTP/2 connection ends after a request, so that clients spread over servers: 0 (the default) to 0.02. */
  readonly goawayChance?: number;
}

/** How a server shuts down. All times are in milliseconds. */
export interface ShutdownOptions {
  /**
   * The time for which the server still serves all requests after `close()` or `drain()` was called. `/readyz` already fails in this time,
   * so that load balancers move clients elsewhere. Default 0.
   */
  readonly delay?: number;
  /** The time that requests in flight have to finish. Default 10,000. */
  readonly grace?: number;
  /** Whether new requests are answered with 429 and `Retry-After` until the requests in flight are answered. Default false. */
  readonly sendRetryAfter?: boolean;
}

/** The addresses of services, and the addresses at which clients find this server. */
export interface NetworkOptions {
  /** The ranges from which services get their addresses and node ports. Default: 10.0.0.0/24, and the ports 30000 to 32767. */
  readonly serviceNetwork?: Partial<ServiceNetwork>;
  /**
   * The address at which clients within the cluster reach this server. The Endpoints of the server's own Service publish it. The address
   * must be neither loopback nor link-local. Default: no address; the Service has no Endpoints, and its target port is 6443.
   */
  readonly advertise?: AdvertisedAddress;
  /**
   * The name of the machine that the server runs on. The server's Lease in kube-system has a name that is derived from the hostname, and a
   * label that contains it. Servers with the same hostname share a Lease. Default `localhost`; the command-line program uses the machine's
   * name.
   */
  readonly hostname?: string;
  /**
   * The public address of this server, `api.example.com` or `api.example.com:443`, that `/api` and the issuer's discovery document name. An
   * address without a port gets the port that the caller reached. Default: the host that each caller reached.
   */
  readonly externalAddress?: string;
  /**
   * Whether requests to webhooks and to aggregated API servers go to an endpoint of the service instead of the service's address. It applies
   * only with `services: 'network'`. Default false.
   */
  readonly aggregatorRouting?: boolean;
}

/** The response headers that concern browsers. */
export interface BrowserOptions {
  /**
   * Returns whether web pages of an origin (`https://example.com`) may call the server; the argument is the request's header Origin.
   * Default: no page may.
   */
  readonly allowOrigin?: (origin: string) => boolean;
  /**
   * The value of the header Strict-Transport-Security in every response, such as `max-age=31536000; includeSubDomains`. Default: no header.
   */
  readonly strictTransportSecurity?: string;
}

/**
 * Options of an {@link ApiServer}; every member has a default. A list of plug-ins is given in full, or as a function of the default list:
 * `(defaults) => [...defaults, mine]`. A full list replaces the default one.
 */
export interface ApiServerOptions {
  /**
   * The API dialect: `k8s` has the names and the behavior of Kubernetes; `orch` (the default) has names of its own (such as
   * `rbac.authorization.orch.io` for `rbac.authorization.k8s.io`), and differs in some behavior.
   */
  readonly dialect?: 'orch' | 'k8s';
  /** Where objects are stored. Default: in the memory of the process (`memory()` of `orch-apiserver/storage`). */
  readonly storage?: StorageFactory;
  /** The definitions of the served kinds, one for each kind. Default: `builtinResources` of `orch-apiserver/kinds`. */
  readonly resources?: PluginList<ResourceDefinition>;
  /**
   * Authenticators, in the order in which they are called. Default: client certificates of the server's own authority, and `anonymous()`
   * unless `authorization` contains `alwaysAllow()`. A list without the default authenticator does not trust the server's own authority,
   * even if it has an `x509` of another authority: certificates that the server signs for approved requests are then not accepted. Two kinds
   * of credentials are accepted with any list: tokens of the server's own service accounts, and the certificates that
   * `issueClientCertificate()` and `listener.kubeconfig()` issue.
   */
  readonly authentication?: PluginList<AuthenticatorFactory>;
  /**
   * The trusted authorities and the proxy settings that the server publishes for aggregated API servers to read. Default: the server's own
   * authority, if `authentication` trusts it. With `false`, nothing is published. A function is called again every minute; the authorities
   * in the function's result may change, but the other settings must not.
   */
  readonly authenticationTrust?: AuthenticationTrust | (() => AuthenticationTrust) | false;
  /**
   * Authorizers, in the order in which they are called. Requests of the group system:masters are allowed before any authorizer is called.
   * Default: `defaultAuthorization` of `orch-apiserver/authorization`, which is `[node(), rbac()]`, with the default roles.
   */
  readonly authorization?: PluginList<AuthorizerFactory>;
  /**
   * Admission plug-ins, in the order in which they run. Default: `defaultAdmission` of `orch-apiserver/admission`. RBAC's escalation check
   * always runs after them.
   */
  readonly admission?: PluginList<AdmissionPluginFactory>;
  /** Which requests are recorded as audit events, and which sinks receive the events. Default: no events. */
  readonly audit?: AuditOptions;
  /**
   * The controllers as a list, or as an object that also says when they run: `{ mode: 'stepped' }`. Default: `defaultControllers` of
   * `orch-apiserver/controllers`. Controllers of the API server itself (`ofServer`) run with any list: they create the system's namespaces,
   * the server's own Service, priority classes and flow schemas, and install custom resources. `CoreApiServer` has no controllers of its
   * own.
   */
  readonly controllers?: PluginList<ControllerDefinition> | ControllerOptions;
  /** The clock. Default: the machine's. */
  readonly clock?: Clock;
  /** The source of random values. Default: the runtime's cryptographic source. */
  readonly random?: Random;
  /** Signs, verifies signatures and computes digests. Default: Node's own functions, or WebCrypto in other runtimes. */
  readonly signatures?: Signatures;
  /**
   * Sends requests to issuers and webhooks. If a request has the option `tls`, the function must apply it or throw. Default: the runtime's
   * `fetch`, which under Node also takes custom certificates.
   */
  readonly fetch?: Fetch;
  /** Receives log lines for the operator. Default: no log. */
  readonly log?: (message: string) => void;
  /** Called with each request that `handle`, `fetch` or a listener answered; credentials are masked. Default: requests are not logged. */
  readonly logRequest?: (request: RequestRecord) => void;
  /**
   * Feature gates by name, such as `{ WatchList: true }`; strings such as `'true'` are read as the flag `--feature-gates` reads them.
   * Default: upstream's defaults.
   */
  readonly featureGates?: Readonly<Record<string, boolean | string>>;
  /**
   * API versions and resources to switch on or off, such as `{ 'api/all': true }`; strings such as `'true'` are read as the flag
   * `--runtime-config` reads them. A kind behind a feature gate needs the gate as well; if such a kind is switched on without its gate, the
   * option `log` receives a line that says so. Default: the versions and resources that upstream serves by default.
   */
  readonly runtimeConfig?: RuntimeConfig;
  /**
   * The `gitVersion` that `/version` and the metric `kubernetes_build_info` report, such as `v1.31.0-custom`: a semantic version of release
   * 1.31.0. It changes nothing else. Default: a version that names this library.
   */
  readonly reportedVersion?: string;
  /** Certificates that the server issues, publishes and presents. */
  readonly certificates?: CertificatesOptions;
  /** How service account tokens are issued and verified. Default: with a key that the server generates on first use. */
  readonly serviceAccountTokens?: AccountTokenOptions;
  /** How long Event objects are kept after their last write, in milliseconds; 0 keeps them until they are deleted. Default 3,600,000. */
  readonly eventLifetime?: number;
  /** Milliseconds after the start in which `/livez` ignores start-up steps that are not finished. Default 0. */
  readonly livezGracePeriod?: number;
  /**
   * Whether containers may be privileged, that is, have all rights of their node. Default true, as in test clusters; Kubernetes' own
   * default is false.
   */
  readonly allowPrivileged?: boolean;
  /**
   * How the server reaches the Services that webhooks, conversion webhooks and APIServices refer to, and the Services whose subresource
   * `proxy` is requested. `'network'` dials the addresses in Services and Endpoints. An object maps each service to its handler, as
   * `server.services.set()` does: `{ 'namespace/name': handler }`. Default: only services set with `server.services.set()`; a call to any
   * other service fails at once, with a message that says so. Services set that way always take precedence.
   */
  readonly services?: ServicesOption;
  /**
   * Whether the server collects metrics and serves them at `/metrics` and `/metrics/slis`; an object also selects which metrics are served.
   * Default false.
   */
  readonly metrics?: boolean | MetricsOptions;
  /** Limits on single requests, and on requests that are served at the same time. */
  readonly limits?: LimitOptions;
  /** What happens to requests and watches when the server shuts down. */
  readonly shutdown?: ShutdownOptions;
  /** The addresses of services, and the addresses of the server. */
  readonly network?: NetworkOptions;
  /** Headers for browsers. */
  readonly browsers?: BrowserOptions;
}
