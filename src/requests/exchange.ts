import type { TokenAuthenticator } from '../authentication/bearer-token.js';
import type { AuthorizationAttributes, Authorizer } from '../authorization/authorizer.js';
import type { Clock } from '../meta/clock.js';
import type { Dialect } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { Query } from '../meta/query.js';
import type { Random } from '../meta/random.js';
import type { UserInfo } from '../meta/user-info.js';
import type { AccessControl } from '../registry/access-control.js';
import type { RequestContext } from '../registry/request-context.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import { accessControl } from './access-control.js';
import type { ApiRequest } from './api-request.js';
import type { Deadline } from './deadline.js';
import type { DiscoveryDocuments } from './discovery.js';
import type { HealthChecks } from './health.js';
import type { InFlight } from './in-flight.js';
import type { OpenApiDocuments } from './openapi-documents.js';
import type { RequestInfo } from './request-info.js';

/** What every request of one server is answered with. */
export interface RequestEnvironment {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly random: Random;
  readonly host: Host;
  readonly registry: ResourceRegistry;
  readonly authenticator: TokenAuthenticator;
  readonly authorizer: Authorizer;
  readonly discovery: DiscoveryDocuments;
  readonly health: HealthChecks;
  readonly openApi: OpenApiDocuments;
  /** What /version answers. */
  readonly version: object;
  /** Who makes tokens of service accounts. */
  readonly accountTokens: AccountTokens;
  readonly gates: { readonly watchList: boolean };
  /** How many requests are served at once. */
  readonly inFlight: InFlight;
  /** Milliseconds a request that is no watch may take. */
  readonly requestTimeout: number;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
}

/** One request on its way: what the steps have found out so far. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly environment: RequestEnvironment;
  /** Percent-decoded path. */
  readonly path: string;
  readonly query: Query;
  info: RequestInfo;
  user: UserInfo;
  /** Warnings for the answer, each once, in order. */
  readonly warnings: Set<string>;
  /** Headers for the answer beyond those of its kind. */
  readonly headers: Record<string, string>;
  /** How long it may take. */
  readonly deadline: Deadline;
  /** Lets the process do other work between two steps; set once the body is known to be large. */
  pause: (() => Promise<void>) | undefined;
  /** Who calls in process: known without credentials. */
  readonly localUser: UserInfo | undefined;
  /** Where it is counted while it is served. */
  slots: { taken: number } | undefined;
}

/** What a write's parameters say. */
type WriteFacts = Pick<RequestContext, 'dryRun' | 'fieldValidation' | 'fieldManager'>;

/** The facts of an exchange as writes need them. */
export function contextOf(
  exchange: Exchange,
  options: WriteFacts,
  requireVerb: (attributes: AuthorizationAttributes) => Promise<void>,
): RequestContext {
  return new ExchangeContext(exchange, options, requireVerb);
}

class ExchangeContext implements RequestContext {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly random: Random;
  readonly host: Host;
  readonly accountTokens: AccountTokens;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly fieldValidation: WriteFacts['fieldValidation'];
  readonly fieldManager: string;
  readonly #exchange: Exchange;
  readonly #requireVerb: (attributes: AuthorizationAttributes) => Promise<void>;

  constructor(
    exchange: Exchange,
    { dryRun, fieldValidation, fieldManager }: WriteFacts,
    requireVerb: (attributes: AuthorizationAttributes) => Promise<void>,
  ) {
    const { environment, user } = exchange;
    this.dialect = environment.dialect;
    this.clock = environment.clock;
    this.random = environment.random;
    this.host = environment.host;
    this.accountTokens = environment.accountTokens;
    this.user = user;
    this.dryRun = dryRun;
    this.fieldValidation = fieldValidation;
    this.fieldManager = fieldManager;
    this.#exchange = exchange;
    this.#requireVerb = requireVerb;
  }

  get access(): AccessControl {
    return accessControl(this.#exchange.environment);
  }
  get pause(): (() => Promise<void>) | undefined {
    return this.#exchange.pause;
  }
  get signal(): AbortSignal {
    return this.#exchange.deadline.signal;
  }
  warn(text: string): void {
    this.#exchange.warnings.add(text);
  }
  requireVerb(verb: string): Promise<void> {
    return this.#requireVerb({ ...attributesOf(this.user, this.#exchange.info), verb });
  }
}

/** What the authorizers are asked about a request. */
export function attributesOf(user: UserInfo, info: RequestInfo): AuthorizationAttributes {
  const { verb, resourceRequest, group, version, resource, subresource, namespace, name, path } = info;
  return { user, verb, resourceRequest, group, version, resource, subresource, namespace, name, path };
}
