/**
 * What a server does with requests while it comes to its end: `serving` all of them; sending new ones away, to `retry` elsewhere
 * or since it is `unavailable`.
 */
export type ShutdownStage = 'serving' | 'retry' | 'unavailable';

/** How far a server is on its way to its end, and how much is still being answered. */
export class Shutdown {
  stage: ShutdownStage = 'serving';
  #open = 0;
  #onIdle: (() => void) | undefined;

  /** A request begins to be answered. */
  enter(): void {
    this.#open++;
  }

  /** Its answer is there; streams go on beyond that. */
  leave(): void {
    this.#open--;
    if (this.#open === 0) this.#onIdle?.();
  }

  /** Resolves once nothing is being answered. */
  idle(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }
}
