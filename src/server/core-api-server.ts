import { EventEmitter } from 'eventemitter3';
import type { ApiServerOptions } from '../api-server-options.js';
import type { Client } from '../client/client.js';
import { requestFrom, responseFrom } from '../client/fetch.js';
import { type Installable, installKinds, type UninstallOptions, uninstallKinds } from '../client/install.js';
import type { LoadSource } from '../client/load.js';
import { type ControllerScheduler, scheduleControllers } from '../controllers/controller-scheduler.js';
import { type Clock, systemClock } from '../meta/clock.js';
import type { Dialect } from '../meta/dialect.js';
import { parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import { systemRandom } from '../meta/random.js';
import type { UserInfo } from '../meta/user-info.js';
import { type Metrics, noMetrics } from '../metrics/metrics.js';
import type { Services } from '../outbound/service-targets.js';
import type { KeyPair } from '../pki/certificate-authority.js';
import { type DeclaredObject, prepareDefinitions, type ResourceDefinition } from '../registry/resource-definition.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../requests/api-request.js';
import type { RequestEnvironment } from '../requests/environment.js';
import { addInterceptor, CLOSED, type Interceptor, setObserver } from '../requests/interception.js';
import type { ServerObserver } from '../requests/request-observer.js';
import { answer } from '../requests/serve.js';
import { assemble } from './assemble.js';
import { checkUser, clientOptions, inProcessClient, type Reach } from './clients.js';
import type { ServerDefaults } from './defaults.js';
import { type DecisionQuestion, type Explanation, explainDecision } from './explain-decision.js';
import type { Loading } from './loading.js';
import { openStorage } from './open-storage.js';
import { closeFailed, drainClients, finish, type ResolvedOptions, replaceParts, type ServerParts } from './parts.js';
import { isBusy, Pending } from './pending.js';
import { resolveOptions, restartedFrom } from './resolve-options.js';
import { saveState } from './saved-state.js';
import { type Fork, type ForkOptions, forkOf, type Origin, ServerSnapshot, takeSnapshot } from './server-snapshot.js';
import type { SettleOptions } from './settle.js';
import { startControllers } from './starting/start-controllers.js';

/** The lifecycle events of a server. */
export type ApiServerEvent = 'started' | 'closing' | 'closed';

/**
 * A server whose built-in kinds, controllers and admission plug-ins are only those in its options, so that a bundle contains no others.
 * {@link ApiServer} is this class with the default ones.
 */
export class CoreApiServer implements AsyncDisposable {
  /** The names and the behavior of the API that the server serves. */
  readonly dialect: Dialect;
  /** The targets of Services that webhooks, conversion webhooks, APIServices and the `proxy` subresource refer to, by `namespace/name`. */
  readonly services: Services;
  #resolved: ResolvedOptions;
  readonly #events = new EventEmitter<ApiServerEvent>();
  readonly #loads: Loading[] = [];
  /** The state from which a forked or restored server continues when it is next used. */
  #origin: Origin | undefined;
  #running: ServerParts | undefined;
  #starting: Promise<void> | undefined;
  /** Resolves when the parts that were replaced by a restore are closed. */
  #replaced: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param defaults the plug-ins for absent options; default: none. Without the default controllers and `roles`, a server does not create
   * the system's namespaces and the default roles.
   * @param fork only for {@link fork} itself.
   * @throws TypeError for an unknown option, a value out of range, and the name of an unknown controller, feature gate or API version.
   */
  constructor(options: ApiServerOptions, defaults: ServerDefaults = {}, fork?: Fork) {
    this.#resolved = fork?.resolved ?? resolveOptions(options, defaults);
    this.#origin = fork?.origin;
    this.dialect = this.#resolved.dialect;
    this.services = this.#resolved.services;
  }

  /**
   * Opens the storage, creates the system's namespaces and starts the controllers. Later calls return the promise of the first call. If the
   * start fails, the storage is closed again, and later calls reject with the same error.
   * @throws TypeError for plug-ins that contradict each other, and after {@link close}; SyntaxError for an invalid pattern in a kind.
   */
  start(): Promise<void> {
    if (this.#closing) return Promise.reject(new TypeError(CLOSED));
    return (this.#starting ??= this.#start());
  }

  /**
   * Answers one request. Failures are returned as error responses.
   * @param options.user the user of the request, if the caller knows it. Credentials in the request are then ignored.
   */
  async handle(request: ApiRequest, { user }: CallerOptions = {}): Promise<ApiResponse> {
    if (user !== undefined) checkUser(user);
    const environment = this.#ready();
    return await answer(environment instanceof Promise ? await environment : environment, request, user);
  }

  /**
   * Answers a WHATWG `Request` without a network connection.
   * @param options.user the user of the request. Default: the user of the token in its headers, or anonymous without a token.
   */
  async fetch(request: Request, options: CallerOptions = {}): Promise<Response> {
    return responseFrom(await this.handle(requestFrom(request), options), request);
  }

  /**
   * Creates a typed client that acts as a user and is authorized like any other client. Default: a member of `system:masters`.
   * @param options.userAgent the user agent and field manager of its writes; default `client`.
   * @throws TypeError for an option that does not exist, for a user without a name, and for a member `user` that is undefined.
   */
  client(options: { readonly user?: UserInfo; readonly userAgent?: string } = {}): Client {
    const { dialect, clock } = this;
    const random = this.#resolved.options.random ?? systemRandom;
    const onChange: Reach['onChange'] = (callback) => this.#parts.environment.registry.onChange(callback);
    const reach = { dialect, clock, random, environment: () => this.#ready(), served: () => this.#served, onChange };
    return inProcessClient(reach, clientOptions(options));
  }

  /**
   * Stores objects, and resolves with their number. Plain manifests are written by requests: created, or replaced if they exist. Objects
   * with a uid, a resourceVersion and a creationTimestamp come from a server's storage and are restored with their uid, owners, times,
   * managedFields, and a deletion in progress. Before the start, their resourceVersions are kept as well, and `start()` reports invalid
   * objects. A running server assigns new resourceVersions.
   * @param source objects, YAML or JSON text, or files: `manifests('folder')` of `orch-apiserver/testing/servers`.
   * @throws TypeError for a value that is not an object or whose kind is not served; ApiError if one is refused. Earlier objects stay
   * stored.
   */
  async load(source: LoadSource): Promise<number> {
    if (this.#closing) throw new TypeError(CLOSED);
    const { load, readLoading } = await import('./loading.js');
    const loading = await readLoading(source);
    if (this.#starting || this.#origin) {
      await this.start();
      await load(this.#parts, loading);
    } else this.#loads.push(loading);
    return loading.stored.length + loading.fresh.length;
  }

  /**
   * Returns all stored objects for {@link load}, as YAML documents in JSON syntax. Objects that the server created by itself at its start
   * are omitted, unless they were changed or a saved object contains their uid.
   */
  async save(): Promise<string> {
    await this.#ready();
    const { storage, environment, own } = this.#parts;
    return saveState(storage, environment.registry.current.stored(), own);
  }

  /**
   * Adds kinds to the running server, regardless of `runtimeConfig`. They are served to later requests, and appear in discovery and
   * OpenAPI. CustomResourceDefinition manifests are applied; the promise resolves when their kinds are served.
   * @throws TypeError for a value that is not an object, and if two definitions claim the same names; SyntaxError for an invalid pattern.
   * Nothing is installed then.
   * @throws ApiError for a manifest that is refused; the manifests before it stay installed.
   */
  async install(kinds: Installable | readonly Installable[]): Promise<void> {
    const { definitions, manifests } = await installKinds((await this.#ready()).registry, kinds);
    this.#resolved = { ...this.#resolved, served: [...new Set([...this.#resolved.served, ...definitions])] };
    if (manifests.length === 0) return;
    // The module is loaded on demand so that a bundle with only some kinds does not contain the kind CustomResourceDefinition.
    const { installCustomResources } = await import('../client/install-custom-resources.js');
    await installCustomResources(this.client(), manifests, () => this.settle());
  }

  /**
   * Returns the definition of a served kind, for use with a client: `server.kind<Widget>('example.com/v1', 'Widget')`.
   * @throws TypeError for a kind that is not served at this moment.
   */
  kind<T extends ApiObject = DeclaredObject>(apiVersion: string, kind: string): ResourceDefinition<T> {
    const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
    const found = this.#served.findKind(group, version, kind);
    if (!found) throw new TypeError(`no kind ${kind} in ${apiVersion} is served`);
    return found.resource.definition as unknown as ResourceDefinition<T>; // The caller is responsible for the type.
  }

  /**
   * Stops serving kinds: their watches end. Their objects stay stored unless `deleteObjects` is set.
   * @throws TypeError for a definition that is not installed, or if finalizers keep objects of the kind; nothing is uninstalled then.
   */
  async uninstall(
    definitions: ResourceDefinition | readonly ResourceDefinition[],
    options: UninstallOptions = {},
  ): Promise<void> {
    await uninstallKinds((await this.#ready()).registry, this.client(), definitions, options);
    const gone = new Set([definitions].flat());
    this.#resolved = { ...this.#resolved, served: this.#resolved.served.filter((kind) => !gone.has(kind)) };
  }

  /**
   * Runs the controllers until they have no more work. Without options, retries wait for the clock, and failures are not reported.
   * @throws TypeError for a wrong option; with options, NotSettledError if a controller never ends or keeps failing, or at the timeout.
   */
  async settle(options?: SettleOptions): Promise<void> {
    await this.#ready();
    if (options !== undefined) await (await import('./settle.js')).settleWith(this.#parts, options);
    else await this.#parts.controllers.settle();
  }

  /** Returns the work that is pending at this moment: keys of controllers, open requests, watches with unread events, and timers. */
  pending(): Pending {
    return new Pending(this.#isUnused ? undefined : this.#parts, this.clock);
  }

  /** Whether a controller's key is queued or running, a request has no response, or a watch has unread events. See {@link pending}. */
  get isBusy(): boolean {
    return !this.#isUnused && isBusy(this.#parts);
  }

  /** The server's clock: the option `clock`, or else the machine's. */
  get clock(): Clock {
    return this.#resolved.options.clock ?? systemClock;
  }

  /**
   * Returns an immutable snapshot of the server's state and history. Its cost does not depend on the number of objects.
   * @param revision the resourceVersion of a list, within the history. Default: the newest.
   * @throws TypeError if the storage cannot be forked (those of this package can); StoreError if the history does not contain the revision.
   */
  snapshot(revision?: number): ServerSnapshot {
    if (this.#origin && !this.#running && !this.#closing) return ServerSnapshot.of(this.#origin, this.clock, revision);
    return takeSnapshot(this.#parts, this.#resolved.served, revision);
  }

  /**
   * Returns an independent server that continues from this moment, with its storage in memory: the same objects, resourceVersions, uids,
   * history, keys and services. The cost does not depend on the number of objects, because both servers share them until one changes them.
   * It needs no `start()`: it starts when it is first used. Open watches, metrics and audit stay with this server. Close the fork, too.
   * @throws TypeError as {@link snapshot} does, and for an option that does not exist or has a wrong type.
   */
  fork(options: ForkOptions = {}): CoreApiServer {
    const fork = forkOf(this.#resolved, this.snapshot(), options);
    return new CoreApiServer(fork.resolved.options, fork.resolved.defaults, fork);
  }

  /**
   * Takes the server back to a snapshot, possibly one of another server with the same options. Watches end with 410, so that clients list
   * again. Writes in progress fail, and requests that arrive meanwhile wait. The clock is not reset. ResourceVersions go back as well, so
   * objects that clients cached after the snapshot are wrong. Like a fork, the server starts again when it is next used.
   * @throws TypeError for a value that is not a snapshot, and for a server that is not started, is closing, or whose storage is durable.
   */
  async restore(snapshot: ServerSnapshot): Promise<void> {
    while (this.#starting && !this.#resolved.progress.started) await this.#starting; // A start in progress completes first.
    if (this.#draining) throw new TypeError(CLOSED);
    const parts = this.#isUnused ? undefined : this.#parts;
    if (parts && !parts.storage.isVolatile)
      throw new TypeError('only a server with its storage in memory can be restored');
    this.#origin = ServerSnapshot.originOf(snapshot);
    this.#resolved = restartedFrom(this.#origin, this.#resolved);
    this.#running = undefined;
    this.#starting = undefined;
    if (parts) this.#replaced = replaceParts(parts, snapshot.revision);
    await this.#replaced;
  }

  /** Takes the server back to an earlier revision, as {@link restore} does. @throws StoreError for one that the history does not hold. */
  async rewind(revision: number): Promise<void> {
    await this.restore(this.snapshot(revision));
  }

  /**
   * Explains the authorization of a request: the authorizer that decides, and for RBAC the binding and the rule. For a refusal, it reports
   * what each authorizer considered, and which rule came closest to allowing the request.
   * @param question the attributes of the request; absent members are ''. Without a `resource`, it is a request for `path`.
   */
  async explainDecision(user: UserInfo, question: DecisionQuestion): Promise<Explanation> {
    await this.#ready();
    return await explainDecision(this.#parts.authorizers, user, question);
  }

  /** The metrics of the server and of its listeners. Without the option `metrics` nothing is recorded. */
  get metrics(): Metrics {
    return this.#resolved.metrics?.all ?? noMetrics;
  }

  /**
   * Returns the server's own certificate authority, which is created at the first call. The server trusts client certificates of this
   * authority, unless the option `authentication` excludes them.
   */
  certificateAuthority(): Promise<KeyPair> {
    return this.#resolved.ownAuthority.keyPair();
  }

  /**
   * Issues a client certificate of the server's own authority. This server accepts it for a year, whatever its option `authentication`.
   * @throws TypeError for a user without a name, and for a name that a certificate cannot contain.
   */
  issueClientCertificate(user: Pick<UserInfo, 'username' | 'groups'>): Promise<KeyPair> {
    return this.#resolved.ownAuthority.issueClientCertificate(user);
  }

  /** Adds an interceptor, which can hold, refuse and change requests, after the previous ones. @returns a function that removes it. */
  intercept(interceptor: Interceptor): () => void {
    return addInterceptor(this.#resolved, interceptor);
  }

  /** Sets an observer of requests, such as a test's log. @returns a function that removes it. @throws TypeError if there is one already. */
  observe(observer: ServerObserver): () => void {
    return setObserver(this.#resolved, observer);
  }

  /** Sets a scheduler, which decides when controllers work and what their caches contain. @throws TypeError if there is one already. */
  schedule(scheduler: ControllerScheduler) {
    return scheduleControllers(this.#resolved, scheduler, () => this.#running);
  }

  /** Calls a listener each time an event occurs, until {@link off}. */
  on(event: ApiServerEvent, listener: () => void): this {
    this.#events.on(event, listener);
    return this;
  }
  /** Calls a listener once, when an event next occurs. */
  once(event: ApiServerEvent, listener: () => void): this {
    this.#events.once(event, listener);
    return this;
  }
  /** Removes a listener that was added with {@link on} or {@link once}. */
  off(event: ApiServerEvent, listener: () => void): this {
    this.#events.off(event, listener);
    return this;
  }

  /**
   * Begins the shutdown: /readyz fails from this moment on, and all other requests are still answered. Resolves after `shutdown.delay`.
   * With `shutdown.sendRetryAfter`, requests that arrive after that get a 429, and the promise resolves when the requests in flight are
   * answered. Call it before closing a listener; {@link close} includes it.
   */
  drain(): Promise<void> {
    return (this.#draining ??= this.#drain());
  }

  /**
   * Shuts down: calls {@link drain}, refuses further requests, waits for those in flight (at most `shutdown.grace`), ends watches and
   * controllers and closes the storage. Later calls of the server fail with a TypeError.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #parts(): ServerParts {
    if (this.#running) return this.#running;
    throw new TypeError(this.#closing ? CLOSED : 'the server has not been started: await server.start() first');
  }
  /** Whether the server is a fork or was restored, and has not been used since. */
  get #isUnused(): boolean {
    return this.#origin !== undefined && !this.#running && !this.#starting && !this.#closing;
  }
  /** Returns the environment of requests. A fork creates it at its first request. During a restore, requests wait for it. */
  #ready(): RequestEnvironment | Promise<RequestEnvironment> {
    if (!this.#origin || this.#resolved.progress.started || this.#closing) return this.#parts.environment;
    return this.start().then(() => this.#ready());
  }
  /** The kinds that are served. For a fork, they are known before its first use. */
  get #served(): RegistrySnapshot {
    return this.#running || !this.#origin ? this.#parts.environment.registry.current : this.#origin.served;
  }

  async #start(): Promise<void> {
    await this.#replaced;
    const kinds = this.#resolved.served;
    await prepareDefinitions(kinds);
    const loads = this.#loads.splice(0);
    // The module is loaded on demand, because most servers start without initial objects.
    const loading =
      loads.length === 0 ? undefined : await (await import('./loading.js')).beginLoading(this.#resolved, kinds, loads);
    const storage = await openStorage(this.#resolved, loading?.initial, this.#origin?.state);
    try {
      this.#running = await assemble(this.#resolved, storage, this.#origin !== undefined);
      await startControllers(this.#running, this.#origin?.own);
      await loading?.finish(this.#running);
    } catch (error) {
      await closeFailed(this.#running, storage, this.#resolved.options.log);
      this.#running = undefined;
      throw error;
    }
    this.#events.emit('started');
  }

  async #drain(): Promise<void> {
    this.#resolved.progress.closing = true;
    // A restored server is started even if it has not been used since, so that its events are emitted and its audit is closed.
    if (this.#replaced) await this.start().catch(() => {});
    await this.#starting?.catch(() => {});
    if (!this.#running) return;
    this.#events.emit('closing');
    await drainClients(this.#running);
  }

  async #close(): Promise<void> {
    await this.drain();
    if (!this.#running) return;
    await finish(this.#running);
    this.#running = undefined;
    this.#events.emit('closed');
  }
}
