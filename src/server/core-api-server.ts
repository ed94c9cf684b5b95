import { EventEmitter } from 'eventemitter3';
import type { ApiServerOptions } from '../api-server-options.js';
import type { Client } from '../client/client.js';
import { requestFrom, responseFrom } from '../client/fetch.js';
import { type CustomResourceManifest, installKinds, type UninstallOptions, uninstallKinds } from '../client/install.js';
import type { Dialect } from '../meta/dialect.js';
import { parseGroupVersion } from '../meta/group-version.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';
import { type Metrics, noMetrics } from '../metrics/metrics.js';
import type { Services } from '../outbound/service-targets.js';
import type { KeyPair } from '../pki/certificate-authority.js';
import { type DeclaredObject, prepareDefinitions, type ResourceDefinition } from '../registry/resource-definition.js';
import type { ApiRequest, ApiResponse, CallerOptions } from '../requests/api-request.js';
import type { RequestEnvironment } from '../requests/environment.js';
import type { Interceptor } from '../requests/interception.js';
import { answer } from '../requests/serve.js';
import { assemble } from './assemble.js';
import { checkUser, inProcessClient } from './clients.js';
import type { ServerDefaults } from './defaults.js';
import { answered, passed } from './drain.js';
import { type DecisionQuestion, type Explanation, explainDecision } from './explain-decision.js';
import type { Loading } from './loading.js';
import { openStorage } from './open-storage.js';
import { closeParts, type ResolvedOptions, type ServerParts } from './parts.js';
import { resolveOptions } from './resolve-options.js';
import { saveState } from './saved-state.js';
import { startControllers } from './starting/start-controllers.js';

/** The events in a server's life that listeners can follow. */
export type ApiServerEvent = 'started' | 'closing' | 'closed';

/** A kind, or the manifest of a custom resource definition. */
export type Installable = ResourceDefinition | CustomResourceManifest;

const CLOSED = 'the server is closed: make a new one';
const SHUTDOWN_GRACE = 10_000;

/** The module is loaded on demand, because most servers start empty. */
const importLoading = () => import('./loading.js');

/**
 * A server without built-in kinds, controllers and admission plug-ins. It has only those that it is given, so that a bundle contains no
 * others. For everything else see {@link ApiServer}, which is this class with the defaults.
 */
export class CoreApiServer implements AsyncDisposable {
  readonly dialect: Dialect;
  /** Handlers of the services that webhooks, conversion webhooks, APIServices and the `proxy` of Services name, by `namespace/name`. */
  readonly services: Services;
  readonly #resolved: ResolvedOptions;
  readonly #events = new EventEmitter<ApiServerEvent>();
  readonly #loads: Loading[] = [];
  #running: ServerParts | undefined;
  #starting: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param defaults the default lists of plug-ins; empty by default. Without the default controllers the system's namespaces are missing,
   * and without `roles` the default roles.
   * @throws TypeError for an option that does not exist, has a value out of range, or names something unknown.
   */
  constructor(options: ApiServerOptions, defaults: ServerDefaults = {}) {
    this.#resolved = resolveOptions(options, defaults);
    this.dialect = this.#resolved.dialect;
    this.services = this.#resolved.services;
  }

  /**
   * Opens the storage, makes the system's namespaces and starts the controllers. Later calls return the promise of the first. A start that
   * fails closes the storage again, and later calls reject with the same failure.
   * @throws TypeError for plug-ins that contradict each other, and after {@link close}; SyntaxError for an invalid pattern in a kind.
   */
  start(): Promise<void> {
    if (this.#closing) return Promise.reject(new TypeError(CLOSED));
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Answers one request; failures become answers, too.
   * @param options.user the user of the request, if the caller knows it: credentials in the request are then ignored.
   */
  async handle(request: ApiRequest, { user }: CallerOptions = {}): Promise<ApiResponse> {
    return await answer(this.#environment, request, checkUser(user));
  }

  /**
   * Answers a WHATWG request without a network connection.
   * @param options.user the user of the request. Default: the user of the credentials in its headers; as there is no client certificate, a
   * caller without a token is anonymous.
   */
  async fetch(request: Request, options: CallerOptions = {}): Promise<Response> {
    return responseFrom(await this.handle(requestFrom(request), options));
  }

  /**
   * Makes a typed client that acts as a user, authorized like any other caller. Default: a member of `system:masters`.
   * @param options.userAgent the field manager of what it writes; default `client`.
   */
  client({ user, userAgent = 'client' }: { readonly user?: UserInfo; readonly userAgent?: string } = {}): Client {
    const caller = checkUser(user);
    return inProcessClient(this, () => this.#environment, { userAgent, ...(caller ? { user: caller } : {}) });
  }

  /**
   * Stores objects; resolves with their number. Plain objects are written like any request: created, or replaced if they exist. Objects
   * with a uid, a version and a creation time come from a server's storage and are restored as they were: uid, owners, times,
   * managedFields, and a deletion in progress. Before the start, their versions are restored as well: `start()` begins with that state and
   * reports what is wrong with an object. A running server assigns versions itself.
   * @param source objects, or YAML or JSON text with any number of documents.
   * @throws TypeError for a value that is not an object or whose kind is not served; ApiError if an object is refused. The objects before
   * it stay stored.
   */
  async load(source: string | readonly object[]): Promise<number> {
    if (this.#closing) throw new TypeError(CLOSED);
    const { load, readLoading } = await importLoading();
    const loading = await readLoading(source);
    if (this.#starting) {
      await this.#starting;
      await load(this.#parts, loading);
    } else this.#loads.push(loading);
    return loading.stored.length + loading.fresh.length;
  }

  /**
   * Returns all stored objects for {@link load}, as YAML documents in JSON syntax. Objects that the server made by itself at its start are
   * left out, unless they were changed or a saved object refers to their uid.
   */
  async save(): Promise<string> {
    const { storage, environment, own } = this.#parts;
    return saveState(storage, environment.registry.current.stored(), own);
  }

  /**
   * Adds kinds to the running server, whatever `runtimeConfig` says: they are served to requests that arrive later, and appear in discovery
   * and OpenAPI. Manifests of custom resource definitions are stored as if applied; the promise resolves when they are served.
   * @throws TypeError if two definitions claim the same names, SyntaxError for an invalid pattern in a schema; nothing is installed then.
   * @throws ApiError for a manifest that is refused; those before it stay installed.
   */
  async install(kinds: Installable | readonly Installable[]): Promise<void> {
    const all = Array.isArray(kinds) ? (kinds as readonly Installable[]) : [kinds as Installable];
    const isDefinition = (kind: Installable): kind is ResourceDefinition => 'plural' in kind;
    await installKinds(this.#environment.registry, all.filter(isDefinition));
    const manifests = all.filter((kind): kind is CustomResourceManifest => !isDefinition(kind));
    if (manifests.length === 0) return;
    // The module is loaded on demand so that a bundle with only some kinds does not contain the kind CustomResourceDefinition.
    const { installCustomResources } = await import('../client/install-custom-resources.js');
    await installCustomResources(this.client(), manifests, () => this.settle());
  }

  /**
   * Returns the definition of a kind that is served at this moment, for use with a client: `server.kind<Widget>('example.com/v1',
   * 'Widget')`.
   * @throws TypeError for a kind that is not served.
   */
  kind<T extends ApiObject = DeclaredObject>(apiVersion: string, kind: string): ResourceDefinition<T> {
    const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
    const found = this.#environment.registry.current.findKind(group, version, kind);
    if (!found) throw new TypeError(`no kind ${kind} in ${apiVersion} is served`);
    return found.resource.definition as unknown as ResourceDefinition<T>; // the caller vouches for the type of the objects
  }

  /**
   * Stops serving kinds: their watches end. Their objects stay stored unless `deleteObjects` is set.
   * @throws TypeError for a definition that is not installed, or if finalizers keep objects of it; nothing is uninstalled then.
   */
  uninstall(
    definitions: ResourceDefinition | readonly ResourceDefinition[],
    options: UninstallOptions = {},
  ): Promise<void> {
    return uninstallKinds(this.#environment.registry, this.client(), definitions, options);
  }

  /** Runs the controllers until they have no more work. */
  settle(): Promise<void> {
    return this.#parts.controllers.settle();
  }

  /**
   * Explains the authorization of a request: which authorizer decides, and for roles the binding and the rule. For a refusal: what each
   * authorizer considered, and what came nearest to allowing it.
   * @param question the attributes of the request; absent members are ''. With a `resource` the request is about that, else about the
   * `path`.
   */
  async explainDecision(user: UserInfo, question: DecisionQuestion): Promise<Explanation> {
    return await explainDecision(this.#parts.authorizers, user, question);
  }

  /** The metrics of the server, which its listeners share. Without the option `metrics` nothing is recorded. */
  get metrics(): Metrics {
    return this.#resolved.metrics?.all ?? noMetrics;
  }

  /**
   * Returns the server's own authority, made at the first call. Client certificates that it issued are trusted unless the option
   * `authentication` excludes them.
   */
  certificateAuthority(): Promise<KeyPair> {
    return this.#resolved.ownAuthority.keyPair();
  }

  /**
   * Issues a client certificate of the server's own authority, valid for a year. This server accepts it until then, whatever the option
   * `authentication` says.
   * @throws TypeError for a name that a certificate cannot contain.
   */
  issueClientCertificate(user: Pick<UserInfo, 'username' | 'groups'>): Promise<KeyPair> {
    return this.#resolved.ownAuthority.issueClientCertificate(user);
  }

  /**
   * Lets an interceptor hold, refuse and change requests, of clients in process as well, from this moment on. The faults of a test are one:
   * `injectFaults` of `orch-apiserver/testing`.
   * @returns removes the interceptor.
   * @throws TypeError if the server has an interceptor already.
   */
  intercept(interceptor: Interceptor): () => void {
    const { interception } = this.#resolved;
    if (interception.interceptor) throw new TypeError('the server has an interceptor already: remove that one first');
    interception.interceptor = interceptor;
    return () => {
      if (interception.interceptor === interceptor) interception.interceptor = undefined;
    };
  }

  /** Calls a listener at every such event, until {@link off}. */
  on(event: ApiServerEvent, listener: () => void): this {
    this.#events.on(event, listener);
    return this;
  }
  /** Calls a listener at the next such event. */
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
   * Begins the shutdown: /readyz fails from this moment on, and everything else is still answered. Resolves after `shutdown.delay`. With
   * `shutdown.sendRetryAfter`, requests that arrive after that are answered with 429, and the promise resolves when those in flight are
   * answered. Await it before closing a listener; {@link close} includes it.
   */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  /**
   * Shuts down: does what {@link drain} does, refuses further requests, waits for those in flight (at most `shutdown.grace`), ends watches
   * and controllers and closes the storage. Later calls of the server fail with a TypeError.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #parts(): ServerParts {
    if (this.#running) return this.#running;
    throw new TypeError(this.#closing ? CLOSED : 'the server has not been started: await server.start() first');
  }
  get #environment(): RequestEnvironment {
    return this.#parts.environment;
  }

  async #start(): Promise<void> {
    const kinds = this.#resolved.served;
    await prepareDefinitions(kinds);
    const loads = this.#loads.splice(0);
    const loading =
      loads.length > 0 ? await (await importLoading()).beginLoading(this.#resolved, kinds, loads) : undefined;
    const storage = await openStorage(this.#resolved, loading?.initial);
    try {
      this.#running = await assemble(this.#resolved, storage);
      await startControllers(this.#running);
      await loading?.finish(this.#running);
    } catch (error) {
      const { log = () => {} } = this.#resolved.options;
      await (this.#running ? closeParts(this.#running) : storage.close()).catch((problem: unknown) =>
        log(`the storage could not be closed: ${String(problem)}`),
      );
      this.#running = undefined;
      throw error;
    }
    this.#events.emit('started');
  }

  async #drain(): Promise<void> {
    const { progress, options } = this.#resolved;
    progress.closing = true;
    await this.#starting?.catch(() => {});
    if (!this.#running) return;
    this.#events.emit('closing');
    const { host, shutdown } = this.#running.environment;
    await passed(host.clock, options.shutdown?.delay ?? 0);
    if (options.shutdown?.sendRetryAfter !== true) return;
    shutdown.stage = 'retry';
    await answered(shutdown, host.clock, options.shutdown?.grace ?? SHUTDOWN_GRACE);
  }

  async #close(): Promise<void> {
    await this.drain();
    if (!this.#running) return;
    const { controllers, environment } = this.#running;
    const { host, shutdown } = environment;
    controllers.close();
    if (shutdown.stage === 'serving') shutdown.stage = 'unavailable';
    await answered(shutdown, host.clock, this.#resolved.options.shutdown?.grace ?? SHUTDOWN_GRACE);
    await closeParts(this.#running);
    this.#running = undefined;
    this.#events.emit('closed');
  }
}
