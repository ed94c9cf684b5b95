import { serviceAccountUsername } from '../authentication/service-account-user.js';
import type { Client } from '../client/client.js';
import { QueueMeter } from '../client/work-queue.js';
import { isCounted } from '../metrics/metrics.js';
import {
  type Census,
  type ControllerDefinition,
  type ControllerHost,
  type PendingKey,
  RunningController,
} from './controller.js';
import { ControllerCache } from './controller-cache.js';
import type { QueuedKey, Scheduling } from './controller-scheduler.js';
import type { LeaderElector } from './leader-election/leader-elector.js';

/** Runs the controllers of a server, either as soon as there is work or only on request. */
export class ControllerManager {
  readonly #automatic: boolean;
  readonly #scheduling: Scheduling;
  readonly #controllers: RunningController[] = [];
  /** The meters of queues by controller. They outlive the controllers, because a family of metrics is read from each only once. */
  readonly #meters = new Map<string, QueueMeter>();
  /** The caches of the stepped controllers. There are few of them, so a list is enough. */
  #caches: readonly ControllerCache[] = [];
  #elector: LeaderElector | undefined;
  #scheduled = false;
  #closed = false;

  /** @param scheduling the place of a scheduler, which decides instead of the order of the controllers. */
  constructor(automatic: boolean, scheduling: Scheduling) {
    this.#automatic = automatic;
    this.#scheduling = scheduling;
  }

  /** Starts controllers. @returns those that were started; none after `close`. @throws TypeError when two have the same name. */
  start(
    definitions: readonly ControllerDefinition[],
    host: ControllerHost,
    clientFor: (definition: ControllerDefinition) => Client,
  ): readonly RunningController[] {
    if (this.#closed) return [];
    const started = definitions.map((definition) => {
      if (this.#controllers.some(({ name }) => name === definition.name))
        throw new TypeError(`two controllers have the name "${definition.name}"`);
      const meter = this.#meterOf(definition, host);
      const onWork = (key: string) => this.#schedule({ controller: definition.name, key });
      const seen = this.#automatic ? host : this.#withCaches(definition, host);
      const running = new RunningController(definition, seen, clientFor(definition), meter, onWork);
      this.#controllers.push(running);
      return running;
    });
    this.#schedule();
    return started;
  }

  /** Stops some of the controllers, which may be started again. Work under way goes on until its client refuses it. */
  stop(controllers: readonly RunningController[]): void {
    for (const controller of controllers) {
      controller.close();
      const index = this.#controllers.indexOf(controller);
      if (index >= 0) this.#controllers.splice(index, 1);
      this.#caches = this.#caches.filter((cache) => cache.controller !== controller.name);
    }
  }

  /** Takes part in an election until `close`. Resolves after the first attempt to win it. */
  async takePart(elector: LeaderElector): Promise<void> {
    if (this.#closed) return;
    this.#elector = elector;
    await elector.start();
  }

  /** Runs the controllers until they have nothing left to do. Work that waits for the clock is not waited for. Default: all controllers. */
  async settle(controllers: readonly RunningController[] = this.#controllers): Promise<void> {
    do await this.#settleInOrder(controllers);
    while (
      !this.#closed &&
      (await this.#scheduling.scheduler?.step(() => (this.#automatic ? [] : queuedOf(controllers)), this.reconcile))
    );
  }

  /** Runs the controllers in their own order, unless a scheduler decides. */
  async #settleInOrder(controllers: readonly RunningController[]): Promise<void> {
    const isScheduled = () => this.#scheduling.scheduler !== undefined && !this.#automatic;
    while (!this.#closed && !isScheduled() && controllers.some((controller) => controller.hasWork)) {
      if (this.#automatic) await Promise.all(controllers.map((controller) => controller.step()));
      // Controllers run one after the other, so that resource versions do not depend on how long a signature or an import takes.
      else for (const controller of [...controllers]) await controller.step();
      // Automatic runs that are under way must finish, too.
      await Promise.resolve();
    }
  }

  /** The keys of all controllers that are not at rest. */
  get keys(): readonly PendingKey[] {
    const keys = this.#controllers.flatMap((controller) => controller.keys);
    const { scheduler } = this.#scheduling;
    return scheduler ? keys.map((key) => (key.state === 'queued' ? scheduler.pending(key) : key)) : keys;
  }

  /**
   * Returns the queued keys, of which a scheduler may have any reconciled, in the order of the controllers; none if the controllers run by
   * themselves.
   */
  queued(): readonly QueuedKey[] {
    return this.#automatic ? [] : queuedOf(this.#controllers);
  }

  /** Reconciles one queued key, if it still waits. Resolves with the message of the error if that failed. */
  readonly reconcile = async ({ controller, key }: QueuedKey): Promise<string | undefined> =>
    await this.#controllers.find(({ name }) => name === controller)?.reconcile(key);

  /** Returns the caches that the stepped controllers read. */
  caches(): readonly ControllerCache[] {
    return this.#caches;
  }

  /** Brings a key that waits for its next try back at once. */
  hurry({ controller, key }: PendingKey): void {
    this.#controllers.find(({ name }) => name === controller)?.hurry(key);
  }

  /** Counts in a census how often each key is reconciled; returns a function that ends the count. */
  count(census: Census): () => void {
    const ends = this.#controllers.map((controller) => controller.count(census));
    return () => {
      for (const end of ends) end();
    };
  }

  /** Stops all controllers at once. Resolves when another server may become the leader. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const controller of this.#controllers) controller.close();
    await this.#elector?.close();
  }

  #meterOf({ name }: ControllerDefinition, host: ControllerHost): QueueMeter | undefined {
    if (!isCounted(host.metrics)) return undefined;
    const meter = this.#meters.get(name) ?? new QueueMeter(name, host);
    this.#meters.set(name, meter);
    return meter;
  }

  /** Gives a controller caches of its own, which a scheduler may hold back. */
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
    // The caller of a lister vouches for the type of its objects.
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
