import type { ApiServices } from '../aggregation/api-services.js';
import type { Backends } from '../aggregation/backends.js';
import type { RemoteOpenApi } from '../aggregation/remote-openapi.js';
import type { Authorizer } from '../authorization/authorizer.js';
import type { Client } from '../client/client.js';
import { type QueueMeter, WorkQueue } from '../client/work-queue.js';
import { isConflict } from '../meta/api-error.js';
import { groupOf } from '../meta/dialect.js';
import { yieldIfDue } from '../meta/flow.js';
import type { Host, Lister } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import type { RegistryChange } from '../registry/resource-registry.js';
import type { DefinitionChange } from '../registry/served/next-snapshot.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import { StoreError } from '../store/storage.js';
import type { AccountTokens } from '../tokens/account-tokens.js';
import { messageOf } from '../values/message-of.js';
import type { Seeds } from './seed.js';
import type { ServerAuthorities } from './server-authorities.js';

/** The kinds that a running server serves. Kinds may be added and removed at any time. */
export interface ServedKinds {
  readonly current: RegistrySnapshot;
  /** Calls `callback` after every change of the served kinds. @returns a function that ends the subscription. */
  onChange(callback: (change: RegistryChange) => void): () => void;
  /**
   * Uninstalls and installs kinds in one step. @throws TypeError when two definitions have the same names; nothing is changed in this case.
   */
  change(change: DefinitionChange): unknown;
}

/** The address at which other machines reach a server. */
export interface AdvertisedAddress {
  /** The IP address. */
  readonly address: string;
  /** The port. */
  readonly port: number;
}

/** The members of the server that its controllers use, in addition to those of every plug-in. */
export interface ControllerHost extends Host {
  /** The kinds that the server serves. */
  readonly kinds: ServedKinds;
  /** The registered group versions, and the APIService of each one that another server serves. */
  readonly apiServices: ApiServices;
  /** The servers behind APIServices. */
  readonly backends: Backends;
  /** The OpenAPI documents of the backends of APIServices. */
  readonly openApi: RemoteOpenApi;
  /** The union of the server's authorizers: the same object that authorizes the requests of clients. */
  readonly authorizer: Authorizer;
  /** Signs the tokens of service accounts. */
  readonly accountTokens: AccountTokens;
  /** The certificate authorities of the server. */
  readonly authorities: ServerAuthorities;
  /** The address that the Endpoints of the server's own Service contain; undefined when the server advertises none. */
  readonly advertised?: AdvertisedAddress;
  /** The name of the machine that the server runs on. */
  readonly hostname: string;
  /** Calls `callback` when the token of a Secret is used. @returns a function that ends the subscription. */
  onSecretTokenUse(callback: (namespace: string, secret: string) => void): () => void;
}

/** The context of a controller. A controller changes objects only through the client. */
export interface ControllerContext {
  /** What the server provides: the clock, the log, the listers of stored objects, and more. */
  readonly host: ControllerHost;
  /** Sends requests as the controller's own service account, with the controller manager's name as field manager. */
  readonly client: Client;
  /** The queue of the keys to reconcile. */
  readonly queue: WorkQueue;
}

/** A loop that brings the actual state in line with the desired state, one key at a time. */
export interface ControllerDefinition {
  /** The name of the controller, unique in a server. */
  readonly name: string;
  /** The service account in kube-system that the controller acts as. Default: its name. */
  readonly account?: string;
  /** Whether the controller is part of the server and acts as the server itself. Default false. */
  readonly ofServer?: boolean;
  /** Whether the controller deletes collections without admission. Only a controller with `ofServer` may do this. Default false. */
  readonly deletesWithoutAdmission?: boolean;
  /**
   * Whether every server on a shared storage runs the controller, because its work concerns the server itself. All other controllers run
   * only on the leader. Default: `ofServer`.
   */
  readonly inEveryServer?: boolean | ((host: ControllerHost) => boolean);
  /** Upstream's names of the controller, for switching it on or off with `--controllers`. Default: it always runs. */
  readonly switchedBy?: readonly string[];
  /** Whether the other controllers begin only when this one has nothing left to do. Default false. */
  readonly isFirst?: boolean;
  /** Whether the controller runs only when it is selected by name. Default false. */
  readonly onRequest?: boolean;
  /**
   * Returns the objects that the controller would create on an empty server. The server writes them to the storage directly, without
   * request handling and admission, but with the fields and managed fields that the controller's own requests would produce. When `follow`
   * starts, these objects exist already.
   */
  readonly seeds?: (host: ControllerHost) => readonly Seeds[] | Promise<readonly Seeds[]>;
  /** The maximum number of keys that are reconciled concurrently, for controllers that wait for other servers. Default 1. */
  readonly atATime?: number;
  /**
   * Queues the keys of all existing objects, and later the key of each object that changes.
   * @returns a function that stops this; undefined if nothing has to be stopped.
   */
  follow(context: ControllerContext): (() => void) | undefined;
  /** Reconciles one key. It may run again for the same key. If it throws, it is retried later. */
  reconcile(key: string, context: ControllerContext): Promise<void>;
}

/** Returns the lister of a kind in the server's dialect. */
export function listerOf<T extends ApiObject>(
  { dialect, lister }: Pick<Host, 'dialect' | 'lister'>,
  { groupStem = '', plural }: ResourceDefinition<T>,
): Lister<T> {
  return lister<T>(groupOf(dialect, groupStem), plural);
}

/** Returns the resource of a kind; undefined if the server does not serve this definition. */
export function servedAs<T extends ApiObject>(
  { dialect, kinds }: Pick<ControllerHost, 'dialect' | 'kinds'>,
  kind: ResourceDefinition<T>,
): ServedResource | undefined {
  const { groupStem = '', version, plural } = kind;
  const resource = kinds.current.find(groupOf(dialect, groupStem), version, plural)?.resource;
  const definition: unknown = resource?.definition;
  return definition === kind ? resource : undefined;
}

/** Returns the result of a `follow` that ends several subscriptions. */
export function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/** A key of a controller that is queued, being reconciled or delayed. */
export interface PendingKey {
  /** The name of the controller. */
  readonly controller: string;
  /** The key. */
  readonly key: string;
  /**
   * With `failing`, the last reconciliation failed and will be retried. With `delayed`, the controller or a test has requested a new
   * reconciliation of the key for a later time. With `held`, a test holds the key back.
   */
  readonly state: 'queued' | 'running' | 'delayed' | 'failing' | 'held';
  /** The time at which the key is queued again, in milliseconds since the epoch; absent if the key is queued or running. */
  readonly until?: number;
  /** The number of consecutive failures; only for `failing`. */
  readonly attempts?: number;
  /** The message of the last failure; only for `failing`. */
  readonly error?: string;
}

/** Receives each key that is reconciled, to find controllers that never settle. */
export interface Census {
  /** Called before a key is reconciled. If it throws, the reconciliation fails. */
  note(controller: string, key: string): void;
}

/** Returns whether every server on a shared storage runs a controller. */
export function runsInEveryServer(
  { inEveryServer, ofServer = false }: ControllerDefinition,
  host: ControllerHost,
): boolean {
  return typeof inEveryServer === 'function' ? inEveryServer(host) : (inEveryServer ?? ofServer);
}

const NO_KEYS: readonly PendingKey[] = Object.freeze([]);

/** A controller that runs in a server. */
export class RunningController {
  readonly name: string;
  readonly #definition: ControllerDefinition;
  readonly #context: ControllerContext;
  readonly #stop: (() => void) | undefined;
  readonly #busy = new Set<string>();
  /**
   * `#again` has the keys that arrived again while they were being reconciled, `#errors` the message of each key's last failure. Both are
   * created on first use.
   */
  #again: Set<string> | undefined;
  #errors: Map<string, string> | undefined;
  #census: Census | undefined;
  /** Resolves when the queue is empty and no key is being reconciled. It is undefined while no key is being reconciled. */
  #run: Promise<void> | undefined;
  #endRun: (() => void) | undefined;
  #isClosed = false;

  /**
   * @param meter measures the queue. If a controller is stopped and started again, the same meter is passed, so that its counters continue.
   */
  constructor(
    definition: ControllerDefinition,
    host: ControllerHost,
    client: Client,
    meter: QueueMeter | undefined,
    onWork: (key: string) => void,
  ) {
    this.name = definition.name;
    this.#definition = definition;
    const queue = new WorkQueue(host.clock, meter, `controller ${definition.name}`);
    queue.onWork = onWork;
    this.#context = { host, client, queue };
    this.#stop = this.#follow();
  }

  /**
   * Calls the definition's `follow`. If an object of a followed kind cannot be read from the storage, the controller does not run, because
   * it would act on an incomplete list.
   */
  #follow(): (() => void) | undefined {
    try {
      return this.#definition.follow(this.#context);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unreadable') throw error;
      this.#context.host.log(`controller ${this.name} does not run: ${error.key} cannot be read: ${error.message}`);
      return undefined;
    }
  }

  /** Whether keys are queued or being reconciled. */
  get hasWork(): boolean {
    return this.#context.queue.size > 0 || this.#run !== undefined;
  }

  /** The queued keys, in queue order. */
  get queued(): readonly string[] {
    return this.#context.queue.queued;
  }

  /** Reconciles one key, if it is still queued. Resolves with the error's message if the work failed. */
  async reconcile(key: string): Promise<string | undefined> {
    if (this.#context.queue.take(key) === undefined) return undefined;
    this.#busy.add(key);
    await this.#one(key);
    this.#busy.delete(key);
    return this.#errors?.get(key);
  }

  /** The keys that are queued, being reconciled or delayed. */
  get keys(): readonly PendingKey[] {
    const { queue } = this.#context;
    const controller = this.name;
    // Most controllers are idle, and a test asks all of them after each timer of a fake clock.
    if (this.#busy.size === 0 && queue.size === 0 && queue.delayed.size === 0) return NO_KEYS;
    const running = [...this.#busy].map((key): PendingKey => ({ controller, key, state: 'running' }));
    const queued = queue.queued.map((key): PendingKey => ({ controller, key, state: 'queued' }));
    const delayed = Array.from(queue.delayed, ([key, until]): PendingKey => {
      const error = this.#errors?.get(key);
      if (error === undefined) return { controller, key, state: 'delayed', until };
      return { controller, key, state: 'failing', until, attempts: queue.failuresOf(key), error };
    });
    return [...running, ...queued, ...delayed];
  }

  /** Queues a delayed key without waiting for the end of its delay. */
  hurry(key: string): void {
    this.#context.queue.hurry(key);
  }

  /**
   * Reports to `census` each time a key is reconciled. Only the census passed last receives reports. @returns a function that ends the
   * reports.
   */
  count(census: Census): () => void {
    this.#census = census;
    return () => {
      if (this.#census === census) this.#census = undefined;
    };
  }

  /** Reconciles queued keys until the queue is empty; returns undefined when there is no work. Failures are logged and retried later. */
  step(): Promise<void> | undefined {
    if (!this.hasWork) return undefined;
    this.#run ??= new Promise((resolve) => (this.#endRun = resolve));
    const run = this.#run;
    this.#fill();
    return run;
  }

  /**
   * Begins to reconcile queued keys, up to the maximum that may run concurrently. Keys that arrive in the meantime are taken as soon as a
   * worker is free. A key that is being reconciled is queued again afterwards.
   */
  #fill(): void {
    const { atATime = 1 } = this.#definition;
    const { queue } = this.#context;
    while (this.#busy.size < atATime) {
      const key = queue.take();
      if (key === undefined) break;
      if (this.#busy.has(key)) {
        (this.#again ??= new Set()).add(key);
        continue;
      }
      this.#busy.add(key);
      void this.#one(key).then(() => {
        this.#busy.delete(key);
        if (this.#again?.delete(key)) queue.add(key);
        this.#fill();
      });
    }
    if (this.#busy.size > 0) return;
    this.#run = undefined;
    this.#endRun?.();
  }

  async #one(key: string): Promise<void> {
    const { queue, host } = this.#context;
    try {
      this.#census?.note(this.name, key);
      await this.#definition.reconcile(key, this.#context);
      queue.forget(key);
      this.#errors?.delete(key);
    } catch (error) {
      // When the controller is closed, the reconciliations that are under way fail, because the client refuses their requests. These
      // failures are ignored.
      if (this.#isClosed) return;
      if (!isConflict(error)) host.log(`controller ${this.name}: ${key}: ${messageOf(error)}`);
      (this.#errors ??= new Map()).set(key, messageOf(error));
      queue.retry(key);
    }
    const turn = yieldIfDue();
    if (turn) await turn;
  }

  /** Ends the controller. No further key is reconciled. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop?.();
    this.#context.queue.close();
  }
}
