import type { ApiError } from '../meta/api-error.js';
import type { FetchOptions } from '../meta/fetch.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';
import { requestFailed } from '../outbound/bounded-request.js';
import type { EventStream } from '../registry/reads/resource-watch.js';
import type { Storage } from '../store/storage.js';
import type { ApiRequest } from './api-request.js';
import type { RequestInfo } from './request-info.js';
import type { ServerObserver } from './request-observer.js';
import type { Result } from './result.js';

/** The error message for the use of a closed server. */
export const CLOSED = 'the server is closed: create a new one';

/** The error message when an interceptor breaks a connection. */
export const CONNECTION_LOST = 'the connection was lost';

/**
 * Returns the error that an in-process caller receives when an interceptor breaks its connection. Over a network, a client sees the same
 * message.
 */
export const connectionLost = ({ method, path }: Pick<ApiRequest, 'method' | 'path'>): Error =>
  // An in-process client sends only methods of this type, so the cast is safe.
  requestFailed(method as FetchOptions['method'], path, new Error(CONNECTION_LOST));

/** A request that was authenticated. */
export interface InterceptedRequest {
  /** The headers of the request, and the signal that ends it. */
  readonly request: Pick<ApiRequest, 'headers' | 'signal'>;
  /** What the path and the method request: verb, resource, namespace, name. */
  readonly info: RequestInfo;
  /** The user as which the request continues. */
  readonly user: UserInfo;
  /**
   * The caller, if it is in this process. `isOwn` means that the server itself sends the request, from a built-in controller or while it
   * serves another request.
   */
  readonly caller: { readonly isOwn?: boolean } | undefined;
  /** The clock of the server. */
  readonly environment: { readonly host: Pick<Host, 'clock'> };
}

/** What an interceptor does to a request and its response. */
export interface Interference {
  /**
   * The error that is sent instead of the server's response. A function is called with the name of the object that a `create` sends, which
   * is not in the path; the name is '' if the body has none or cannot be decoded.
   */
  readonly error?: ApiError | ((name: string) => ApiError) | undefined;
  /** Whether the connection breaks before the server receives the request. */
  readonly refused?: boolean | undefined;
  /** Returns the storage that the request reads and writes, instead of the server's own. */
  readonly storage?: ((storage: Storage<ApiObject>) => Storage<ApiObject>) | undefined;
  /** Returns the events that the caller receives, instead of those of the watch. */
  readonly watch?: ((watch: EventStream) => EventStream) | undefined;
  /**
   * The number of bytes of the response body after which the connection breaks; with 0, status and headers are not sent either. An
   * in-process caller receives no response, because its responses have no bytes.
   */
  readonly cutAfter?: number | undefined;
  /** Called once, with the result of the request or its error, before the response is encoded. */
  readonly observe?: ((outcome: RequestOutcome) => void) | undefined;
}

/** How a request ended. */
export type RequestOutcome = { readonly result: Result } | { readonly error: unknown };

/** Interferes with requests, for example to inject the faults of a test. */
export interface Interceptor {
  /** Called for each request after its authentication; a promise delays the request until it settles. */
  intercept(request: InterceptedRequest): Interference | undefined | Promise<Interference | undefined>;
}

/** The interceptors and the observer of a server. They can be added and removed while the server runs. */
export interface Interception {
  /**
   * The interceptors, in the order in which they are called. The first one is nearest to the server: it changes the storage and the events
   * before the other interceptors do.
   */
  interceptors: readonly Interceptor[];
  observer: ServerObserver | undefined;
}

/** The members of a server's resolved options that interceptors and observers need. */
interface Intercepted {
  readonly interception: Interception;
  readonly progress: { readonly closing: boolean };
}

/**
 * Adds an interceptor after the existing ones; returns a function that removes it.
 * @throws TypeError if the server is closing or closed, because the interceptor would never be called.
 */
export function addInterceptor({ interception, progress }: Intercepted, interceptor: Interceptor): () => void {
  if (progress.closing) throw new TypeError(CLOSED);
  interception.interceptors = [...interception.interceptors, interceptor];
  return () => {
    interception.interceptors = interception.interceptors.filter((each) => each !== interceptor);
  };
}

/** Sets the observer; returns a function that removes it. @throws TypeError if there is one already, or the server is closing or closed */
export function setObserver({ interception, progress }: Intercepted, observer: ServerObserver): () => void {
  if (progress.closing) throw new TypeError(CLOSED);
  if (interception.observer) throw new TypeError('the server already has an observer: remove that one first');
  interception.observer = observer;
  return () => {
    if (interception.observer === observer) interception.observer = undefined;
  };
}
