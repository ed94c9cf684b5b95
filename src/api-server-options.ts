import type { AdmissionPluginFactory } from './admission/admission-plugin.js';
import type { AuditOptions } from './audit/audit-trail.js';
import type { AuthenticatorFactory } from './authentication/authenticator.js';
import type { AuthorizerFactory } from './authorization/authorizer.js';
import type { AdvertisedAddress, ControllerDefinition } from './controllers/controller.js';
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
import type { LongRunningLimits } from './requests/long-running.js';
import type { RequestRecord } from './requests/request-record.js';
import type { Signatures } from './signatures/signatures.js';
import type { StorageFactory } from './store/storage-factory.js';
import type { AccountTokenOptions } from './tokens/account-tokens.js';

/**
 * How an {@link ApiServer} is made; every member has a default. A list of plug-ins is given in full, or as a function of the
 * default list: `(defaults) => [...defaults, mine]`. A list in full takes the place of the default one.
 */
export interface ApiServerOptions {
  /** Names and rulings of the API. Default `orch`. */
  readonly dialect?: 'orch' | 'k8s';
  /** Default: `memory()` of `orch-apiserver/storage`. */
  readonly storage?: StorageFactory;
  /** One definition per kind. Default: `builtinResources` of `orch-apiserver/kinds`. */
  readonly resources?: PluginList<ResourceDefinition>;
  /**
   * Asked in this order. Default: client certificates of the server's own authority, and `anonymous()` unless only `alwaysAllow()`
   * authorizes. A list that leaves the default out does not trust that authority, nor does an `x509` of another one add to it: what the authority signs for
   * approved requests is then worth nothing here. Always known, and in no list: tokens of the server's own service accounts,
   * and the very certificates that `issueClientCertificate()` and with it `listener.kubeconfig()` made.
   */
  readonly authentication?: PluginList<AuthenticatorFactory>;
  /**
   * What the server publishes of it for other servers to read. Default: its own authority, where `authentication` trusts it.
   * `false`: nothing. A function is asked again every minute; what it names of proxies beside their authorities may not change.
   */
  readonly authenticationTrust?: AuthenticationTrust | (() => AuthenticationTrust) | false;
  /**
   * Asked in this order, after the group system:masters was let through. Default: `defaultAuthorization` of `orch-apiserver/authorization`, which is
   * `[node(), rbac()]`, with the default roles.
   */
  readonly authorization?: PluginList<AuthorizerFactory>;
  /** In run order. Default: `defaultAdmission` of `orch-apiserver/admission`. RBAC's escalation check always runs after them. */
  readonly admission?: PluginList<AdmissionPluginFactory>;
  /** Which requests are kept as events, and where these go. Default: none are. */
  readonly audit?: AuditOptions;
  /**
   * Default: `defaultControllers` of `orch-apiserver/controllers`. Those of the API server itself (`ofServer`), which make the system's
   * namespaces, the server's own Service, priority classes and flow schemas and install custom resources, run whatever the list says.
   * `CoreApiServer` has none of its own.
   */
  readonly controllers?: PluginList<ControllerDefinition>;
  /**
   * Which of them run: `*` for all that run unasked, `name`, `-name`, as the reference's flag `--controllers`; the first that
   * fits counts. Controllers the reference does not switch always run. Default `*`.
   */
  readonly runControllers?: readonly string[];
  /** `automatic` (default): controllers run as work comes. `stepped`: only within `settle()`. */
  readonly controllerMode?: 'automatic' | 'stepped';
  /** Default the machine's. */
  readonly clock?: Clock;
  /** Default the runtime's cryptographic source. */
  readonly random?: Random;
  /** Who verifies and makes signatures. Default Node's own functions, and WebCrypto in other runtimes. */
  readonly signatures?: Signatures;
  /**
   * How issuers and webhooks are asked. One that is given requests with `tls` must heed it or throw. Default: the runtime's
   * `fetch`, under Node also with certificates of one's own.
   */
  readonly fetch?: Fetch;
  /** Lines for the operator. Default: nowhere. */
  readonly log?: (message: string) => void;
  /** Called with each request that was answered by `handle`, `fetch` or a listener; credentials are masked. Default: no call. */
  readonly logRequest?: (request: RequestRecord) => void;
  /** Switches by name, e.g. `{ WatchList: true }`; the texts of the flag are taken as well. */
  readonly featureGates?: Readonly<Record<string, boolean | string>>;
  /**
   * API versions and resources to switch on or off, e.g. `{ 'api/all': true }`; the texts of the flag are taken as well. A kind that has a
   * feature gate needs that, too; `log` hears of one that is switched on without.
   */
  readonly runtimeConfig?: RuntimeConfig;
  /** The server's own authority, with its key; PEM. Default: made when it is first needed. */
  readonly certificateAuthority?: KeyPair;
  /** PEM of the authority that namespaces publish. Default: that of the server's own authority. `false`: none. */
  readonly rootCertificateAuthority?: string | false;
  /**
   * Who issues certificates that were approved for the well-known signers, and how long they live at most, in milliseconds.
   * Default: the server's own authority, a year. `false`: no signer.
   */
  readonly certificateSigning?: Partial<CertificateSigner> | false;
  /**
   * The client certificate, with its key, that servers of other group versions are shown, so that they trust the users that requests name; PEM.
   * Default: none.
   */
  readonly proxyClientCertificate?: KeyPair;
  /**
   * Whether requests for other servers' group versions go to an endpoint of their service rather than to its address; with `services: 'network'`
   * only. Default false.
   */
  readonly aggregatorRouting?: boolean;
  /** How tokens of service accounts are made and known. Default: by a key made on first use. */
  readonly serviceAccountTokens?: AccountTokenOptions;
  /** Milliseconds that events stay after they were last written; 0: until they are deleted. Default 3,600,000. */
  readonly eventLifetime?: number;
  /** Milliseconds a request other than a watch may take. Default 60,000. */
  readonly requestTimeout?: number;
  /** Milliseconds, up to twice of which a watch lasts that does not say how long. Default 1,800,000. */
  readonly minRequestTimeout?: number;
  /** Milliseconds in which `/livez` does not mind what the start has not done yet. Default 0. */
  readonly livezGracePeriod?: number;
  /** Milliseconds for which `close()` and `drain()` still answer everything, but `/readyz` fails: time to be left alone. Default 0. */
  readonly shutdownDelay?: number;
  /** Whether new requests are then answered with 429 and `Retry-After`, until those in flight are answered. Default false. */
  readonly shutdownSendRetryAfter?: boolean;
  /** Milliseconds that requests in flight have at the end. Default 10,000. */
  readonly shutdownGrace?: number;
  /** Reading requests served at once; what lasts (watches) and members of system:masters are not bounded. 0: any number. Default 400. */
  readonly maxRequestsInFlight?: number;
  /** Writing requests served at once, in the same way. Default 200. */
  readonly maxMutatingRequestsInFlight?: number;
  /** Bounds of the requests that last, as watches do, in all and of each user. Default: those of `LongRunningLimits`. */
  readonly longRunningLimits?: LongRunningLimits;
  /**
   * Whether flow schemas and priority levels decide how many requests are served at once and which of them wait, as with the real server: both
   * numbers together are the seats that the levels share, answers name their flow schema, and a server that is full has requests wait before it
   * refuses them. Default false: the numbers alone decide, and nothing waits for a clock. The program has it on.
   */
  readonly priorityAndFairness?: boolean;
  /**
   * Asked before every write: while it says true, what would take room in the storage is refused (500, in the words of the
   * real server whose storage is full), and users have a sixteenth of their `longRunningLimits`, so that those with most watches get no
   * more; reads and deletions go on. Under Node: `heapPressure()` of `orch-apiserver/http`.
   * Default: never.
   */
  readonly storageFull?: () => boolean;
  /** Whether containers may be privileged: have all rights of their node. Default true, as test clusters have it; the reference's own default is false. */
  readonly allowPrivileged?: boolean;
  /**
   * How the services are reached that webhooks, conversion webhooks, APIServices and the `proxy` of Services name: `'network'` dials the addresses
   * in Services and Endpoints; an object has what answers for each service, `{ 'namespace/name': handler }`, as `server.services.set()` takes
   * it. Default: what is set with `server.services.set()`; a call to any other service fails at once, and its message says so. What is set goes
   * first in either case.
   */
  readonly services?: ServicesOption;
  /** Where services get their addresses and node ports. Default: 10.0.0.0/24, and the ports 30000 to 32767. */
  readonly serviceNetwork?: Partial<ServiceNetwork>;
  /**
   * Where clients within the cluster reach this server: the Endpoints of its own Service say so. The address is neither the host's own
   * (loopback) nor that of one wire. Default: nowhere; the Service is there without Endpoints, for port 6443.
   */
  readonly advertise?: AdvertisedAddress;
  /**
   * The name of the machine that the server runs on. The server's Lease in kube-system is named after it and says it; servers of one name
   * share one. Default `localhost`; the program takes the machine's.
   */
  readonly hostname?: string;
  /**
   * Where this server says that clients reach it, `api.example.com` or `api.example.com:443`: in `/api`, and in the issuer's documents as the
   * place of its keys. Without a port of its own: with the one that the caller reached. Default: the host that each caller reached.
   */
  readonly externalAddress?: string;
  /** Whether a page of an origin (`https://example.com`) may call from a browser; asked about the header Origin. Default: none may. */
  readonly allowOrigin?: (origin: string) => boolean;
  /** The header Strict-Transport-Security of answers, `max-age=31536000; includeSubDomains`. Default: none. */
  readonly strictTransportSecurity?: string;
  /** The chance that a connection of HTTP/2 ends after a request, so that clients spread over servers: 0 (the default) to 0.02. */
  readonly goawayChance?: number;
  /**
   * Whether the server counts and measures what it does, and shows it at `/metrics` and `/metrics/slis`; an object says what is
   * shown. Default false.
   */
  readonly metrics?: boolean | MetricsOptions;
  /** Largest request body, in bytes. Default 3 MiB. */
  readonly bodyLimit?: number;
}
