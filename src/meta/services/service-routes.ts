import type { Upgraded } from '../fetch.js';
import type { UserInfo } from '../user-info.js';

/** Who sends a request to a service. */
export interface ServiceCaller {
  /** Absent where the server itself asks, as it does webhooks. */
  readonly user?: UserInfo;
}

/** Answers the requests that are for a service: another `ApiServer`, or whatever answers requests as `fetch` handlers do. */
export interface ServiceHandler {
  fetch(request: Request, caller: ServiceCaller): Response | Promise<Response>;
  /** Answers those that ask for another protocol, as a WebSocket: a `Response` refuses. Default: nothing becomes another protocol's. */
  upgrade?(request: Request, caller: ServiceCaller): Upgraded | Response | Promise<Upgraded | Response>;
}

/** Where the requests for a service go: to a handler of this process, or to an origin, `https://127.0.0.1:8443`. */
export type ServiceRoute = { readonly handler: ServiceHandler } | { readonly origin: string };

/** How a server reaches the services that its objects name. */
export interface ServiceRoutes {
  /** Whether there is a cluster network, so that addresses in Services and Endpoints are dialled. */
  readonly network: boolean;
  /** Returns what the embedder has set for a service: for the port, else for all of its ports. */
  find(namespace: string, name: string, port?: number): ServiceRoute | undefined;
  /** Calls back whenever something is set or deleted for a service; returns what stops it. */
  onChange(callback: (namespace: string, name: string) => void): () => void;
}
