import type { AuthorizationAttributes, Decision } from '../authorization/authorizer.js';
import type { JsonValue } from '../json/value.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';
import type { EventStream } from '../registry/reads/resource-watch.js';
import type { WriteObserver } from '../registry/request-context.js';
import type { ApiRequest } from './api-request.js';
import type { RequestInfo } from './request-info.js';
import type { Result } from './result.js';

/** A body from the network, or the value that an in-process caller passed. The value is not serialized. */
export type RequestDocument = { readonly bytes: Uint8Array } | { readonly value: JsonValue };

/** Receives the results of the steps of a request. Audit events and request logs are created from these results. */
export interface RequestNotes {
  /** Called with the decision of the authorizers about the request. */
  decided(attributes: AuthorizationAttributes, decision: Decision): void;
  /** Called when the request continues as an impersonated user. */
  impersonated(user: UserInfo): void;
  /** Called with a body that is an API object. */
  request(object: ApiObject): void;
  /** Called with a body that is a document: options, or a patch. It is called again with the decoded document of an apply. */
  requestDocument(document: RequestDocument): void;
}

/** Follows one request from its authentication to its response, for a log of requests. It must not change the values that it receives. */
export interface RequestObserver extends RequestNotes, WriteObserver {
  /** Called with each annotation of the request's audit events, even if no audit events are recorded. */
  annotated(key: string, value: string): void;
  /** Called with the watch that the request opens; returns the events that the caller receives. */
  watching(watch: EventStream): EventStream;
  /** Called with the result, before it is encoded. */
  answered(result: Result): void;
  /** Called with the error when the request fails. */
  failed(error: unknown): void;
}

/** The request that an observer follows. Its members change while the request is served. */
export interface ObservedRequest {
  /** The request as it arrived. */
  readonly request: Pick<ApiRequest, 'method' | 'path' | 'query' | 'headers' | 'headBytes' | 'host'>;
  /** What the path and the method request: verb, resource, namespace, name. */
  readonly info: RequestInfo;
  /** The user; its name is '' for a request that fails before its user is known. */
  readonly user: UserInfo;
  /** The caller, if it is in this process; `isOwn` if it is the server itself. */
  readonly caller: { readonly isOwn?: boolean } | undefined;
  /** The clock of the server. */
  readonly environment: { readonly host: Pick<Host, 'clock'> };
  /** The warnings for the response, in order. */
  readonly warnings: ReadonlySet<string>;
  /**
   * What an interceptor does to the request. With `error` or `refused` the server does not serve it; with `cutAfter` the caller receives at
   * most that many bytes of the body of the response.
   */
  readonly interference:
    | { readonly error?: unknown; readonly refused?: boolean | undefined; readonly cutAfter?: number | undefined }
    | undefined;
  /** A reading of the host's clock when the request arrived. */
  readonly deadline: { readonly began: number };
}

/** Observes the requests of a server. */
export interface ServerObserver {
  /** Called for each request after its authentication, or when it fails before. Returns undefined for requests that are not observed. */
  observe(request: ObservedRequest): RequestObserver | undefined;
}
