/** How a server treats new requests during shutdown: `serving` serves all, `retry` asks clients to go elsewhere, `unavailable` refuses. */
export type ShutdownStage = 'serving' | 'retry' | 'unavailable';

/** The progress of a server's shutdown, and the number of requests in flight. */
export class Shutdown {
  stage: ShutdownStage = 'serving';
  #open = 0;
  #onIdle: (() => void) | undefined;

  /** Counts a request that begins. */
  enter(): void {
    this.#open++;
  }

  /** Counts a request whose answer exists; its stream may go on. */
  leave(): void {
    this.#open--;
    if (this.#open === 0) this.#onIdle?.();
  }

  /** Resolves once no request is in flight. */
  idle(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }
}
