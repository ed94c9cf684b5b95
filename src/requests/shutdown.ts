import type { UserInfo } from '../meta/user-info.js';
import type { ApiRequest } from './api-request.js';

/** A request in flight. Its user is set when it is authenticated. */
interface RequestInFlight {
  readonly request: ApiRequest;
  readonly user: UserInfo;
}

/** How a server treats new requests during shutdown: `serving` serves all, `retry` asks clients to go elsewhere, `unavailable` refuses. */
export type ShutdownStage = 'serving' | 'retry' | 'unavailable';

/** The progress of a server's shutdown, and the requests in flight. */
export class Shutdown {
  stage: ShutdownStage = 'serving';
  readonly #open = new Set<RequestInFlight>();
  #onIdle: (() => void) | undefined;

  /** The requests that are not answered yet. */
  get requests(): Iterable<RequestInFlight> {
    return this.#open;
  }

  /** The number of such requests. */
  get count(): number {
    return this.#open.size;
  }

  /** Counts a request that begins. */
  enter(request: RequestInFlight): void {
    this.#open.add(request);
  }

  /** Counts a request whose answer exists; its stream may go on. */
  leave(request: RequestInFlight): void {
    this.#open.delete(request);
    if (this.#open.size === 0) this.#onIdle?.();
  }

  /** Resolves once no request is in flight. */
  idle(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }
}
