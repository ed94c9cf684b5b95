import type { Client } from '../client/client.js';
import { type ControllerDefinition, type ControllerHost, RunningController } from './controller.js';

/** Runs a server's controllers: as work comes, or only on request. */
export class ControllerManager {
  readonly #automatic: boolean;
  readonly #controllers: RunningController[] = [];
  #scheduled = false;
  #closed = false;

  constructor(automatic: boolean) {
    this.#automatic = automatic;
  }

  /** @returns those that were started; none once all are closed. @throws TypeError when two have the same name. */
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

  /** Runs controllers, default all, until none of them has anything left to do; work that waits for the clock stays. */
  async settle(controllers: readonly RunningController[] = this.#controllers): Promise<void> {
    while (!this.#closed && controllers.some((controller) => controller.hasWork)) {
      if (this.#automatic) await Promise.all(controllers.map((controller) => controller.step()));
      // One after the other: the same calls give the same versions, however long a signature or a module takes to be there.
      else for (const controller of controllers) await controller.step();
      // Work of an automatic run that is under way counts, too.
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
