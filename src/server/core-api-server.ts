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
import { answer } from '../requests/first-request.js';
import { assemble } from './assemble.js';
import { checkUser, inProcessClient } from './clients.js';
import type { ServerDefaults } from './defaults.js';
import { answered, passed } from './drain.js';
import { type DecisionQuestion, type Explanation, explainDecision } from './explain-decision.js';
import { readOptions } from './given.js';
import type { Loading } from './loading.js';
import { openStorage } from './open-storage.js';
import { closeParts, type Given, type ServerParts } from './parts.js';
import { saveState } from './saved-state.js';
import { startControllers } from './starting/start-controllers.js';
import { loadStoredKinds } from './starting/stored-kinds.js';

/** What can be followed of a server's life. */
export type ApiServerEvent = 'started' | 'closing' | 'closed';

/** A kind, or the manifest of a custom resource definition. */
export type Installable = ResourceDefinition | CustomResourceManifest;

const CLOSED = 'the server is closed: make a new one';
const SHUTDOWN_GRACE = 10_000;

/** Most servers begin with nothing. */
const loadLoading = () => import('./loading.js');

/**
 * A server without built-in kinds, controllers and admission plug-ins: it has those it is given, so that a bundle holds no
 * others. For everything else see {@link ApiServer}, which is this one with the defaults.
 */
export class CoreApiServer implements AsyncDisposable {
  readonly dialect: Dialect;
  /** What answers for the services that webhooks, conversion webhooks, APIServices and the `proxy` of Services name, by `namespace/name`. */
  readonly services: Services;
  readonly #given: Given;
  readonly #events = new EventEmitter<ApiServerEvent>();
  readonly #loads: Loading[] = [];
  #running: ServerParts | undefined;
  #starting: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param defaults what the lists of plug-ins in the options are, or are functions of; nothing by default. Without the
   * controllers there are no system's namespaces, without `makeRoles` no default roles.
   * @throws TypeError for an option that does not exist, has a value it cannot have, or names what is not there.
   */
  constructor(options: ApiServerOptions, defaults: ServerDefaults = {}) {
    this.#given = readOptions(options, defaults);
    this.dialect = this.#given.dialect;
    this.services = this.#given.services;
  }

  /**
   * Opens the storage, makes the system's namespaces and starts the controllers. A start that fails closes the storage again;
   * later calls give the same failure. Calls after the first give the same promise.
   * @throws TypeError for plug-ins that contradict each other, SyntaxError for a pattern of a kind, and after {@link close}.
   */
  start(): Promise<void> {
    if (this.#closing) return Promise.reject(new TypeError(CLOSED));
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Answers one request; failures are answers, too.
   * @param options.user whose request it is, where the caller knows: credentials in the request are not looked at.
   */
  async handle(request: ApiRequest, { user }: CallerOptions = {}): Promise<ApiResponse> {
    return await answer(this.#environment, request, checkUser(user));
  }

  /**
   * Answers a WHATWG request, with no port in between.
   * @param options.user whose request it is. Default: the user that the credentials in its headers name; there is no client certificate, so
   * that a caller without a token is anonymous.
   */
  async fetch(request: Request, options: CallerOptions = {}): Promise<Response> {
    return responseFrom(await this.handle(requestFrom(request), options));
  }

  /**
   * A typed client that acts as a user, authorized like any other caller. Default: a member of `system:masters`.
   * @param options.userAgent names the owner of the fields it writes; default `client`.
   */
  client({ user, userAgent = 'client' }: { readonly user?: UserInfo; readonly userAgent?: string } = {}): Client {
    const caller = checkUser(user);
    return inProcessClient(this, () => this.#environment, { userAgent, ...(caller ? { user: caller } : {}) });
  }

  /**
   * Stores objects; resolves with their number. Plain ones go through the whole flow: new ones are made, those that exist are
   * replaced. Those that have a uid, a version and a creation time were stored by a server before and come back as they were:
   * uid, owners, times, owners of fields, deletion under way. Before the start, versions, too: `start()` begins with that state
   * (and reports what is wrong with an object); a running server gives new versions.
   * @param source objects, or YAML or JSON text with any number of documents.
   * @throws TypeError for what is not an object or of no served kind; ApiError when one is refused. What came before stays.
   */
  async load(source: string | readonly object[]): Promise<number> {
    if (this.#closing) throw new TypeError(CLOSED);
    const { load, readLoading } = await loadLoading();
    const loading = await readLoading(source);
    if (this.#starting) {
      await this.#starting;
      await load(this.#parts, loading);
    } else this.#loads.push(loading);
    return loading.stored.length + loading.fresh.length;
  }

  /**
   * All objects as they are stored, for {@link load}: YAML documents, each of them JSON. What the server made by itself at its
   * start is left out, unless it was changed since or an object that is saved names its uid.
   */
  async save(): Promise<string> {
    const { storage, environment, own } = this.#parts;
    return saveState(storage, environment.registry.current.stored(), own);
  }

  /**
   * Serves more kinds from now on, whatever `runtimeConfig` says: to requests that open later, in discovery and OpenAPI.
   * Manifests of custom resource definitions are stored as if they had been applied; this resolves when they are served.
   * @throws TypeError when two definitions claim the same names, SyntaxError for a schema's bad pattern: nothing is installed.
   * @throws ApiError for a manifest that is refused; those before it stay.
   */
  async install(kinds: Installable | readonly Installable[]): Promise<void> {
    const all = Array.isArray(kinds) ? (kinds as readonly Installable[]) : [kinds as Installable];
    const isDefinition = (kind: Installable): kind is ResourceDefinition => 'plural' in kind;
    await installKinds(this.#environment.registry, all.filter(isDefinition));
    const manifests = all.filter((kind): kind is CustomResourceManifest => !isDefinition(kind));
    if (manifests.length === 0) return;
    // Most servers are given kinds: a bundle of some has no other one in it.
    const { installCustomResources } = await import('../client/install-custom-resources.js');
    await installCustomResources(this.client(), manifests, () => this.settle());
  }

  /**
   * The definition of a kind that is served at this moment, to use with a client: `server.kind<Widget>('example.com/v1', 'Widget')`.
   * @throws TypeError for one that is not served.
   */
  kind<T extends ApiObject = DeclaredObject>(apiVersion: string, kind: string): ResourceDefinition<T> {
    const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
    const found = this.#environment.registry.current.findKind(group, version, kind);
    if (!found) throw new TypeError(`no kind ${kind} in ${apiVersion} is served`);
    return found.resource.definition as unknown as ResourceDefinition<T>; // whoever names it knows its objects
  }

  /**
   * Serves kinds no longer: their watches end. Their objects stay stored unless `deleteObjects` is given.
   * @throws TypeError for a definition that is not installed, or whose objects finalizers hold: nothing is uninstalled then.
   */
  uninstall(
    definitions: ResourceDefinition | readonly ResourceDefinition[],
    options: UninstallOptions = {},
  ): Promise<void> {
    return uninstallKinds(this.#environment.registry, this.client(), definitions, options);
  }

  /** Runs the controllers until nothing is left to do. */
  settle(): Promise<void> {
    return this.#parts.controllers.settle();
  }

  /**
   * Who decides about a request of a user, and by what: the authorizer, and for roles the binding and the rule. For a refusal:
   * what each authorizer looked at, and what came nearest to allowing it.
   * @param question what is asked for; absent members are ''. With a `resource` it is about that, else about the `path`.
   */
  async explainDecision(user: UserInfo, question: DecisionQuestion): Promise<Explanation> {
    return await explainDecision(this.#parts.authorizers, user, question);
  }

  /** Where it counts; what serves it counts here, too. Without the option `metrics` nothing is kept. */
  get metrics(): Metrics {
    return this.#given.metrics?.all ?? noMetrics;
  }

  /** The server's own authority: client certificates it issued are trusted unless `authentication` leaves that out. Made when first asked for. */
  certificateAuthority(): Promise<KeyPair> {
    return this.#given.ownAuthority.keyPair();
  }

  /**
   * A client certificate of the server's own authority, for a year. This server knows it whatever `authentication` says, until it ends.
   * @throws TypeError for a name that no certificate can carry.
   */
  issueClientCertificate(user: Pick<UserInfo, 'username' | 'groups'>): Promise<KeyPair> {
    return this.#given.ownAuthority.issueClientCertificate(user);
  }

  /** Calls back at every such event, until {@link off}. */
  on(event: ApiServerEvent, listener: () => void): this {
    this.#events.on(event, listener);
    return this;
  }
  /** Calls back at the next such event. */
  once(event: ApiServerEvent, listener: () => void): this {
    this.#events.once(event, listener);
    return this;
  }
  /** Ends what {@link on} or {@link once} began with this listener. */
  off(event: ApiServerEvent, listener: () => void): this {
    this.#events.off(event, listener);
    return this;
  }

  /**
   * Begins the end: /readyz fails from now on, everything else is still answered. Resolves after `shutdownDelay`; with
   * `shutdownSendRetryAfter` new requests are then 429, and it resolves when those in flight are answered. To be awaited before
   * a listener is closed; {@link close} does the same.
   */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  /**
   * Ends as {@link drain} says, sends new requests away, waits for those in flight (`shutdownGrace` at most), ends watches
   * and controllers and closes the storage. What is asked of the server after that fails with a TypeError.
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
    const kinds = this.#given.served;
    await prepareDefinitions(kinds);
    const loads = this.#loads.splice(0);
    const loading = loads.length > 0 ? await (await loadLoading()).beginLoading(this.#given, kinds, loads) : undefined;
    const storage = await openStorage(this.#given.options, loading?.initial);
    try {
      await loadStoredKinds(kinds, this.dialect, storage);
      this.#running = await assemble(this.#given, storage);
      await startControllers(this.#running);
      await loading?.finish(this.#running);
    } catch (error) {
      const { log = () => {} } = this.#given.options;
      await (this.#running ? closeParts(this.#running) : storage.close()).catch((problem: unknown) =>
        log(`the storage could not be closed: ${String(problem)}`),
      );
      this.#running = undefined;
      throw error;
    }
    this.#events.emit('started');
  }

  async #drain(): Promise<void> {
    const { progress, options } = this.#given;
    progress.closing = true;
    await this.#starting?.catch(() => {});
    if (!this.#running) return;
    this.#events.emit('closing');
    const { host, shutdown } = this.#running.environment;
    await passed(host.clock, options.shutdownDelay ?? 0);
    if (options.shutdownSendRetryAfter !== true) return;
    shutdown.stage = 'retry';
    await answered(shutdown, host.clock, options.shutdownGrace ?? SHUTDOWN_GRACE);
  }

  async #close(): Promise<void> {
    await this.drain();
    if (!this.#running) return;
    const { controllers, environment } = this.#running;
    const { host, shutdown } = environment;
    controllers.close();
    if (shutdown.stage === 'serving') shutdown.stage = 'unavailable';
    await answered(shutdown, host.clock, this.#given.options.shutdownGrace ?? SHUTDOWN_GRACE);
    await closeParts(this.#running);
    this.#running = undefined;
    this.#events.emit('closed');
  }
}
