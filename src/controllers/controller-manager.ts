import type { Client } from '../client/client.js';
import { type ControllerDefinition, type ControllerHost, RunningController } from './controller.js';

/** Runs the controllers of a server, either as soon as there is work or only on request. */
export class ControllerManager {
  readonly #automatic: boolean;
  readonly #controllers: RunningController[] = [];
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
      const running = new RunningController(definition, host, clientFor(definition), () => this.#schedule());
      this.#controllers.push(running);
      return running;
    });
    this.#schedule();
    return started;
  }

  /** Runs the controllers until they have nothing left to do. Work that waits for the clock is not waited for. Default: all controllers. */
  async settle(controllers: readonly RunningController[] = this.#controllers): Promise<void> {
    while (!this.#closed && controllers.some((controller) => controller.hasWork)) {
      if (this.#automatic) await Promise.all(controllers.map((controller) => controller.step()));
      // Controllers run one after the other, so that resource versions do not depend on how long a signature or an import takes.
      else for (const controller of controllers) await controller.step();
      // Automatic runs that are under way must finish, too.
      await Promise.resolve();
    }
  }

  close(): void {
    this.#closed = true;
    for (const controller of this.#controllers) controller.close();
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
