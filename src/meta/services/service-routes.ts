import type { Upgraded } from '../fetch.js';
import type { UserInfo } from '../user-info.js';

/** The sender of a request to a service. */
export interface ServiceCaller {
  /** The user; absent when the server itself sends the request, as it does to webhooks. */
  readonly user?: UserInfo;
}

/** Handles the requests to a service. It is another `ApiServer`, or any object with a `fetch` handler. */
export interface ServiceHandler {
  /** Responds to a request that the server sends to the service. */
  fetch(request: Request, caller: ServiceCaller): Response | Promise<Response>;
  /**
   * Handles a request to upgrade the connection to another protocol, such as WebSocket. A `Response` refuses the upgrade. Default:
   * connections cannot be upgraded.
   */
  upgrade?(request: Request, caller: ServiceCaller): Upgraded | Response | Promise<Upgraded | Response>;
}

/** The destination of the requests to a service: a handler in this process, or the URL of a backend, such as `https://127.0.0.1:8443`. */
export type ServiceRoute = { readonly handler: ServiceHandler } | { readonly origin: string };

/** The routes by which a server reaches the services that its objects name. */
export interface ServiceRoutes {
  /** Whether there is a cluster network. If there is one, the addresses in Services and Endpoints are dialed. */
  readonly network: boolean;
  /** Whether an endpoint of a Service is dialed instead of the Service's address. Default false. */
  readonly toEndpoints?: boolean;
  /** Handles the requests to the server's own Service, unless the embedder has set a route for it. Absent before the server starts. */
  readonly own?: ServiceHandler | undefined;
  /** Returns the route that the embedder has set for a service and `port`, or otherwise the route for all ports of the service. */
  find(namespace: string, name: string, port?: number): ServiceRoute | undefined;
  /** Calls `callback` whenever a route of a service is set or deleted. @returns a function that stops the calls. */
  onChange(callback: (namespace: string, name: string) => void): () => void;
}
