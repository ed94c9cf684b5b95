import { serviceAccountUsername } from '../authentication/service-account-user.js';
import type { Client } from '../client/client.js';
import { QueueMeter } from '../client/work-queue.js';
import { requireUniqueNames } from '../meta/plugin-list.js';
import { isCounted } from '../metrics/metrics.js';
import {
  type Census,
  type ControllerDefinition,
  type ControllerHost,
  type PendingKey,
  RunningController,
  stopAll,
} from './controller.js';
import { ControllerCache } from './controller-cache.js';
import type { QueuedKey, Scheduling } from './controller-scheduler.js';
import type { LeaderElector } from './leader-election/leader-elector.js';

/**
 * Runs the controllers of a server: in the mode `automatic` as soon as there is work, in the mode `stepped` only when {@link settle} or
 * {@link reconcile} is called.
 */
export class ControllerManager {
  readonly #automatic: boolean;
  readonly #scheduling: Scheduling;
  readonly #controllers: RunningController[] = [];
  /** The queue metrics by controller name. They outlive the controllers, because the metrics of a queue may be registered only once. */
  readonly #meters = new Map<string, QueueMeter>();
  /** The caches from which controllers read in the mode `stepped`. There are few caches, so a list is enough. */
  #caches: readonly ControllerCache[] = [];
  #elector: LeaderElector | undefined;
  #scheduled = false;
  #closed = false;

  /** @param scheduling holds the scheduler that a test may set to decide the order in which keys are reconciled. */
  constructor(automatic: boolean, scheduling: Scheduling) {
    this.#automatic = automatic;
    this.#scheduling = scheduling;
  }

  /** Starts controllers. @returns the started controllers; none after `close`. @throws TypeError when two have the same name. */
  start(
    definitions: readonly ControllerDefinition[],
    host: ControllerHost,
    clientFor: (definition: ControllerDefinition) => Client,
  ): readonly RunningController[] {
    if (this.#closed) return [];
    requireUniqueNames('controllers', [...this.#controllers, ...definitions]);
    const isMeasured = isCounted(host.metrics);
    const started = definitions.map((definition) => {
      const meter = isMeasured ? this.#meterOf(definition, host) : undefined;
      const onWork = (key: string) => this.#schedule({ controller: definition.name, key });
      const seen = this.#automatic ? host : this.#withCaches(definition, host);
      const running = new RunningController(definition, seen, clientFor(definition), meter, onWork);
      this.#controllers.push(running);
      return running;
    });
    this.#schedule();
    return started;
  }

  /**
   * Stops the given controllers. Controllers of the same names may be started again. Reconciliations in progress continue until the
   * controller's client refuses a request.
   */
  stop(controllers: readonly RunningController[]): void {
    for (const controller of controllers) {
      controller.close();
      const index = this.#controllers.indexOf(controller);
      if (index >= 0) this.#controllers.splice(index, 1);
      this.#caches = this.#caches.filter((cache) => cache.controller !== controller.name);
    }
  }

  /** Takes part in the leader election until `close`. Resolves after the first attempt to acquire the lease. */
  async takePart(elector: LeaderElector): Promise<void> {
    if (this.#closed) return;
    this.#elector = elector;
    await elector.start();
  }

  /** Runs controllers until they have nothing left to do. Delayed keys are not waited for. Default: all controllers. */
  async settle(controllers: readonly RunningController[] = this.#controllers): Promise<void> {
    do await this.#settleInOrder(controllers);
    while (
      !this.#closed &&
      (await this.#scheduling.scheduler?.step(() => (this.#automatic ? [] : queuedOf(controllers)), this.reconcile))
    );
  }

  /**
   * Lets each controller reconcile its queued keys, in the order in which the controllers were started. Returns at once if a scheduler is
   * set and controllers are stepped, because the scheduler then chooses the keys.
   */
  async #settleInOrder(controllers: readonly RunningController[]): Promise<void> {
    while (
      !this.#closed &&
      (this.#automatic || !this.#scheduling.scheduler) &&
      controllers.some((controller) => controller.hasWork)
    ) {
      if (this.#automatic) await Promise.all(controllers.map((controller) => controller.step()));
      // Controllers run one after the other, so that resource versions do not depend on how long signing or an import takes.
      else for (const controller of [...controllers]) await controller.step();
      // Automatic controllers also reconcile without a call of `step`. Waiting for a microtask lets such runs finish.
      await Promise.resolve();
    }
  }

  /** Whether a key of any controller is queued or being reconciled. A key that a scheduler holds back does not count. */
  get hasWork(): boolean {
    if (this.#scheduling.scheduler) return this.keys.some(({ state }) => state === 'queued' || state === 'running');
    return this.#controllers.some((controller) => controller.hasWork);
  }

  /** All keys, of any controller, that are queued, being reconciled or delayed. */
  get keys(): readonly PendingKey[] {
    const keys = this.#controllers.flatMap((controller) => controller.keys);
    const { scheduler } = this.#scheduling;
    return scheduler ? keys.map((key) => (key.state === 'queued' ? scheduler.pending(key) : key)) : keys;
  }

  /**
   * Returns the queued keys of all controllers, in the order in which the controllers were started. A scheduler may choose any of these
   * keys. The list is empty in automatic mode.
   */
  queued(): readonly QueuedKey[] {
    return this.#automatic ? [] : queuedOf(this.#controllers);
  }

  /** Reconciles one key, if it is still queued. Resolves with the error's message if the work failed. */
  readonly reconcile = async ({ controller, key }: QueuedKey): Promise<string | undefined> =>
    await this.#controllers.find(({ name }) => name === controller)?.reconcile(key);

  /** Returns the caches from which controllers read in the mode `stepped`. There are none in automatic mode. */
  caches(): readonly ControllerCache[] {
    return this.#caches;
  }

  /** Queues a delayed key without waiting for the end of its delay. */
  hurry({ controller, key }: PendingKey): void {
    this.#controllers.find(({ name }) => name === controller)?.hurry(key);
  }

  /** Reports to `census` each time a key is reconciled. @returns a function that ends the reports. */
  count(census: Census): () => void {
    const ends = this.#controllers.map((controller) => controller.count(census));
    return stopAll(ends);
  }

  /** Stops all controllers at once. Resolves after the leader's lease was released, so that another server may become the leader. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const controller of this.#controllers) controller.close();
    await this.#elector?.close();
  }

  #meterOf({ name }: ControllerDefinition, host: ControllerHost): QueueMeter {
    const meter = this.#meters.get(name) ?? new QueueMeter(name, host);
    this.#meters.set(name, meter);
    return meter;
  }

  /**
   * Returns a copy of the host whose listers are {@link ControllerCache}s of this controller. A scheduler can hold back changes in these
   * caches, so that the controller sees the changes later.
   */
  #withCaches({ name, account = name }: ControllerDefinition, host: ControllerHost): ControllerHost {
    const own = new Map<string, ControllerCache>();
    const user = serviceAccountUsername('kube-system', account);
    const cacheOf = (group: string, resource: string): ControllerCache => {
      const key = `${group}/${resource}`;
      let cache = own.get(key);
      if (!cache) {
        own.set(key, (cache = new ControllerCache(name, user, group, resource, host.lister(group, resource))));
        this.#caches = [...this.#caches, cache];
        this.#scheduling.scheduler?.opened(cache);
      }
      return cache;
    };
    // The caller of `lister` is responsible for the type of its objects.
    const lister = cacheOf as unknown as ControllerHost['lister'];
    return { ...host, lister };
  }

  #schedule(queued?: QueuedKey): void {
    if (queued) this.#scheduling.scheduler?.queued(queued);
    if (!this.#automatic || this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (const controller of this.#controllers) void controller.step();
    });
  }
}

const queuedOf = (controllers: readonly RunningController[]): readonly QueuedKey[] =>
  controllers.flatMap(({ name, queued }) => queued.map((key) => ({ controller: name, key })));
