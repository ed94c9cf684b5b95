import type { Upgraded } from '../meta/fetch.js';
import type { UserInfo } from '../meta/user-info.js';

/** Answers the requests that are for a service; `user` is who sends them, as this server knows him. */
export interface BackendHandler {
  fetch(request: Request, caller: { readonly user: UserInfo }): Response | Promise<Response>;
  /** Answers those that ask for another protocol, as a WebSocket: a `Response` refuses. Default: nothing becomes another protocol's. */
  upgrade?(request: Request, caller: { readonly user: UserInfo }): Upgraded | Response | Promise<Upgraded | Response>;
}

/**
 * Servers of this process that answer for services: another `ApiServer`, or whatever answers requests as `fetch` handlers do. No port,
 * no certificate, and no Service need be there.
 */
export class InProcessBackends {
  readonly #handlers = new Map<string, BackendHandler>();

  /**
   * Registers what is behind a service, in place of one before.
   * @param service `namespace/name`
   * @throws TypeError for a text of another form.
   */
  set(service: string, handler: BackendHandler): this {
    if (!/^[^/]+\/[^/]+$/.test(service)) throw new TypeError(`backend "${service}": a service is namespace/name`);
    if (typeof handler?.fetch !== 'function') throw new TypeError(`backend "${service}": must have fetch()`);
    this.#handlers.set(service, handler);
    return this;
  }

  /** Requests that come later find nothing there. @returns whether there was one. */
  delete(service: string): boolean {
    return this.#handlers.delete(service);
  }

  /** What is behind a service; undefined: nothing in this process. */
  of(namespace: string, name: string): BackendHandler | undefined {
    return this.#handlers.get(`${namespace}/${name}`);
  }
}
