import { EventEmitter } from 'eventemitter3';
import { defaultAdmission } from './admission/default-admission.js';
import { rbacEscalation } from './admission/rbac-escalation.js';
import type { ApiServerOptions } from './api-server-options.js';
import type { AuthenticatorFactory } from './authentication/authenticator.js';
import { issuedCertificates } from './authentication/issued-certificates.js';
import { requestAuthenticator } from './authentication/request-authenticator.js';
import { serviceAccountTokens } from './authentication/service-account-token.js';
import { x509 } from './authentication/x509.js';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorization/authorizer.js';
import { defaultAuthorization } from './authorization/default-authorization.js';
import { controllerAccounts } from './authorization/policy/default-policy.js';
import { privilegedGroups } from './authorization/privileged-groups.js';
import { RBAC } from './authorization/rbac.js';
import { rbacGroup } from './authorization/rbac-objects.js';
import { unionAuthorizer } from './authorization/union.js';
import { Client } from './client/client.js';
import { requestFrom, responseFrom } from './client/fetch.js';
import { installKinds, type UninstallOptions, uninstallKinds } from './client/install.js';
import { loadObjects, saveObjects } from './client/load.js';
import type { ControllerDefinition, ControllerHost } from './controllers/controller.js';
import { ControllerManager } from './controllers/controller-manager.js';
import { defaultControllers } from './controllers/default-controllers.js';
import { DEFAULT_ROLES_CHECK, makeDefaultRoles } from './controllers/default-roles.js';
import { selectControllers } from './controllers/select-controllers.js';
import { serverAuthorities } from './controllers/server-authorities.js';
import { systemNamespaces } from './controllers/system-namespaces.js';
import { DiscoveryDocuments } from './discovery/discovery.js';
import { versionDocument } from './discovery/version.js';
import { systemClock } from './meta/clock.js';
import { type Dialect, dialectOf } from './meta/dialect.js';
import type { Host } from './meta/host.js';
import type { ApiObject } from './meta/object-meta.js';
import { pluginsOf } from './meta/plugin-list.js';
import { systemRandom } from './meta/random.js';
import type { UserInfo } from './meta/user-info.js';
import { OpenApiDocuments } from './openapi/documents.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from './pki/certificate-authority.js';
import { withVersion } from './registry/edit.js';
import { sameIgnoringOwnershipTimes } from './registry/equality.js';
import { GuardedStorage } from './registry/guarded-storage.js';
import { prepareDefinitions, type ResourceDefinition } from './registry/resource-definition.js';
import { ResourceRegistry } from './registry/resource-registry.js';
import { servedDefinitions } from './registry/runtime-config.js';
import { StoreListers } from './registry/store-listers.js';
import type { ApiRequest, ApiResponse } from './requests/api-request.js';
import { serverHealth } from './requests/documents/server-health.js';
import type { RequestEnvironment } from './requests/environment.js';
import { featureGates } from './requests/feature-gates.js';
import { InFlight } from './requests/in-flight.js';
import { answer, execute } from './requests/serve.js';
import { builtinResources } from './resources/index.js';
import { systemSignatures } from './signatures/system-signatures.js';
import { memory } from './store/memory.js';
import type { Storage } from './store/storage.js';
import { type AccountTokens, accountTokens } from './tokens/account-tokens.js';
import { VERSION } from './version.js';

/** Who in-process callers are unless they say otherwise. */
const LOOPBACK_USER: UserInfo = { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
const MASTERS = 'system:masters';
const ACCOUNT_GROUPS = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
const MINUTE = 60_000;
const READING_IN_FLIGHT = 400;
const MUTATING_IN_FLIGHT = 200;
const BODY_LIMIT = 3 * 1024 * 1024;

/** Everything a running server is made of. */
interface Running {
  readonly environment: RequestEnvironment;
  readonly storage: Storage<ApiObject>;
  readonly listers: StoreListers;
  readonly controllers: ControllerManager;
}

/** What a server tells of its life. */
export type ApiServerEvents = Record<'started' | 'closing' | 'closed', []>;

/**
 * A control plane in this process: resources, validation, watches, controllers, behind one request function and a
 * typed client. Two servers know nothing of each other. Reaching it by network is `orch-apiserver/http`'s part.
 */
export class ApiServer extends EventEmitter<ApiServerEvents> implements AsyncDisposable {
  readonly dialect: Dialect;
  readonly #options: ApiServerOptions;
  #running: Running | undefined;
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  readonly #accountTokens: AccountTokens;
  readonly #issued = issuedCertificates();
  readonly #secretTokenUses = new Set<(namespace: string, secret: string) => void>();
  #authority: Promise<KeyPair> | undefined;
  #authorityCertificate: string | undefined;
  #rolesReady = false;

  constructor(options: ApiServerOptions = {}) {
    super();
    this.#options = options;
    this.dialect = dialectOf(options.dialect ?? 'orch');
    this.#accountTokens = accountTokens(options.serviceAccountTokens ?? {}, this.dialect, options.signatures);
  }

  /**
   * Opens the storage, makes the system's namespaces and starts the controllers.
   * @throws TypeError for options that contradict each other.
   */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Answers one request; failures are answers, too. */
  handle(request: ApiRequest): Promise<ApiResponse> {
    return answer(this.#core.environment, request);
  }

  /** Answers a WHATWG request, with no port in between. */
  async fetch(request: Request): Promise<Response> {
    return responseFrom(await this.handle(requestFrom(request)));
  }

  /**
   * A typed client that acts as a user, authorized like any other caller. Default: a member of `system:masters`.
   * @param options.userAgent names the owner of the fields it writes; default `client`.
   */
  client({
    user = LOOPBACK_USER,
    userAgent = 'client',
  }: {
    readonly user?: UserInfo;
    readonly userAgent?: string;
  } = {}): Client {
    return new Client(
      {
        dialect: this.dialect,
        execute: (request) => execute(this.#core.environment, request, user),
        resources: () => this.#core.environment.registry.current.stored(),
        onResourcesChange: (callback) => this.#core.environment.registry.onChange(callback),
      },
      userAgent,
    );
  }

  /** Stores objects (values, or YAML or JSON text) through the whole flow; resolves with their number. */
  load(source: string | readonly object[]): Promise<number> {
    return loadObjects(this.client({ userAgent: 'load' }), this.#core.environment.registry, source);
  }

  /** All objects as YAML documents that {@link load} understands. */
  save(): Promise<string> {
    return saveObjects(this.client());
  }

  /**
   * Serves more kinds from now on, whatever `runtimeConfig` says: to requests that open later, in discovery and OpenAPI.
   * @throws TypeError when two definitions claim the same names, SyntaxError for a schema's bad pattern: nothing is installed.
   */
  install(definitions: ResourceDefinition | readonly ResourceDefinition[]): Promise<void> {
    return installKinds(this.#core.environment.registry, definitions);
  }

  /**
   * Serves kinds no longer: their watches end. Their objects stay stored unless `deleteObjects` is given.
   * @throws TypeError for a definition that is not installed, or whose objects finalizers hold: nothing is uninstalled then.
   */
  uninstall(definitions: ResourceDefinition | readonly ResourceDefinition[], options: UninstallOptions = {}) {
    return uninstallKinds(this.#core.environment.registry, this.client(), definitions, options);
  }

  /** Runs the controllers until nothing is left to do. */
  settle(): Promise<void> {
    return this.#core.controllers.settle();
  }

  /**
   * Who decides about a request of a user, and by what: the authorizer, and for roles the binding and the rule.
   * @param question what is asked for; absent members are ''. With a `resource` it is about that, else about the `path`.
   */
  async explainDecision(
    user: UserInfo,
    question: Pick<AuthorizationAttributes, 'verb'> & Partial<AuthorizationAttributes>,
  ): Promise<Decision> {
    const nothing = { group: '', version: '*', resource: '', subresource: '', namespace: '', name: '', path: '' };
    const resourceRequest = question.resource !== undefined;
    return await this.#core.environment.authorizer.authorize({ ...nothing, resourceRequest, ...question, user });
  }

  /** The server's own authority: client certificates it issued are trusted unless `authentication` leaves that out. Made when first asked for. */
  certificateAuthority(): Promise<KeyPair> {
    const { certificateAuthority: given, random = systemRandom, signatures = systemSignatures } = this.#options;
    this.#authority ??= given
      ? Promise.resolve(given)
      : createCertificateAuthority({ commonName: `${this.dialect.name}-ca`, now: this.#now(), random, signatures });
    return this.#authority;
  }

  /**
   * A client certificate of the server's own authority, for a year. This server knows it whatever `authentication` says, until it ends.
   * @throws TypeError for a name that no certificate can carry.
   */
  async issueClientCertificate({ username, groups = [] }: Pick<UserInfo, 'username' | 'groups'>): Promise<KeyPair> {
    const { random = systemRandom, signatures = systemSignatures } = this.#options;
    const issued = await issueCertificate(await this.certificateAuthority(), {
      commonName: username,
      organizations: groups,
      usages: ['clientAuth'],
      now: this.#now(),
      random,
      signatures,
    });
    await this.#issued.add(issued.certificate, { username, groups });
    return issued;
  }

  /** The own authority's certificate, PEM; at once when it is there, as every request with a certificate asks. */
  #ownAuthority(): string | Promise<string> {
    return this.#authorityCertificate ?? this.#makeOwnAuthority();
  }
  async #makeOwnAuthority(): Promise<string> {
    this.#authorityCertificate = (await this.certificateAuthority()).certificate;
    return this.#authorityCertificate;
  }

  /** Ends watches and controllers and closes the storage. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #core(): Running {
    if (!this.#running) throw new TypeError('the server has not been started: await server.start() first');
    return this.#running;
  }

  #now(): number {
    return (this.#options.clock ?? systemClock).now();
  }

  async #start(): Promise<void> {
    const options = this.#options;
    const { dialect } = this;
    const { clock = systemClock, random = systemRandom, signatures = systemSignatures, log = () => {} } = options;
    const opened = await (options.storage ?? memory())<ApiObject>({
      clock,
      stamp: (object, revision) => withVersion(object, String(revision)),
      equals: sameIgnoringOwnershipTimes,
    });
    const storage = options.storageFull ? new GuardedStorage(opened, options.storageFull) : opened;
    let registry: ResourceRegistry | undefined;
    const listers = new StoreListers(storage, () => registry ?? missing('registry'));
    const host: Host = {
      dialect,
      clock,
      random,
      signatures,
      log,
      lister: (group, resource) => listers.lister(group, resource),
    };
    const authorizers = pluginsOf(options.authorization, defaultAuthorization).map((make) => make(host));
    const authorizer = unionAuthorizer([privilegedGroups(), ...authorizers]);
    const own = x509({ clientCA: () => this.#ownAuthority() });
    const authentication = pluginsOf(options.authentication, [own]);
    const serverHost = this.#hostOf(host, authorizer, authentication.includes(own));
    // The last is not an option: nobody hands out what he does not hold.
    const admission = [...pluginsOf(options.admission, defaultAdmission), rbacEscalation].map((make) =>
      make(serverHost),
    );
    const resources = pluginsOf(options.resources, builtinResources);
    await prepareDefinitions(resources);
    registry = new ResourceRegistry(
      servedDefinitions(resources, options.runtimeConfig ?? {}, dialect),
      dialect,
      storage,
      admission,
    );
    const controllers = new ControllerManager(options.controllerMode !== 'stepped');
    const roles =
      authorizers.some(({ name }) => name === RBAC) &&
      registry.current.find(rbacGroup(dialect), 'v1', 'clusterroles') !== undefined;
    this.#rolesReady = !roles;
    const environment = this.#environment(serverHost, registry, authentication, roles);
    this.#running = { environment, storage, listers, controllers };
    if (roles) await makeDefaultRoles(host, this.client({ userAgent: dialect.apiServerName }));
    this.#rolesReady = true;

    const definitions = pluginsOf(options.controllers, defaultControllers);
    const clientFor = this.#controllerClients(roles);
    const chosen = selectControllers(definitions, options.runControllers ?? ['*'], log);
    // The system's namespaces are there before others write into them, and with their accounts when start() resolves.
    for (const first of [true, false]) {
      const turn = chosen.filter((controller) => (controller === systemNamespaces) === first);
      controllers.start(turn, serverHost, clientFor);
      await controllers.settle();
    }
    this.emit('started');
  }

  /** What admission and controllers see of the server. */
  #hostOf(host: Host, authorizer: Authorizer, trustsOwn: boolean): ControllerHost {
    const { rootCertificateAuthority: root, certificateSigning: signing, authenticationTrust: trust } = this.#options;
    const own = () => this.certificateAuthority();
    return {
      ...host,
      authorizer,
      accountTokens: this.#accountTokens,
      authorities: serverAuthorities({ own, root, signing, trust, trustsOwn }),
      onSecretTokenUse: (callback) => {
        this.#secretTokenUses.add(callback);
        return () => void this.#secretTokenUses.delete(callback);
      },
    };
  }

  /** Makes clients for controllers. Those that have roles of their own may do no more than those say. */
  #controllerClients(roles: boolean): (controller: ControllerDefinition) => Client {
    const accounts = roles ? controllerAccounts(this.dialect) : undefined;
    return ({ name, account = name, ofServer = false }) =>
      ofServer
        ? this.client({ userAgent: this.dialect.apiServerName })
        : this.client({
            user: {
              username: `system:serviceaccount:kube-system:${account}`,
              groups: accounts?.has(account) ? ACCOUNT_GROUPS : [MASTERS, ...ACCOUNT_GROUPS],
            },
            userAgent: 'kube-controller-manager',
          });
  }

  #environment(
    host: ControllerHost,
    registry: ResourceRegistry,
    given: readonly AuthenticatorFactory[],
    roles: boolean,
  ): RequestEnvironment {
    const options = this.#options;
    const gates = featureGates(options.featureGates);
    const onSecretUse = (namespace: string, secret: string) => {
      for (const told of this.#secretTokenUses) told(namespace, secret);
    };
    // The server always knows its own tokens, and the certificates it has made itself.
    const authentication = [
      ...given,
      this.#issued.authenticator,
      serviceAccountTokens({ ...this.#accountTokens, onSecretUse }),
    ];
    const { clock, random, dialect, authorizer } = host;
    return {
      dialect,
      clock,
      random,
      host,
      registry,
      authenticator: requestAuthenticator(
        authentication.map((make) => make(host)),
        host,
        {
          apiAudiences: this.#accountTokens.apiAudiences,
          groupSuffix: dialect.groupSuffix,
        },
      ),
      authorizer,
      accountTokens: this.#accountTokens,
      discovery: new DiscoveryDocuments(registry),
      openApi: new OpenApiDocuments(registry),
      health: serverHealth({
        running: () => this.#running !== undefined,
        closing: () => this.#closing !== undefined,
        ...(roles ? { [DEFAULT_ROLES_CHECK]: () => this.#rolesReady } : {}),
      }),
      version: versionDocument(VERSION),
      gates: { watchList: gates.WatchList },
      inFlight: new InFlight(
        options.maxRequestsInFlight ?? READING_IN_FLIGHT,
        options.maxMutatingRequestsInFlight ?? MUTATING_IN_FLIGHT,
      ),
      requestTimeout: options.requestTimeout ?? MINUTE,
      bodyLimit: options.bodyLimit ?? BODY_LIMIT,
    };
  }

  async #close(): Promise<void> {
    await this.#starting?.catch(() => {});
    const running = this.#running;
    if (!running) return;
    this.emit('closing');
    running.controllers.close();
    running.listers.close();
    await running.storage.close();
    this.emit('closed');
  }
}

function missing(what: string): never {
  throw new TypeError(`the ${what} is not made yet`);
}
