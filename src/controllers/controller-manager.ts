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

  /** @throws TypeError when two have the same name. */
  start(
    definitions: readonly ControllerDefinition[],
    host: ControllerHost,
    clientFor: (definition: ControllerDefinition) => Client,
  ): void {
    for (const definition of definitions) {
      if (this.#controllers.some(({ name }) => name === definition.name))
        throw new TypeError(`two controllers have the name "${definition.name}"`);
      this.#controllers.push(new RunningController(definition, host, clientFor(definition), () => this.#schedule()));
    }
    this.#schedule();
  }

  /** Runs all controllers until none has anything left to do; work that waits for the clock stays. */
  async settle(): Promise<void> {
    while (!this.#closed && this.#controllers.some((controller) => controller.hasWork)) {
      await Promise.all(this.#controllers.map((controller) => controller.step()));
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
