import type { Client } from '../client/client.js';
import { QueueMeter } from '../client/work-queue.js';
import { isCounted } from '../metrics/metrics.js';
import { type ControllerDefinition, type ControllerHost, RunningController } from './controller.js';
import type { LeaderElector } from './leader-election/leader-elector.js';

/** Runs the controllers of a server, either as soon as there is work or only on request. */
export class ControllerManager {
  readonly #automatic: boolean;
  readonly #controllers: RunningController[] = [];
  /** The meters of queues by controller. They outlive the controllers, because a family of metrics is read from each only once. */
  readonly #meters = new Map<string, QueueMeter>();
  #elector: LeaderElector | undefined;
  #scheduled = false;
  #closed = false;

  constructor(automatic: boolean) {
    this.#automatic = automatic;
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
      const running = new RunningController(definition, host, clientFor(definition), meter, () => this.#schedule());
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
    while (!this.#closed && controllers.some((controller) => controller.hasWork)) {
      if (this.#automatic) await Promise.all(controllers.map((controller) => controller.step()));
      // Controllers run one after the other, so that resource versions do not depend on how long a signature or an import takes.
      else for (const controller of [...controllers]) await controller.step();
      // Automatic runs that are under way must finish, too.
      await Promise.resolve();
    }
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

  #schedule(): void {
    if (!this.#automatic || this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (const controller of this.#controllers) void controller.step();
    });
  }
}
